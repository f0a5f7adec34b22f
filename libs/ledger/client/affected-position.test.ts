import { expect, test } from '@jest/globals';
import type { Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { Desk, money } from '#libs/ledger/client/testing/desk.ts';
import { refoldedFor } from '#libs/ledger/fold-cost.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { reachOf } from './affected-position.ts';

const account = (reference: string) => ({ reference, actor: 'desk', basis: 'test' });

/** A Loan of January, suspended in May and then paid so many times in June. */
function paidLoan(receipts: number) {
  const desk = new Desk();
  desk.register();
  const { id } = desk.issue('loan-1');
  const loan = { loan_id: String(id) };
  desk.ask('suspendLoan', { on: '2025-05-01', to: '2025-05-31', ...account('s-1') }, loan);
  const suspension = String(desk.book.folded.loans[0]?.acts[0]?.fact.event);
  for (let nth = 0; nth < receipts; nth += 1) {
    const value_date = `2025-06-${String(1 + (nth % 28)).padStart(2, '0')}`;
    desk.ask('reportReceipt', { reference: `r-${nth}`, client_id: 'c-1', amount: money(1), value_date });
  }
  return { desk, loan, suspension };
}

function priceOf(book: ClientBook, operation: string, params: { readonly [name: string]: string }, body: JsonObject) {
  const reach = reachOf(book, { operation, params, body } as unknown as Submission);
  return reach === undefined ? 0 : refoldedFor(book.folded, reach);
}

test('a fact costs from the earliest day it changes, whatever day it states', () => {
  const { desk, loan, suspension } = paidLoan(100);
  const { book } = desk;
  const today = '2025-12-01';
  const price = (operation: string, body: JsonObject) => priceOf(book, operation, loan, body);
  // Dated last, it is folded alone.
  expect(price('writeOffLoan', { on: today })).toBe(1);
  expect(price('reportReceipt', { value_date: today })).toBe(1);
  expect(price('issueLoan', { anchor: today })).toBe(1);
  // From what it names on, where that is long ago.
  for (const [operation, named] of [
    ['endSuspension', { suspension_id: suspension.toUpperCase() }],
    ['retractFact', { event_id: suspension }],
    ['cancelLoan', {}],
  ] as const) {
    expect(price(operation, { on: today, ...named })).toBeGreaterThan(100);
  }
  expect(priceOf(book, 'reverseReceipt', { receipt_reference: 'r-0' }, {})).toBeGreaterThan(90);
  expect(price('issueLoan', { anchor: '2025-01-15' })).toBeGreaterThan(100);
});

test('what names nothing of the book is refused before anything is folded', () => {
  const { desk } = paidLoan(3);
  const { book } = desk;
  expect(priceOf(book, 'waiveCharge', { loan_id: 'none' }, { on: '2025-02-01' })).toBe(0);
  expect(priceOf(book, 'reverseReceipt', { receipt_reference: 'none' }, {})).toBe(0);
});
