import { expect, test } from '@jest/globals';
import type { Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { stepsRefolded } from '#libs/ledger/fold-cost.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { affectedPositionOf } from './affected-position.ts';

const account = (reference: string) => ({ reference, actor: 'officer-1', basis: 'test' });

/** A Loan of January, suspended in May, with a number of Receipts in June. */
function paidLoan(receipts: number) {
  const client = new TestClientBook();
  client.register();
  const { id } = client.issue('loan-1');
  const loan = { loan_id: String(id) };
  client.submit('suspendLoan', { on: '2025-05-01', to: '2025-05-31', ...account('s-1') }, loan);
  const suspension = String(client.book.folded.loans[0]?.acts[0]?.fact.event);
  for (let nth = 0; nth < receipts; nth += 1) {
    const value_date = `2025-06-${String(1 + (nth % 28)).padStart(2, '0')}`;
    client.submit('reportReceipt', { reference: `r-${nth}`, client_id: 'c-1', amount: money(1), value_date });
  }
  return { client, loan, suspension };
}

function costOf(book: ClientBook, operation: string, params: { readonly [name: string]: string }, body: JsonObject) {
  const fact = affectedPositionOf(book, { operation, params, body } as Submission);
  return fact === undefined ? 0 : stepsRefolded(book.folded, fact);
}

test('the cost of a fact depends on the earliest day it changes, not on the day it states', () => {
  const { client, loan, suspension } = paidLoan(100);
  const { book } = client;
  const today = '2025-12-01';
  const cost = (operation: string, body: JsonObject) => costOf(book, operation, loan, body);
  // A fact dated last is folded alone.
  expect(cost('writeOffLoan', { on: today })).toBe(1);
  expect(cost('reportReceipt', { value_date: today })).toBe(1);
  expect(cost('issueLoan', { anchor: today })).toBe(1);
  // A fact that names an earlier one is folded from there.
  for (const [operation, named] of [
    ['endSuspension', { suspension_id: suspension.toUpperCase() }],
    ['retractFact', { event_id: suspension }],
    ['cancelLoan', {}],
  ] as const) {
    expect(cost(operation, { on: today, ...named })).toBeGreaterThan(100);
  }
  expect(costOf(book, 'reverseReceipt', { receipt_reference: 'r-0' }, {})).toBeGreaterThan(90);
  expect(cost('issueLoan', { anchor: '2025-01-15' })).toBeGreaterThan(100);
});

test('a submission that names nothing in the book costs nothing', () => {
  const { client } = paidLoan(3);
  const { book } = client;
  expect(costOf(book, 'waiveCharge', { loan_id: 'none' }, { on: '2025-02-01' })).toBe(0);
  expect(costOf(book, 'reverseReceipt', { receipt_reference: 'none' }, {})).toBe(0);
});
