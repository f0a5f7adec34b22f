import { expect, test } from '@jest/globals';
import { baselineOf, contract } from '#libs/api/contract-versions.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { LoanPageReader } from '#libs/database/read-loans.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { configurationValues, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { Cursors } from './cursors.ts';
import { FairScheduler } from './fair-scheduler.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';
import { rehearsalReads } from './rehearsals.ts';

const values = { ...minimalValues.instalment, rate_min: '0', rate_max: '60', terms: [12] };
const withHigherFee = { ...values, origination_fee: money(10_000) };

interface TestLender {
  readonly clients: number;
  readonly receiptsPerClient: number;
  /** By Client id. */
  readonly replayErrors?: ReadonlyMap<string, unknown>;
}

/** A Tenancy whose Clients all have the same book: one Loan of the product and some Receipts. */
function contextOf({ clients, receiptsPerClient, replayErrors = new Map() }: TestLender): ReadContext {
  const { book } = bookWithReceipts(receiptsPerClient);
  const loanId = book.folded.loans[0]?.issuance.loanId;
  const pageRow = (before: number, limit: number) => {
    const loans = Array.from({ length: clients }, (_, index) => {
      const number = clients - index;
      return [number, loanId, `c-${number}`, 'active', [book.sequence, 1]] as const;
    });
    const page = loans.filter(([number]) => number < before).slice(0, limit);
    return { loans: page, examined: page.length, examined_to: null };
  };
  const recordedLoans = [...replayErrors.keys()].map((client_id) => ({
    loan_id: loanId,
    client_id,
    reference: 'loan-1',
    configuration_id: 'ins-000001',
    configuration_version: 1,
    merchant_ref: null,
    issuance: null,
  }));
  const rowsOf = (statement: string, parameters: readonly unknown[]): readonly unknown[] => {
    switch (statement) {
      case 'configuration_now':
        return [{ configuration_id: 'ins-000001', version: 1, answer: '{"archetype":"instalment"}' }];
      case 'recorded_loans':
        return recordedLoans;
      default:
        return [pageRow(parameters[1] as number, parameters[3] as number)];
    }
  };
  const query = async (statement: { name: string; values: unknown[] }) => ({
    rows: rowsOf(statement.name, statement.values),
  });
  const databases = PartitionDatabases.of({
    connect: async () => ({ query, release: () => undefined }),
  } as unknown as Database);
  return {
    databases,
    loanPages: new LoanPageReader(databases),
    books: {
      async *loadAtPositions(keys: readonly { bookId: string }[]) {
        const loaded = keys.map(({ bookId }) => {
          const clientId = bookId.slice('c/'.length);
          return { book: { ...book, clientId }, replayError: replayErrors.get(clientId) };
        });
        // In portions, as a large page is loaded.
        for (let first = 0; first < loaded.length; first += 40) yield loaded.slice(first, first + 40);
      },
    },
    cursors: new Cursors(() => [Buffer.alloc(32, 7)]),
    markets: MARKETS,
    calendars: calendarsOf(),
    contract,
  } as unknown as ReadContext;
}

function bookWithReceipts(receipts: number): TestClientBook {
  const clientBook = new TestClientBook();
  clientBook.register();
  const terms = { ...configurationValues, terms: [12] } as JsonObject;
  clientBook.issue('loan-1', { configuration_id: 'ins-000001' }, terms);
  const firstDay = dayOf('2025-02-01');
  for (let index = 0; index < receipts; index += 1) {
    const value_date = formatDay(addDays(firstDay, Math.floor(index / 4)));
    const receipt = { reference: `r-${index}`, client_id: 'c-1', amount: money(100), value_date };
    clientBook.submit('reportReceipt', receipt);
  }
  return clientBook;
}

interface RehearsalPage {
  readonly examined: number;
  readonly cursor?: string;
  readonly loans: readonly { readonly client_id: string }[];
}

async function rehearse(
  context: ReadContext,
  body: { readonly limit?: number; readonly cursor?: string },
  maxCost?: number,
): Promise<RehearsalPage> {
  const request = {
    tenancy: { id: 'acme', jurisdiction: 'MX' },
    timing: new RequestTiming(),
    // Never late, however busy the machine is.
    admittedAt: Number.POSITIVE_INFINITY,
    disconnectSignal: () => new AbortController().signal,
    version: baselineOf(contract),
    params: { configuration_id: 'ins-000001' },
    query: {},
    body: { values: withHigherFee, on: '2025-06-01', ...body },
  } as unknown as RouteRequest<'rehearse'>;
  const result = await rehearsalReads(context, new FairScheduler(), maxCost).rehearse?.(request);
  return (result as { readonly body: RehearsalPage }).body;
}

test('other work of the event loop runs while books are rehearsed', async () => {
  const context = contextOf({ clients: 40, receiptsPerClient: 200 });
  let turns = 0;
  const takeTurn = (): void => {
    turns += 1;
    next = setImmediate(takeTurn);
  };
  let next = setImmediate(takeTurn);
  const { examined, loans } = await rehearse(context, {}).finally(() => clearImmediate(next));
  expect([examined, loans.length]).toEqual([40, 40]);
  expect(turns).toBeGreaterThan(2);
});

test('a page ends at the cost limit, and the next page continues after it', async () => {
  const context = contextOf({ clients: 150, receiptsPerClient: 500 });
  const clientIds: string[] = [];
  const examined: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await rehearse(context, { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    clientIds.push(...page.loans.map(({ client_id }) => client_id));
    examined.push(page.examined);
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(clientIds).toEqual(Array.from({ length: 150 }, (_, index) => `c-${150 - index}`));
  expect(examined[0]).toBeLessThan(150);
  expect(examined.reduce((sum, count) => sum + count, 0)).toBe(150);
});

test('a Loan whose book cannot be derived is listed without changes, and its book is logged once', async () => {
  const error = new Error('fact 3 is missing');
  const logged: unknown[] = [];
  const logger = { error: (fields: object) => void logged.push(fields) };
  const context = contextOf({ clients: 3, receiptsPerClient: 1, replayErrors: new Map([['c-2', error]]) });
  const { examined, loans } = await rehearse({ ...context, logger }, {});
  expect(examined).toBe(3);
  expect(loans).toMatchObject([
    { client_id: 'c-3', changes: expect.arrayContaining([expect.anything()]) },
    { client_id: 'c-2', reference: 'loan-1', changes: [], anomalies: [{ kind: 'book_not_derivable', facts: [] }] },
    { client_id: 'c-1' },
  ]);
  expect(logged).toEqual([{ event: 'query.book_underivable', err: error, tenant_id: 'acme', book_ids: ['c/c-2'] }]);
});

test('Loans of a Client whose book alone is beyond the cost limit are listed without changes', async () => {
  const context = contextOf({ clients: 3, receiptsPerClient: 50 });
  const { examined, loans, cursor } = await rehearse(context, {}, 30);
  expect([examined, cursor]).toEqual([3, undefined]);
  const row = { reference: 'loan-1', changes: [], anomalies: [{ kind: 'book_too_large', facts: [] }] };
  expect(loans).toMatchObject(['c-3', 'c-2', 'c-1'].map((client_id) => ({ client_id, ...row })));
});
