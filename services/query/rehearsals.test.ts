import { expect, test } from '@jest/globals';
import { baselineOf, contract } from '#libs/api/versions.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { Timing } from '#libs/http/timing.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { Desk, money, VALUES } from '#libs/ledger/client/testing/desk.ts';
import { leastValues } from '#libs/product/given.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { Cursors } from './cursors.ts';
import { Aside } from './fair-scheduler.ts';
import type { ReadContext, RequestTo } from './reads.ts';
import { rehearsalReads } from './rehearsals.ts';

const values = { ...leastValues.instalment, rate_min: '0', rate_max: '60', terms: [12] };
const dearer = { ...values, origination_fee: money(10_000) };

/** So many Clients, each with one Loan of the product and so many Receipts, as the stores would tell of them. */
function lender(clients: number, receipts: number, unsound: ReadonlyMap<string, unknown> = new Map()): ReadContext {
  const desk = new Desk();
  desk.register();
  desk.issue('loan-1', { configuration_id: 'ins-000001' }, { ...VALUES, terms: [12] } as JsonObject);
  const begun = dayOf('2025-02-01');
  for (let nth = 0; nth < receipts; nth += 1) {
    const value_date = formatDay(addDays(begun, Math.floor(nth / 4)));
    desk.ask('reportReceipt', { reference: `r-${nth}`, client_id: 'c-1', amount: money(100), value_date });
  }
  const { book } = desk;
  const loanId = book.folded.loans[0]?.issuance.loanId;
  const walk = (before: number, limit: number) => {
    const loans = Array.from({ length: clients }, (_, nth) => [
      clients - nth,
      loanId,
      `c-${clients - nth}`,
      'active',
      [book.sequence, 1],
    ]);
    const found = loans.filter(([number]) => (number as number) < before).slice(0, limit);
    return [{ loans: found, walked: found.length, walked_to: null }];
  };
  const recorded = [...unsound.keys()].map((client_id) => ({
    loan_id: loanId,
    client_id,
    reference: 'loan-1',
    configuration_id: 'ins-000001',
    configuration_version: 1,
    merchant_ref: null,
    issuance: null,
  }));
  const rowsOf = (name: string, asked: unknown[]): readonly unknown[] => {
    switch (name) {
      case 'configuration_now':
        return [{ configuration_id: 'ins-000001', version: 1, answer: '{"archetype":"instalment"}' }];
      case 'recorded_loans':
        return recorded;
      default:
        return walk(asked[1] as number, asked[3] as number);
    }
  };
  const query = async ({ name, values: asked }: { name: string; values: unknown[] }) => ({ rows: rowsOf(name, asked) });
  return {
    database: { connect: async () => ({ query, release: () => undefined }) },
    books: {
      atLeast: async (names: readonly { bookId: string }[]) =>
        names.map(({ bookId }) => ({
          book: { ...book, clientId: bookId.slice(2) },
          unsound: unsound.get(bookId.slice(2)),
        })),
    },
    cursors: new Cursors(Buffer.alloc(32, 7)),
    markets: MARKETS,
    calendars: calendarsOf(),
    contract,
  } as unknown as ReadContext;
}

type Page = { readonly examined: number; readonly cursor?: string; readonly loans: readonly { client_id: string }[] };

async function rehearsed(
  reads: ReadContext,
  body: { readonly limit?: number; readonly cursor?: string },
): Promise<Page> {
  const asked = {
    tenancy: { id: 'acme', jurisdiction: 'MX' },
    timing: new Timing(),
    admittedAt: Date.now(),
    gone: () => new AbortController().signal,
    version: baselineOf(contract),
    params: { configuration_id: 'ins-000001' },
    query: {},
    body: { values: dearer, on: '2025-06-01', ...body },
  } as unknown as RequestTo<'rehearse'>;
  const outcome = await rehearsalReads(reads, new Aside()).rehearse?.(asked);
  return (outcome as { readonly body: Page }).body;
}

test('others are answered while books are rehearsed', async () => {
  const reads = lender(40, 200);
  let others = 0;
  const another = (): void => {
    others += 1;
    next = setImmediate(another);
  };
  let next = setImmediate(another);
  const { examined, loans } = await rehearsed(reads, {}).finally(() => clearImmediate(next));
  expect([examined, loans.length]).toEqual([40, 40]);
  expect(others).toBeGreaterThan(2);
});

test('a page ends where it would cost too much, and the next goes on from there', async () => {
  const reads = lender(150, 500);
  const seen: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await rehearsed(reads, { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.loans.map(({ client_id }) => client_id));
    pages.push(page.examined);
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: 150 }, (_, nth) => `c-${150 - nth}`));
  expect(pages[0]).toBeLessThan(150);
  expect(pages.reduce((sum, examined) => sum + examined, 0)).toBe(150);
});

test('a Client whose book cannot be stood up is listed without changes, and told of once in the log', async () => {
  const fault = new Error('its third fact is missing');
  const said: unknown[] = [];
  const say = { error: (fields: object) => void said.push(fields) };
  const { examined, loans } = await rehearsed({ ...lender(3, 1, new Map([['c-2', fault]])), say }, {});
  expect(examined).toBe(3);
  expect(loans).toMatchObject([
    { client_id: 'c-3', changes: expect.arrayContaining([expect.anything()]) },
    { client_id: 'c-2', reference: 'loan-1', changes: [], anomalies: [{ kind: 'book_not_derivable', facts: [] }] },
    { client_id: 'c-1' },
  ]);
  expect(said).toEqual([{ err: fault, tenant_id: 'acme', book_ids: ['c/c-2'] }]);
});
