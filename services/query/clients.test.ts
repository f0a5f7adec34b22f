import { expect, test } from '@jest/globals';
import { RequestTiming } from '#libs/http/timing.ts';
import { money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';
import { clientReads } from './clients.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { loanReads } from './loans.ts';
import type { ReadContext } from './read-context.ts';

const clientBook = new TestClientBook();
clientBook.register();
clientBook.issue('loan-1');
const loanId = String(clientBook.book.folded.loans[0]?.issuance.loanId);
for (let index = 0; index < 400; index += 1) {
  const receipt = { reference: `r-${index}`, client_id: 'c-1', amount: money(1), value_date: '2025-03-01' };
  clientBook.submit('reportReceipt', { ...receipt, payoff_intent: true, designated_loan_id: loanId });
}
for (let index = 2; index <= 200; index += 1) clientBook.issue(`loan-${index}`);

const context = {
  books: { loadLatest: async () => ({ book: clientBook.book }) },
  lookups: { clientOfLoan: { find: async () => 'c-1' } },
  markets: MARKETS,
  calendars: calendarsOf(),
} as unknown as ReadContext;
const scheduler = new FairScheduler();
const handlers = { ...clientReads(context, scheduler), ...loanReads(context, scheduler) };

/** How often other work of the event loop runs until the answer is there. */
async function countTurns(route: 'readClientBook' | 'readStatement' | 'readLoanStatement', query: object) {
  const request = {
    tenancy: { id: 'acme', jurisdiction: 'MX' },
    params: { client_id: 'c-1', loan_id: loanId },
    query,
    timing: new RequestTiming(),
    admittedAt: Date.now(),
    disconnectSignal: () => new AbortController().signal,
  } as never;
  let turns = 0;
  const takeTurn = (): void => {
    turns += 1;
    next = setImmediate(takeTurn);
  };
  let next = setImmediate(takeTurn);
  const result = await handlers[route]?.(request);
  clearImmediate(next);
  expect(result).toMatchObject({ status: 200 });
  return turns;
}

const days = { from: '2025-01-01', to: '2025-12-31' };

test('other work of the event loop runs while a long Client book is derived', async () => {
  expect(await countTurns('readClientBook', { on: '2025-06-01' })).toBeGreaterThan(2);
});

test('other work of the event loop runs while the statement of many Loans is derived', async () => {
  expect(await countTurns('readStatement', days)).toBeGreaterThan(5);
});

test('other work of the event loop runs while the statement of a Loan with many Receipts is derived', async () => {
  expect(await countTurns('readLoanStatement', days)).toBeGreaterThan(2);
});
