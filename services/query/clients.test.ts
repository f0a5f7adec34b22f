import { expect, test } from '@jest/globals';
import { Timing } from '#libs/http/timing.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { Desk, money } from '#libs/ledger/client/testing/desk.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { clientReads } from './clients.ts';
import { Aside } from './fair-scheduler.ts';
import type { ReadContext, RequestTo } from './reads.ts';

test('others are answered while a long book is', async () => {
  const desk = new Desk();
  desk.register();
  desk.issue('loan-1');
  const designated_loan_id = String(desk.book.folded.loans[0]?.issuance.loanId);
  for (let nth = 0; nth < 400; nth += 1) {
    const paid = { reference: `r-${nth}`, client_id: 'c-1', amount: money(1), value_date: '2025-03-01' };
    desk.ask('reportReceipt', { ...paid, payoff_intent: true, designated_loan_id });
  }
  const reads = {
    books: { newest: async () => ({ book: desk.book }) },
    markets: MARKETS,
    calendars: calendarsOf(),
  } as unknown as ReadContext;
  const asked = {
    tenancy: { id: 'acme', jurisdiction: 'MX' },
    params: { client_id: 'c-1' },
    query: { on: '2025-06-01' },
    timing: new Timing(),
    admittedAt: Date.now(),
    gone: () => new AbortController().signal,
  } as unknown as RequestTo<'readClientBook'>;
  let others = 0;
  const another = (): void => {
    others += 1;
    next = setImmediate(another);
  };
  let next = setImmediate(another);
  const told = await clientReads(reads, new Aside()).readClientBook?.(asked);
  clearImmediate(next);
  expect(told).toMatchObject({ status: 200, body: { client_id: 'c-1' } });
  expect(others).toBeGreaterThan(2);
});
