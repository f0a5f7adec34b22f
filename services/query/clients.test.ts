import { expect, test } from '@jest/globals';
import { RequestTiming } from '#libs/http/timing.ts';
import { money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';
import { clientReads } from './clients.ts';
import { FairScheduler } from './fair-scheduler.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

test('other work of the event loop runs while a long Client book is derived', async () => {
  const clientBook = new TestClientBook();
  clientBook.register();
  clientBook.issue('loan-1');
  const designated_loan_id = String(clientBook.book.folded.loans[0]?.issuance.loanId);
  for (let index = 0; index < 400; index += 1) {
    const receipt = { reference: `r-${index}`, client_id: 'c-1', amount: money(1), value_date: '2025-03-01' };
    clientBook.submit('reportReceipt', { ...receipt, payoff_intent: true, designated_loan_id });
  }
  const context = {
    books: { loadLatest: async () => ({ book: clientBook.book }) },
    markets: MARKETS,
    calendars: calendarsOf(),
  } as unknown as ReadContext;
  const request = {
    tenancy: { id: 'acme', jurisdiction: 'MX' },
    params: { client_id: 'c-1' },
    query: { on: '2025-06-01' },
    timing: new RequestTiming(),
    admittedAt: Date.now(),
    disconnectSignal: () => new AbortController().signal,
  } as unknown as RouteRequest<'readClientBook'>;
  let turns = 0;
  const takeTurn = (): void => {
    turns += 1;
    next = setImmediate(takeTurn);
  };
  let next = setImmediate(takeTurn);
  const result = await clientReads(context, new FairScheduler()).readClientBook?.(request);
  clearImmediate(next);
  expect(result).toMatchObject({ status: 200, body: { client_id: 'c-1' } });
  expect(turns).toBeGreaterThan(2);
});
