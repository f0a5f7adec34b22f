/** How Clients are found who can be due on a day, in a database of its own: in their order, and never by the whole book. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '#libs/store/database.ts';
import { migrate } from '#libs/store/migrate.ts';
import { dueClients } from '#libs/store/read-dues.ts';
import type { Watch } from '#libs/store/reading.ts';
import { house } from '../tenant.ts';

const clients = 60_000;
/** Two in three fall due together on the pay day, of the rest a few on each of fifty days before; every fifth is paid up. */
const payDay = 1_050;
const dueFrom = `CASE WHEN i % 5 = 0 THEN NULL WHEN i % 3 = 0 THEN 1000 + i % 50 ELSE ${payDay} END`;
/** Ten times everybody was due on a day and paid up to nineteen days later. */
const monthly = 'm * 30 AS from_day, m * 30 + i % 20 AS to_day';

const tenantId = 'acme';
const watch: Watch = { measure: async (_part, work) => work() };
const scratch = `scratch_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let filled: pg.Client;
let database: Database;
beforeAll(async () => {
  const { databaseUrl, servicesDatabaseUrl } = house().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${scratch}`;
  await migrate(url.href);
  filled = new pg.Client({ connectionString: url.href });
  await filled.connect();
  await filled.query(`
    INSERT INTO books SELECT '${tenantId}', 'c/client-' || i, i % 12, 1 + i % 7, 1, 1, 1, ${dueFrom}, false
      FROM generate_series(1, ${clients}) i;
    INSERT INTO due_spans SELECT '${tenantId}', 'c/client-' || i, ${monthly}
      FROM generate_series(1, ${clients}) i, generate_series(1, 10) m;
    ANALYZE`);
  const services = new URL(servicesDatabaseUrl);
  services.pathname = url.pathname;
  database = openDatabase({ url: services.href, name: 'dues walk', connections: 1 });
}, 60_000);
afterAll(async () => {
  await database.end();
  await filled.end();
  await owner.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
  await owner.end();
});

interface Asked {
  readonly on: number;
  readonly after: string;
  readonly most: number;
}

/** Who they are, asked without any way to find them quickly. */
async function plainly({ on, after, most }: Asked) {
  const { rows } = await filled.query(
    `SELECT substr(book_id, 3) AS "clientId", sequence::integer FROM books b
      WHERE tenant_id = $1 AND book_id COLLATE "C" > $3 AND (due_from <= $2 OR EXISTS (
        SELECT FROM due_spans s WHERE s.tenant_id = $1 AND s.book_id = b.book_id AND from_day <= $2 AND to_day >= $2))
      ORDER BY book_id COLLATE "C" LIMIT $4`,
    [tenantId, on, `c/${after}`, most],
  );
  return rows;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows and entries of an index were looked at. */
function lookedAt(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + lookedAt(each), 0);
  return below + (/Scan using|Index|Seq Scan/.test(plan['Node Type']) ? own * plan['Actual Loops'] : 0);
}

/** The same database, telling what a statement did instead of what it answers. */
function explaining(plans: Plan[]): Database {
  const connect = async () => {
    const client = await database.connect();
    const query = async ({ text, values }: { text: string; values: unknown[] }) => {
      // As after many times: by a plan that knows nothing of the day.
      await client.query('SET plan_cache_mode = force_generic_plan');
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    };
    return { query, release: () => client.release() };
  };
  return { connect } as unknown as Database;
}

const days: [string, number][] = [
  ['nearly everybody is due', payDay],
  ['a few are due', 1_001],
  ['many are due, fewer than not', 1_049],
  ['nobody is due yet', 900],
  ['everybody was due and has paid since', 150],
  ['one in twenty was due and has paid since', 169],
  ['nobody was due', 175],
  ['nobody was a Client yet', 3],
];

describe.each(days)('on a day on which %s', (_, on) => {
  test.each([
    ['the first page', '', 101],
    ['a page of one', '', 3],
    ['a page in the middle', 'client-40', 101],
    ['the last page', 'client-999', 101],
  ])('%s is who comes next, and not the whole book', async (_page, after, most) => {
    const asked = { on, after, most };
    const plans: Plan[] = [];
    await dueClients(explaining(plans), watch, { tenantId, ...asked });
    expect(lookedAt(plans[0] as Plan)).toBeLessThan(clients / 3);
    expect(await dueClients(database, watch, { tenantId, ...asked })).toEqual(await plainly(asked));
  });
});
