/** The query for a page of Loans: it does not scan the Loans that were held or voided since. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StageTimer } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type LoanPageQuery, LoanPageReader } from '#libs/database/read-loans.ts';
import { countRowsExamined, createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

/** The oldest thousand are active or closed; all later ones are held or voided. */
const loans = 30_000;
const openedCount = 1_000;
const clients = 100;
const stateOf = `CASE WHEN i <= ${openedCount} THEN CASE WHEN i % 2 = 0 THEN 'active' ELSE 'closed' END WHEN i % 3 = 0 THEN 'held' ELSE 'voided' END`;

/** In another Tenancy every third Loan is of one Client, and only the oldest Loans of a product have the merchant. */
const merchantCount = 100;
const otherStateOf = `CASE WHEN i % 50 = 0 THEN 'held' WHEN i <= ${merchantCount} THEN 'closed' ELSE 'active' END`;

const tenantId = 'acme';
const otherId = 'other';
const timer: StageTimer = { measure: async (_part, work) => work() };
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('loans walk');
  await scratch.owner.query(`
    INSERT INTO books SELECT '${tenantId}', 'c/client-' || i, 0, 2, 1, 1, 1, NULL, false, 1 FROM generate_series(0, ${clients} - 1) i;
    INSERT INTO books SELECT '${otherId}', CASE WHEN i = 0 THEN 'c/large' ELSE 'c/client-' || i END, 0, 2, 1, 1, 1, NULL, false, 1
      FROM generate_series(0, ${loans}) i;
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT '${tenantId}', gen_random_uuid(), i, 'client-' || i / 10 % ${clients}, 'loan-' || i, 'ins-000001', 1, 'shop', ${stateOf}
      FROM generate_series(1, ${loans}) i;
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT '${otherId}', gen_random_uuid(), i, CASE WHEN i % 3 = 0 THEN 'large' ELSE 'client-' || i END, 'loan-' || i,
        CASE WHEN i <= ${merchantCount} OR i % 2 = 1 THEN 'ins-000001' ELSE 'ins-000002' END, 1,
        CASE WHEN i <= ${merchantCount} OR i % 2 = 0 THEN 'shop' ELSE 'stall-' || i END, ${otherStateOf}
      FROM generate_series(1, ${loans}) i;
    ANALYZE`);
});
afterAll(() => scratch.drop());

const singleFilters: [string, Partial<LoanPageQuery>][] = [
  ['of the Tenancy', {}],
  ['of a product', { configurationId: 'ins-000001' }],
  ['of a merchant', { merchantRef: 'shop' }],
];

async function page(over: Partial<LoanPageQuery>) {
  const walk = { tenantId, from: [], limit: 50, ...over };
  const found: { numbers?: number[]; next?: number | undefined } = {};
  const rowsExamined = await countRowsExamined(scratch.database, async (explained) => {
    const { loans: shown, next } = await new LoanPageReader(PartitionDatabases.of(explained)).read(timer, walk);
    Object.assign(found, { numbers: shown.map(({ number }) => number), next: next?.[0] });
  });
  return { ...found, rowsExamined };
}

test.each(singleFilters)('a page of the Loans %s is full and reads fewer than 200 rows', async (_, filter) => {
  const { numbers, next, rowsExamined } = await page(filter);
  expect(numbers).toHaveLength(50);
  expect(Math.max(...(numbers ?? []))).toBeLessThanOrEqual(openedCount);
  expect(next).toBe(numbers?.at(-1));
  expect(rowsExamined).toBeLessThan(200);
});

test('the Loans of a Client are found by reading only its own Loans', async () => {
  const { numbers, next, rowsExamined } = await page({ clientId: 'client-4' });
  expect(numbers).toHaveLength(openedCount / clients);
  expect(next).toBeUndefined();
  expect(rowsExamined).toBeLessThan(loans / clients + 200);
});

test.each(['active', 'closed', 'held', 'voided'])(
  'filtered by the state %s, at most ten times the limit is examined',
  async (state) => {
    for (const [, filter] of singleFilters) {
      const { numbers, rowsExamined } = await page({ ...filter, state });
      expect(rowsExamined).toBeLessThan(10 * 50 + 200);
      const { rows } = await scratch.owner.query(
        'SELECT DISTINCT state FROM loans WHERE tenant_id = $1 AND number = ANY ($2)',
        [tenantId, numbers],
      );
      expect(rows).toEqual([{ state }]);
    }
  },
);

test('pages filtered by state reach the last Loan', async () => {
  const numbers: number[] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const found: Awaited<ReturnType<typeof page>> = await page({ state: 'closed', from: [before] });
    numbers.push(...(found.numbers ?? []));
    before = found.next;
  }
  expect(numbers).toEqual(Array.from({ length: openedCount / 2 }, (_, index) => openedCount - 1 - 2 * index));
});

const allFilters: Partial<LoanPageQuery> = { clientId: 'large', configurationId: 'ins-000001', merchantRef: 'shop' };
const filterCombinations = [0, 1, 2, 3, 4, 5, 6, 7].map((chosen) =>
  Object.fromEntries(Object.entries(allFilters).filter((_, index) => chosen & (1 << index))),
) as Partial<LoanPageQuery>[];

describe.each(filterCombinations)('filtered by %j', (filter) => {
  const columns = { clientId: 'client_id', configurationId: 'configuration_id', merchantRef: 'merchant_ref' };

  test.each([undefined, 'active', 'closed', 'held', 'voided'])(
    'in the state %s, no page examines more than ten times its limit, and the pages have all Loans',
    async (state) => {
      const numbers: number[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
        const stated = state === undefined ? {} : { state };
        const found: Awaited<ReturnType<typeof page>> = await page({
          tenantId: otherId,
          ...filter,
          ...stated,
          from: [before],
          limit: 200,
        });
        expect(found.rowsExamined).toBeLessThan(10 * 200 + 500);
        numbers.push(...(found.numbers ?? []));
        before = found.next;
      }
      const conditions = Object.entries(filter).map(
        ([name, value]) => `AND ${columns[name as keyof typeof columns]} = '${value}'`,
      );
      const { rows } = await scratch.owner.query<{ number: number }>(
        `SELECT number::integer FROM loans WHERE tenant_id = '${otherId}' ${conditions.join(' ')}
          AND ${state === undefined ? "state NOT IN ('held', 'voided')" : `state = '${state}'`} ORDER BY number DESC`,
      );
      expect(numbers).toEqual(rows.map(({ number }) => number));
    },
  );
});
