/** How Clients are found who can be due on a day, in a database of its own: in their order, and never by the whole book. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dueClients } from '#libs/database/read-dues.ts';
import type { Watch } from '#libs/database/reading.ts';
import { lookedAt, openStore, type Store } from './store-of-its-own.ts';

const clients = 60_000;
/** Two in three fall due together on the pay day, of the rest a few on each of fifty days before; every fifth is paid up. */
const payDay = 1_050;
const dueFrom = `CASE WHEN i % 5 = 0 THEN NULL WHEN i % 3 = 0 THEN 1000 + i % 50 ELSE ${payDay} END`;
/** Ten times everybody was due on a day and paid up to nineteen days later. */
const monthly = 'm * 30 AS from_day, m * 30 + i % 20 AS to_day';

const tenantId = 'acme';
const watch: Watch = { measure: async (_part, work) => work() };
let store: Store;
beforeAll(async () => {
  store = await openStore('dues walk');
  await store.owner.query(`
    INSERT INTO books SELECT '${tenantId}', 'c/client-' || i, i % 12, 1 + i % 7, 1, 1, 1, ${dueFrom}, false
      FROM generate_series(1, ${clients}) i;
    INSERT INTO due_spans SELECT '${tenantId}', 'c/client-' || i, ${monthly}
      FROM generate_series(1, ${clients}) i, generate_series(1, 10) m;
    ANALYZE`);
}, 60_000);
afterAll(() => store.close());

interface Asked {
  readonly on: number;
  readonly after: string;
  readonly most: number;
}

/** Who they are, asked without any way to find them quickly. */
async function plainly({ on, after, most }: Asked) {
  const { rows } = await store.owner.query(
    `SELECT substr(book_id, 3) AS "clientId", sequence::integer, recorded_at::integer AS "recordedAt" FROM books b
      WHERE tenant_id = $1 AND book_id COLLATE "C" > $3 AND (due_from <= $2 OR EXISTS (
        SELECT FROM due_spans s WHERE s.tenant_id = $1 AND s.book_id = b.book_id AND from_day <= $2 AND to_day >= $2))
      ORDER BY book_id COLLATE "C" LIMIT $4`,
    [tenantId, on, `c/${after}`, most],
  );
  return rows;
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
    let found: unknown;
    const looked = await lookedAt(store.database, async (explained) => {
      found = await dueClients(explained, watch, { tenantId, ...asked });
    });
    expect(looked).toBeLessThan(clients / 3);
    expect(found).toEqual(await plainly(asked));
  });
});
