/**
 * Removes what a partition left in a database that it was moved from. Nothing reads it any more. After an interruption the same
 * call continues; a partition that comes back first has the rest removed.
 */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import { moveOwner } from '#libs/database/partitions.ts';
import { textArray, uuidArray } from '#libs/database/pg-binary.ts';
import { numberRange } from '#libs/database/placement-view.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';

/** One of the databases of the cell, with the login of the owner of its tables. */
export interface PlacedDatabase {
  readonly database: Database;
  /** Undefined for the home database. */
  readonly name: string | undefined;
  readonly number: number;
}

export interface RemovalOptions {
  readonly partition: number;
  readonly from: PlacedDatabase;
}

const factsPerTransaction = 2_000;

const books = 'SELECT * FROM unnest($1::text[], $2::text[])';
const ofBooks = `(tenant_id, book_id) IN (${books})`;
const ofTenancies = `tenant_id IN (
  SELECT tenant_id FROM unnest($1::text[], $2::text[]) AS b (tenant_id, book_id) WHERE book_id = '${tenancyBookId}')`;

/** This database gives the number of a removed row not again. `$3` and `$4` are the first and last number that it gives. */
const keepNumbers = `
  INSERT INTO removed_numbers AS r (tenant_id, name, number)
    SELECT tenant_id, name, max(number) FROM (
      SELECT tenant_id, 'feed' AS name, feed_number AS number FROM facts WHERE ${ofBooks}
      UNION ALL SELECT tenant_id, listing, number FROM listed_records WHERE ${ofBooks}) AS numbered
      WHERE number BETWEEN $3 AND $4 GROUP BY tenant_id, name
    UNION ALL
    SELECT '', 'revision', max(revision) FROM (
      SELECT revision FROM tenancies WHERE ${ofTenancies} UNION ALL SELECT revision FROM keys WHERE ${ofTenancies}) AS revised
      HAVING max(revision) IS NOT NULL
  ON CONFLICT (tenant_id, name) DO UPDATE SET number = greatest(r.number, excluded.number)`;

const removals = [
  `DELETE FROM feed d USING facts f WHERE (f.tenant_id, f.book_id) IN (${books})
     AND d.tenant_id = f.tenant_id AND d.number = f.feed_number`,
  `DELETE FROM submission_references r USING facts f WHERE (f.tenant_id, f.book_id) IN (${books})
     AND r.tenant_id = f.tenant_id AND r.namespace = f.namespace AND r.reference = f.reference AND r.book_id = f.book_id`,
  ...['snapshots', 'due_spans', 'listed_records'].map((table) => `DELETE FROM ${table} WHERE ${ofBooks}`),
  `DELETE FROM loans WHERE (tenant_id, client_id) IN (
     SELECT tenant_id, substr(book_id, 3) FROM unnest($1::text[], $2::text[]) AS b (tenant_id, book_id) WHERE book_id LIKE 'c/%')`,
  ...['configurations', 'keys', 'tenancies'].map((table) => `DELETE FROM ${table} WHERE ${ofTenancies}`),
];

const removeFacts = `
  WITH removed AS (DELETE FROM facts WHERE ${ofBooks} RETURNING request_id, partition),
  b AS (DELETE FROM books WHERE ${ofBooks})
  DELETE FROM request_evidence e USING (SELECT DISTINCT request_id, partition FROM removed) AS r
    WHERE e.request_id = r.request_id AND e.partition = r.partition RETURNING e.request_id`;

/** `onRemoved` is called with the number of facts after each step. */
export async function removeMoved(
  { partition, from }: RemovalOptions,
  onRemoved: (facts: number) => void = () => undefined,
): Promise<void> {
  const { database } = from;
  await beginRemoval(database, partition);
  let removed = 0;
  for (;;) {
    const count = await removeBooks(from, partition);
    if (count === 0) break;
    removed += count;
    onRemoved(removed);
  }
  await inTransaction(database, async (transaction) => {
    // Parked before their first fact.
    for (const table of ['books', 'parked_submissions', 'parked_log_entries', 'verdicts'])
      await transaction.query(`DELETE FROM ${table} WHERE partition = $1`, [partition]);
    // The home database has a row of each partition of the cell.
    await transaction.query(
      from.name === undefined
        ? 'UPDATE partitions SET owner = NULL WHERE partition = $1'
        : 'DELETE FROM partitions WHERE partition = $1',
      [partition],
    );
  });
}

