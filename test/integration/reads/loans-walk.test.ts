/** How the Loans of a page are found, in a database of its own: never past all that was held or voided since. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LoanWalk, walkLoans } from '#libs/database/read-loans.ts';
import type { Watch } from '#libs/database/reading.ts';
import { lookedAt, openStore, type Store } from './store-of-its-own.ts';

/** The oldest thousand were lent; whatever came after them was held, and voided where nobody took it up. */
const loans = 30_000;
const lent = 1_000;
const clients = 100;
const stateOf = `CASE WHEN i <= ${lent} THEN CASE WHEN i % 2 = 0 THEN 'active' ELSE 'closed' END WHEN i % 3 = 0 THEN 'held' ELSE 'voided' END`;

/** Elsewhere every third Loan is of one Client, and only the oldest of a product were sold by the shop. */
const sparse = 100;
const otherStateOf = `CASE WHEN i % 50 = 0 THEN 'held' WHEN i <= ${sparse} THEN 'closed' ELSE 'active' END`;

const tenantId = 'acme';
const otherId = 'other';
const watch: Watch = { measure: async (_part, work) => work() };
let store: Store;
beforeAll(async () => {
  store = await openStore('loans walk');
  await store.owner.query(`
    INSERT INTO books SELECT '${tenantId}', 'c/client-' || i, 0, 2, 1, 1, 1, NULL, false FROM generate_series(0, ${clients} - 1) i;
    INSERT INTO books SELECT '${otherId}', CASE WHEN i = 0 THEN 'c/large' ELSE 'c/client-' || i END, 0, 2, 1, 1, 1, NULL, false
      FROM generate_series(0, ${loans}) i;
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT '${tenantId}', gen_random_uuid(), i, 'client-' || i / 10 % ${clients}, 'loan-' || i, 'ins-000001', 1, 'shop', ${stateOf}
      FROM generate_series(1, ${loans}) i;
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT '${otherId}', gen_random_uuid(), i, CASE WHEN i % 3 = 0 THEN 'large' ELSE 'client-' || i END, 'loan-' || i,
        CASE WHEN i <= ${sparse} OR i % 2 = 1 THEN 'ins-000001' ELSE 'ins-000002' END, 1,
        CASE WHEN i <= ${sparse} OR i % 2 = 0 THEN 'shop' ELSE 'stall-' || i END, ${otherStateOf}
      FROM generate_series(1, ${loans}) i;
    ANALYZE`);
}, 60_000);
afterAll(() => store.close());

const everyFilter: [string, Partial<LoanWalk>][] = [
  ['of the Tenancy', {}],
  ['of a product', { configurationId: 'ins-000001' }],
  ['of a merchant', { merchantRef: 'shop' }],
];

async function page(over: Partial<LoanWalk>) {
  const walk = { tenantId, before: Number.MAX_SAFE_INTEGER, limit: 50, ...over };
  const found: { numbers?: number[]; next?: number | undefined } = {};
  const looked = await lookedAt(store.database, async (explained) => {
    const { loans: shown, next } = await walkLoans(explained, watch, walk);
    Object.assign(found, { numbers: shown.map(({ number }) => number), next });
  });
  return { ...found, looked };
}

test.each(everyFilter)('a page of the Loans %s is full, and looks at no more than it shows', async (_, filter) => {
  const { numbers, next, looked } = await page(filter);
  expect(numbers).toHaveLength(50);
  expect(Math.max(...(numbers ?? []))).toBeLessThanOrEqual(lent);
  expect(next).toBe(numbers?.at(-1));
  expect(looked).toBeLessThan(200);
});

test('the Loans of a Client are found among no more than all of theirs', async () => {
  const { numbers, next, looked } = await page({ clientId: 'client-4' });
  expect(numbers).toHaveLength(lent / clients);
  expect(next).toBeUndefined();
  expect(looked).toBeLessThan(loans / clients + 200);
});

test.each(['active', 'closed', 'held', 'voided'])(
  'under a state, here %s, ten times as many are examined at the most',
  async (state) => {
    for (const [, filter] of everyFilter) {
      const { numbers, looked } = await page({ ...filter, state });
      expect(looked).toBeLessThan(10 * 50 + 200);
      const { rows } = await store.owner.query(
        'SELECT DISTINCT state FROM loans WHERE tenant_id = $1 AND number = ANY ($2)',
        [tenantId, numbers],
      );
      expect(rows).toEqual([{ state }]);
    }
  },
);

test('what goes on after a page under a state is found to the last', async () => {
  const numbers: number[] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const found: Awaited<ReturnType<typeof page>> = await page({ state: 'closed', before });
    numbers.push(...(found.numbers ?? []));
    before = found.next;
  }
  expect(numbers).toEqual(Array.from({ length: lent / 2 }, (_, nth) => lent - 1 - 2 * nth));
});

const several: Partial<LoanWalk> = { clientId: 'large', configurationId: 'ins-000001', merchantRef: 'shop' };
const everyCombination = [0, 1, 2, 3, 4, 5, 6, 7].map((chosen) =>
  Object.fromEntries(Object.entries(several).filter((_, nth) => chosen & (1 << nth))),
) as Partial<LoanWalk>[];

describe.each(everyCombination)('asked with %j', (filter) => {
  const columns = { clientId: 'client_id', configurationId: 'configuration_id', merchantRef: 'merchant_ref' };

  test.each([undefined, 'active', 'closed', 'held', 'voided'])(
    'in the state %s, no page looks at more than ten times its limit, and the last one ends with the last Loan',
    async (state) => {
      const numbers: number[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
        const stated = state === undefined ? {} : { state };
        const found: Awaited<ReturnType<typeof page>> = await page({
          tenantId: otherId,
          ...filter,
          ...stated,
          before,
          limit: 200,
        });
        expect(found.looked).toBeLessThan(10 * 200 + 500);
        numbers.push(...(found.numbers ?? []));
        before = found.next;
      }
      const own = Object.entries(filter).map(
        ([name, value]) => `AND ${columns[name as keyof typeof columns]} = '${value}'`,
      );
      const { rows } = await store.owner.query<{ number: number }>(
        `SELECT number::integer FROM loans WHERE tenant_id = '${otherId}' ${own.join(' ')}
          AND ${state === undefined ? "state NOT IN ('held', 'voided')" : `state = '${state}'`} ORDER BY number DESC`,
      );
      expect(numbers).toEqual(rows.map(({ number }) => number));
    },
    30_000,
  );
});
