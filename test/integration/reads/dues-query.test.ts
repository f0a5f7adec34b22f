/** The query for Clients with something due on a day: in order, without scanning all books. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StageTimer } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { findDueClients } from '#libs/database/read-dues.ts';
import { countRowsExamined, createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const clients = 60_000;
/** Two in three are due on the pay day, the rest on one of fifty earlier days; every fifth owes nothing. */
const payDay = 1_050;
const dueFrom = `CASE WHEN i % 5 = 0 THEN NULL WHEN i % 3 = 0 THEN 1000 + i % 50 ELSE ${payDay} END`;
/** Ten times, all were due on one day and paid up to nineteen days later. */
const monthly = 'm * 30 AS from_day, m * 30 + i % 20 AS to_day';

const tenantId = 'acme';
const timer: StageTimer = { measure: async (_part, work) => work() };
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('dues walk');
  await scratch.owner.query(`
    INSERT INTO books SELECT '${tenantId}', 'c/client-' || i, i % 12, 1 + i % 7, 1, 1, 1, ${dueFrom}, false, CASE WHEN i % 3 > 0 THEN 100 + i END
      FROM generate_series(1, ${clients}) i;
    INSERT INTO due_spans SELECT '${tenantId}', 'c/client-' || i, ${monthly}
      FROM generate_series(1, ${clients}) i, generate_series(1, 10) m;
    ANALYZE`);
});
afterAll(() => scratch.drop());

interface PageRequest {
  readonly on: number;
  readonly after: string;
  readonly limit: number;
}

/** The same Clients by a query that uses no index. */
async function expectedClients({ on, after, limit }: PageRequest) {
  const { rows } = await scratch.owner.query(
    `SELECT substr(book_id, 3) AS "clientId", sequence::integer, recorded_at::integer AS "recordedAt", fact_bytes::integer AS "factBytes"
      FROM books b
      WHERE tenant_id = $1 AND book_id COLLATE "C" > $3 AND (due_from <= $2 OR EXISTS (
        SELECT FROM due_spans s WHERE s.tenant_id = $1 AND s.book_id = b.book_id AND from_day <= $2 AND to_day >= $2))
      ORDER BY book_id COLLATE "C" LIMIT $4`,
    [tenantId, on, `c/${after}`, limit],
  );
  return rows;
}

const days: [string, number][] = [
  ['nearly all are due', payDay],
  ['a few are due', 1_001],
  ['many are due, fewer than not', 1_049],
  ['none is due yet', 900],
  ['all were due and have paid since', 150],
  ['one in twenty was due and has paid since', 169],
  ['none was due', 175],
  ['there were no Clients yet', 3],
];

describe.each(days)('on a day on which %s', (_, on) => {
  test.each([
    ['the first page', '', 101],
    ['a page of one', '', 3],
    ['a page in the middle', 'client-40', 101],
    ['the last page', 'client-999', 101],
  ])('%s has the next Clients and reads fewer than a third of the books', async (_page, after, limit) => {
    const request = { on, after, limit };
    let found: unknown;
    const rowsExamined = await countRowsExamined(scratch.database, async (explained) => {
      found = await findDueClients(PartitionDatabases.of(explained), timer, { tenantId, on, after, limit });
    });
    expect(rowsExamined).toBeLessThan(clients / 3);
    expect(found).toEqual(await expectedClients(request));
  });
});