/** From here on the rows are not complete: a partition that comes back does not continue with them. */
async function beginRemoval(database: Database, partition: number): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query(
      `UPDATE partitions SET next_event = 1, next_offset = 0, log_start = 0, epoch = epoch + 1
       WHERE partition = $1 AND owner = $2`,
      [partition, moveOwner],
    );
  });
}

/** For a database that is not the partition's own. */
export async function mayHaveRows(database: Database, partition: number): Promise<boolean> {
  return (await nextEventOfMoved(database, partition)) !== undefined;
}

/** Also where a move to the database has just begun: then there is nothing to remove. */
export async function isRemovalUnfinished(database: Database, partition: number): Promise<boolean> {
  return (await nextEventOfMoved(database, partition)) === 1;
}

async function nextEventOfMoved(database: Database, partition: number): Promise<number | undefined> {
  const text = 'SELECT next_event FROM partitions WHERE partition = $1 AND owner = $2';
  const [row] = await query<{ next_event: number }>(database, 'moved_partition', text, [partition, moveOwner]);
  return row?.next_event;
}

/** Books that have facts among the first of the partition, whole. Returns how many facts these were. */
async function removeBooks({ database, number }: PlacedDatabase, partition: number): Promise<number> {
  const text = `
    WITH first AS (SELECT DISTINCT tenant_id, book_id FROM (
      SELECT tenant_id, book_id FROM facts WHERE partition = $1 ORDER BY event_number LIMIT ${factsPerTransaction}) AS f),
    sized AS (SELECT tenant_id, book_id, sequence, sum(sequence) OVER (ORDER BY tenant_id, book_id) AS total
      FROM first JOIN books USING (tenant_id, book_id))
    SELECT tenant_id, book_id, sequence FROM sized WHERE total <= ${factsPerTransaction} OR total = sequence`;
  const found = await query<{ tenant_id: string; book_id: string; sequence: number }>(
    database,
    'books_to_remove',
    text,
    [partition],
  );
  if (found.length === 0) return 0;
  const keys = [textArray(found.map((book) => book.tenant_id)), textArray(found.map((book) => book.book_id))];
  const { firstNumber, lastNumber } = numberRange(number);
  await inTransaction(database, async (transaction) => {
    await query(transaction, 'keep_numbers', keepNumbers, [...keys, firstNumber, lastNumber]);
    for (const statement of removals) await transaction.query(statement, keys);
    const requests = await query<{ request_id: string }>(transaction, 'remove_facts', removeFacts, keys);
    await removeBodies(
      transaction,
      requests.map(({ request_id }) => request_id),
    );
  });
  return found.reduce((sum, { sequence }) => sum + sequence, 0);
}

/** A body may belong to other partitions, too. */
async function removeBodies(transaction: Queryable, requestIds: readonly string[]): Promise<void> {
  const ofRequests = 'FROM request_bodies b WHERE request_id = ANY ($1::uuid[])';
  const values = [uuidArray(requestIds)];
  if ((await query(transaction, 'has_bodies', `SELECT ${ofRequests} LIMIT 1`, values)).length === 0) return;
  // A commit that finds the body stored stores no other, and its evidence is not seen here before its end.
  await transaction.query('LOCK TABLE request_bodies IN SHARE ROW EXCLUSIVE MODE');
  const text = `DELETE ${ofRequests}
    AND NOT EXISTS (SELECT FROM request_evidence e WHERE e.request_id = b.request_id)`;
  await query(transaction, 'remove_bodies', text, values);
}
