import { expect, test } from '@jest/globals';
import { RequestTiming } from '#libs/http/timing.ts';
import { findStateAfter } from '#libs/ledger/checkpoints.ts';
import { money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';
import { clientReads } from './clients.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { loanReads } from './loans.ts';
import type { ReadContext } from './read-context.ts';

const receipts = 400;
const loans = 200;
const clientBook = new TestClientBook();
clientBook.register();
clientBook.issue('loan-1');
const loanId = String(clientBook.book.folded.loans[0]?.issuance.loanId);
for (let index = 0; index < receipts; index += 1) {
  const receipt = { reference: `r-${index}`, client_id: 'c-1', amount: money(1), value_date: '2025-03-01' };
  clientBook.submit('reportReceipt', { ...receipt, payoff_intent: true, designated_loan_id: loanId });
}
for (let index = 2; index <= loans; index += 1) clientBook.issue(`loan-${index}`);

const context = {
  books: { loadLatest: async () => ({ book: clientBook.book }) },
  lookups: { clientOfLoan: { find: async () => 'c-1' } },
  markets: MARKETS,
  calendars: calendarsOf(),
} as unknown as ReadContext;
const request = {
  tenancy: { id: 'acme', jurisdiction: 'MX' },
  params: { client_id: 'c-1', loan_id: loanId },
  query: { on: '2025-06-01', from: '2025-01-01', to: '2025-12-31' },
  timing: new RequestTiming(),
  admittedAt: Date.now(),
  disconnectSignal: () => new AbortController().signal,
} as never;

test('other work of the event loop runs while a long Client book is derived', async () => {
  let turns = 0;
  const takeTurn = (): void => {
    turns += 1;
    next = setImmediate(takeTurn);
  };
  let next = setImmediate(takeTurn);
  const schedulers = { wholeBooks: new FairScheduler(), statements: new FairScheduler() };
  const result = await clientReads(context, schedulers).readClientBook?.(request);
  clearImmediate(next);
  expect(result).toMatchObject({ status: 200, body: { client_id: 'c-1' } });
  expect(turns).toBeGreaterThan(2);
});

/** Counts the parts of the tasks it runs. */
class CountingScheduler extends FairScheduler {
  parts = 0;

  override async runSoon<T>(_request: unknown, work: Iterator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      this.parts += 1;
    }
  }
}

test('a statement of many Loans has a part for each of them, and one for each step', async () => {
  const statements = new CountingScheduler();
  const reads = clientReads(context, { wholeBooks: new FairScheduler(), statements });
  expect(await reads.readStatement?.(request)).toMatchObject({ status: 200 });
  expect(statements.parts).toBeGreaterThanOrEqual(loans + receipts);
});

test('a statement of a Loan with many Receipts has a part for each of them', async () => {
  const statements = new CountingScheduler();
  expect(await loanReads(context, statements).readLoanStatement?.(request)).toMatchObject({ status: 200 });
  expect(statements.parts).toBeGreaterThanOrEqual(receipts);
});

test('the state before a statement is found in parts, however far the last checkpoint is', () => {
  const { folded } = clientBook.book;
  const { steps, head } = folded;
  const parts = [...findStateAfter({ ...folded, steps, head, checkpoints: [] }, receipts, context.calendars)];
  expect(parts).toHaveLength(receipts);
});
