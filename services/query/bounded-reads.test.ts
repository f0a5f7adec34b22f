import { expect, test } from '@jest/globals';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanExplanation } from '#libs/ledger/answers/explanation.ts';
import { loanStatement } from '#libs/ledger/answers/statement.ts';
import { loanOrder } from '#libs/ledger/client/client-book.ts';
import { money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import { readLoanOnDay, readLoanStatementWithin, readReceiptWithin, versionsCost } from './bounded-reads.ts';
import { KnownBooks } from './known-books.ts';
import type { ReadContext } from './read-context.ts';

const calendars = calendarsOf();
const receipts = 40;
const { book } = bookWithReceipts();
const loanId = String(book.folded.loans[0]?.issuance.loanId);
const loan = { tenantId: 'acme', loanId };
const last = dayOf('2025-06-01');

const context = {
  books: { loadLatest: async () => ({ book }) },
  knownBooks: new KnownBooks(1_000_000),
  lookups: { clientOfLoan: { find: async () => 'c-1' }, bookOfReceipt: { find: async () => 'c/c-1' } },
  calendars,
} as unknown as ReadContext;

/** A Loan that gets a little money on each of many days. */
function bookWithReceipts(): TestClientBook {
  const clientBook = new TestClientBook();
  clientBook.register();
  clientBook.issue('loan-1');
  for (let index = 0; index < receipts; index += 1) {
    const value_date = formatDay(addDays(dayOf('2025-03-01'), index));
    clientBook.submit('reportReceipt', { reference: `r-${index}`, client_id: 'c-1', amount: money(1), value_date });
  }
  return clientBook;
}

function order(): number {
  return loanOrder(book, loanId) as number;
}

test('a Loan on a day reads as the route answers it', async () => {
  const read = await readLoanOnDay(context, loan, last, 10_000);
  const bookDay = bookOnDay(book.folded, last, calendars);
  const explained = { bookDay, clientId: 'c-1', tenantId: 'acme', calendars };
  expect(read).toMatchObject({ explanation: loanExplanation(explained, order()), delinquency: { loan_id: loanId } });
});

test('what a page cannot pay of a Loan is left out: first the allocation of Receipts, then the day', async () => {
  const some = await readLoanOnDay(context, loan, last, 60);
  if (typeof some === 'string') throw new Error(some);
  const { receipts: shown, earlier_receipts: earlier } = some.explanation;
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(receipts);
  expect(shown.length + earlier.count).toBe(receipts);
  expect(earlier.settled.minor_units).toBe(earlier.count);
  expect(await readLoanOnDay(context, loan, dayOf('2025-03-10'), 1)).toBe('too_costly');
});

test('a moment of the past is computed where a page can pay it', async () => {
  const knownAt = String(book.folded.log.entryAt(10).at);
  expect(await readLoanOnDay(context, { ...loan, knownAt }, last, 10)).toBe('too_costly');
  const read = await readLoanOnDay(context, { ...loan, knownAt }, last, 10_000);
  if (typeof read === 'string') throw new Error(read);
  expect(read.explanation.paid.minor_units).toBe(10);
  const beforeAll = '2000-01-01T00:00:00.000000Z';
  expect(await readLoanOnDay(context, { ...loan, knownAt: beforeAll }, last, 10_000)).toBe('not_found');
});

test('a statement that costs too much begins later, and is that of the days it has', async () => {
  const range = { from: dayOf('2025-03-01'), to: last };
  const whole = await readLoanStatementWithin(context, loan, range, 10_000);
  expect(whole).toEqual(runToEnd(loanStatement(book.folded, order(), range, calendars)));
  const some = await readLoanStatementWithin(context, loan, range, 25);
  if (typeof some === 'string') throw new Error(some);
  const from = dayOf(some.from);
  expect(from).toBeGreaterThan(range.from);
  expect(from).toBeLessThan(range.to);
  expect(some).toEqual(runToEnd(loanStatement(book.folded, order(), { ...range, from }, calendars)));
  const ofReceipts = { ...range, to: dayOf('2025-03-20') };
  expect(await readLoanStatementWithin(context, loan, ofReceipts, 0)).toBe('too_costly');
});

test('a Receipt is read without its allocation where that costs too much', async () => {
  const name = { tenantId: 'acme', reference: 'r-12' };
  expect(await readReceiptWithin(context, name, 100)).toMatchObject({ settled: money(1) });
  expect(Object.keys((await readReceiptWithin(context, name, 1)) ?? {})).toEqual(['receipt']);
});

test('comparing more versions costs more', async () => {
  const length = book.folded.length;
  const costFrom = (fromFacts: number) =>
    versionsCost(context, { tenantId: 'acme', clientId: 'c-1', fromFacts, toFacts: length }, last);
  const costs = await Promise.all([length - 1, length - 20, 0].map(costFrom));
  expect(costs).toEqual(costs.toSorted((one, other) => one - other));
  expect(new Set(costs).size).toBe(3);
});
