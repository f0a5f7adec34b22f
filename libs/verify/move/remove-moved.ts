/** Removes what a partition left in the database that it was moved from. Nothing reads it any more. Safe to repeat. */
import { type Database, inTransaction, query } from '#libs/database/database.ts';
import { textArray, uuidArray } from '#libs/database/pg-binary.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import type { MoveOptions } from './move-partition.ts';

const factsPerTransaction = 2_000;
const requestsPerTransaction = 1_000;

/** `keys` are `$1` and `$2`: the Tenancies and ids of books. */
const ofBooks = '(tenant_id, book_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))';

const statements = [
  `DELETE FROM feed d USING facts f WHERE (f.tenant_id, f.book_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     AND d.tenant_id = f.tenant_id AND d.number = f.feed_number`,
  ...['snapshots', 'due_spans', 'listed_records', 'submission_references'].map(
    (table) => `DELETE FROM ${table} WHERE ${ofBooks}`,
  ),
  `DELETE FROM loans WHERE (tenant_id, 'c/' || client_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
  ...['configurations', 'keys', 'tenancies'].map(
    (table) => `DELETE FROM ${table} WHERE tenant_id IN (
      SELECT tenant_id FROM unnest($1::text[], $2::text[]) AS b (tenant_id, book_id) WHERE book_id = '${tenancyBookId}')`,
  ),
  `DELETE FROM facts WHERE ${ofBooks}`,
  `DELETE FROM books WHERE ${ofBooks}`,
];

/** `onRemoved` is called with the number of facts after each step. */
export async function removeMoved(
  { partition, from }: Pick<MoveOptions, 'partition' | 'from'>,
  onRemoved: (facts: number) => void = () => undefined,
): Promise<void> {
  const { database } = from;
  let removed = 0;
  for (;;) {
    const count = await removeBooks(database, partition);
    if (count === 0) break;
    removed += count;
    onRemoved(removed);
  }
  while ((await removeEvidence(database, partition)) > 0);
  await inTransaction(database, async (transaction) => {
    for (const table of ['parked_submissions', 'parked_log_entries', 'verdicts'])
      await transaction.query(`DELETE FROM ${table} WHERE partition = $1`, [partition]);
    // The home database has a row of each partition of the cell.
    await transaction.query(
      from.name === undefined
        ? 'UPDATE partitions SET next_event = 1, next_offset = 0, log_start = 0, owner = NULL WHERE partition = $1'
        : 'DELETE FROM partitions WHERE partition = $1',
      [partition],
    );
  });
}

/** Whether something of the partition is left in a database that is not its own. */
export async function hasLeft(database: Database, partition: number): Promise<boolean> {
  const text = 'SELECT FROM facts WHERE partition = $1 LIMIT 1';
  return (await query(database, 'has_left', text, [partition])).length > 0;
}

/** Books that have facts among the first of the partition, whole. Returns how many facts these were. */
async function removeBooks(database: Database, partition: number): Promise<number> {
  const text = `SELECT tenant_id, book_id, count(*)::int AS facts FROM (
      SELECT tenant_id, book_id FROM facts WHERE partition = $1 ORDER BY event_number LIMIT ${factsPerTransaction}) AS first
    GROUP BY tenant_id, book_id`;
  const books = await query<{ tenant_id: string; book_id: string; facts: number }>(database, 'books_to_remove', text, [
    partition,
  ]);
  if (books.length === 0) return 0;
  const values = [textArray(books.map((book) => book.tenant_id)), textArray(books.map((book) => book.book_id))];
  await inTransaction(database, async (transaction) => {
    for (const statement of statements) await transaction.query(statement, values);
  });
  return books.reduce((sum, { facts }) => sum + facts, 0);
}

/** A body may belong to other partitions, too. */
async function removeEvidence(database: Database, partition: number): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const removed = await query<{ request_id: string }>(
      transaction,
      'remove_evidence',
      `DELETE FROM request_evidence WHERE (request_id, partition) IN (
         SELECT request_id, partition FROM request_evidence WHERE partition = $1 LIMIT ${requestsPerTransaction})
       RETURNING request_id`,
      [partition],
    );
    const text = `DELETE FROM request_bodies b WHERE request_id = ANY ($1::uuid[])
      AND NOT EXISTS (SELECT FROM request_evidence e WHERE e.request_id = b.request_id)`;
    await query(transaction, 'remove_bodies', text, [uuidArray(removed.map((row) => row.request_id))]);
    return removed.length;
  });
}
