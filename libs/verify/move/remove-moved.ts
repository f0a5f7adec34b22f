/**
 * Removes what a partition left in a database that it was moved from. Nothing reads it any more. After an interruption the next
 * call continues; a partition that comes back first has the rest removed.
 */
import { type Database, inTransaction, isLockConflict, type Queryable, query } from '#libs/database/database.ts';
import { areTablesDivided, emptyPartitionTables, tablesOf } from '#libs/database/divide-tables.ts';
import { moveOwner } from '#libs/database/partitions.ts';
import { textArray, uuidArray } from '#libs/database/pg-binary.ts';
import { numberRange } from '#libs/database/placement-view.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { retry } from '#libs/runtime/retry.ts';

/** One of the databases of the cell, with the login of the owner of its tables. */
export interface PlacedDatabase {
  readonly database: Database;
  /** Undefined for the home database. */
  readonly name: string | undefined;
  readonly number: number;
}

/** Rows of a partition in a database that it left. */
export interface LeftRows {
  readonly partition: number;
  readonly from: PlacedDatabase;
  /** A partition that comes back has another one, and so has a later removal. */
  readonly epoch: number;
  /** Also where a move to the database has just begun: then there is nothing to remove. */
  readonly isRemovalUnfinished: boolean;
}

const factsPerTransaction = 2_000;

const books = 'SELECT * FROM unnest($1::text[], $2::text[])';
const ofBooks = `(tenant_id, book_id) IN (${books})`;
const ofTenancies = `tenant_id IN (
  SELECT tenant_id FROM unnest($1::text[], $2::text[]) AS b (tenant_id, book_id) WHERE book_id = '${tenancyBookId}')`;

/** Their partition is stated: divided tables are read where the facts are. */
const factsOfBooks = (partition: number, alias = 'facts'): string =>
  `${alias}.partition = ${partition} AND (${alias}.tenant_id, ${alias}.book_id) IN (${books})`;

/** This database gives the number of a removed row not again. `$3` and `$4` are the first and last number that it gives. */
const keepNumbers = (partition: number): string => `
  INSERT INTO removed_numbers AS r (tenant_id, name, number)
    SELECT tenant_id, name, max(number) FROM (
      SELECT tenant_id, 'feed' AS name, feed_number AS number FROM facts WHERE ${factsOfBooks(partition)}
      UNION ALL SELECT tenant_id, listing, number FROM listed_records WHERE ${ofBooks}) AS numbered
      WHERE number BETWEEN $3 AND $4 GROUP BY tenant_id, name
    UNION ALL
    SELECT '', 'revision', max(revision) FROM (
      SELECT revision FROM tenancies WHERE ${ofTenancies} UNION ALL SELECT revision FROM keys WHERE ${ofTenancies}) AS revised
      HAVING max(revision) IS NOT NULL
  ON CONFLICT (tenant_id, name) DO UPDATE SET number = greatest(r.number, excluded.number)`;

const removals = (partition: number): string[] => [
  `DELETE FROM feed d USING facts f WHERE ${factsOfBooks(partition, 'f')}
     AND d.tenant_id = f.tenant_id AND d.number = f.feed_number`,
  `DELETE FROM submission_references r USING facts f WHERE ${factsOfBooks(partition, 'f')}
     AND r.tenant_id = f.tenant_id AND r.namespace = f.namespace AND r.reference = f.reference AND r.book_id = f.book_id`,
  // The array makes the planner look the rows up by their key.
  `DELETE FROM reference_hashes r WHERE partition = ${partition} AND name_hash = ANY (ARRAY(
     SELECT reference_hash(f.tenant_id, f.namespace, f.reference) FROM facts f WHERE ${factsOfBooks(partition, 'f')} AND f.reference IS NOT NULL))`,
  ...['snapshots', 'due_spans', 'listed_records'].map((table) => `DELETE FROM ${table} WHERE ${ofBooks}`),
  `DELETE FROM loans WHERE (tenant_id, client_id) IN (
     SELECT tenant_id, substr(book_id, 3) FROM unnest($1::text[], $2::text[]) AS b (tenant_id, book_id) WHERE book_id LIKE 'c/%')`,
  ...['configurations', 'keys', 'tenancies'].map((table) => `DELETE FROM ${table} WHERE ${ofTenancies}`),
];

const removeEvidence = (partition: number): string => `
  b AS (DELETE FROM books WHERE ${ofBooks})
  DELETE FROM request_evidence e USING (SELECT DISTINCT request_id FROM removed) AS r
    WHERE e.request_id = r.request_id AND e.partition = ${partition}`;
const removeFacts = (partition: number): string => `
  WITH removed AS (DELETE FROM facts WHERE ${factsOfBooks(partition)} RETURNING request_id), ${removeEvidence(partition)}
  RETURNING e.request_id`;
/** The tables of the partition are emptied at the end. A body, which other partitions may have, goes with the row that needs it. */
const keepFacts = (partition: number): string => `
  WITH removed AS (SELECT request_id FROM facts WHERE ${factsOfBooks(partition)}), ${removeEvidence(partition)} AND e.body IS NULL
  RETURNING e.request_id`;

/** Rejects where the partition came back meanwhile. `onRemoved` is called with the number of facts after each step. */
export async function removeMoved(
  found: LeftRows,
  onRemoved: (facts: number) => void = () => undefined,
): Promise<void> {
  const left = await beginRemoval(found);
  const { partition, from } = left;
  const { database } = from;
  const isDivided = await areTablesDivided(database);
  let removed = 0;
  for (let first = 0; ; ) {
    const { books: next, lastEvent } = await findBooks(database, partition, first);
    if (lastEvent === null) break;
    if (next.length === 0) {
      // The facts of books that are removed.
      first = lastEvent + 1;
      continue;
    }
    await removeBooks(left, next, isDivided ? keepFacts : removeFacts);
    removed += next.reduce((sum, { sequence }) => sum + sequence, 0);
    onRemoved(removed);
  }
  if (isDivided) await inRemoval(left, (transaction) => emptyPartitionTables(transaction, partition));
  await inRemoval(left, async (transaction) => {
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
async function beginRemoval(left: LeftRows): Promise<LeftRows> {
  const { partition, from, epoch } = left;
  return inTransaction(from.database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const text = `UPDATE partitions SET next_event = 1, next_offset = 0, log_start = 0, epoch = epoch + 1
      WHERE partition = $1 AND owner = $2 AND epoch = $3 RETURNING epoch`;
    const [row] = await query<{ epoch: number }>(transaction, 'begin_removal', text, [partition, moveOwner, epoch]);
    if (row === undefined) throw cameBack(left);
    return { ...left, epoch: row.epoch };
  });
}

/** For a database that is not the partition's own. Undefined where it left nothing. */
export async function findLeftRows(from: PlacedDatabase, partition: number): Promise<LeftRows | undefined> {
  const text = 'SELECT epoch, next_event FROM partitions WHERE partition = $1 AND owner = $2';
  const values = [partition, moveOwner];
  const [row] = await query<{ epoch: number; next_event: number }>(from.database, 'left_rows', text, values);
  return row && { partition, from, epoch: row.epoch, isRemovalUnfinished: row.next_event === 1 };
}

interface FoundBook {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
}

interface FoundBooks {
  readonly books: readonly FoundBook[];
  /** The last event that was read; null where there is none. */
  readonly lastEvent: number | null;
}

/** Books with facts among the next of the partition, from an event on, that are not removed yet. As many as one step removes. */
async function findBooks(database: Database, partition: number, first: number): Promise<FoundBooks> {
  const text = `
    WITH read AS MATERIALIZED (
      SELECT tenant_id, book_id, event_number FROM facts WHERE partition = $1 AND event_number >= $2
      ORDER BY event_number LIMIT ${factsPerTransaction}),
    sized AS (SELECT tenant_id, book_id, sequence, sum(sequence) OVER (ORDER BY tenant_id, book_id) AS total
      FROM (SELECT DISTINCT tenant_id, book_id FROM read) AS named JOIN books USING (tenant_id, book_id))
    SELECT (SELECT max(event_number) FROM read) AS "lastEvent",
      coalesce((SELECT json_agg(sized) FROM sized WHERE total <= ${factsPerTransaction} OR total = sequence), '[]') AS books`;
  const [found] = await query<FoundBooks>(database, 'books_to_remove', text, [partition, first]);
  return found ?? { books: [], lastEvent: null };
}

async function removeBooks(
  left: LeftRows,
  found: readonly FoundBook[],
  removeRows: (partition: number) => string,
): Promise<void> {
  const { partition, from } = left;
  const keys = [textArray(found.map((book) => book.tenant_id)), textArray(found.map((book) => book.book_id))];
  const { firstNumber, lastNumber } = numberRange(from.number);
  await inRemoval(left, async (transaction) => {
    await transaction.query(keepNumbers(partition), [...keys, firstNumber, lastNumber]);
    for (const statement of removals(partition)) await transaction.query(statement, keys);
    const { rows } = await transaction.query<{ request_id: string }>(removeRows(partition), keys);
    await removeBodies(
      transaction,
      rows.map(({ request_id }) => request_id),
    );
  });
}

/**
 * Commits and reads of the services wait behind a lock on whole tables that is waited for. An autovacuum is not ended by so short a
 * wait (`deadlock_timeout`), but ends by itself.
 */
const lockTimeout = '50ms';

/** One step, as long as the partition has not come back. Locks are tried for again at most every 5 s, for ten minutes. */
async function inRemoval(left: LeftRows, work: (transaction: Queryable) => Promise<void>): Promise<void> {
  const { partition, from, epoch } = left;
  const attempt = async (transaction: Queryable): Promise<void> => {
    await transaction.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    const text = 'SELECT FROM partitions WHERE partition = $1 AND owner = $2 AND epoch = $3 FOR UPDATE';
    const { rows } = await transaction.query(text, [partition, moveOwner, epoch]);
    if (rows.length === 0) throw cameBack(left);
    await work(transaction);
  };
  try {
    await retry(() => inTransaction(from.database, attempt), {
      isRetryable: isLockConflict,
      firstDelayMs: 200,
      maxDelayMs: 5_000,
      timeoutMs: 600_000,
    });
  } catch (cause) {
    if (!isLockConflict(cause)) throw cause;
    throw new Error(
      `the tables ${tablesOf(partition).join(' and ')}, or request_bodies, are in use: end the dump or vacuum that holds one of them in pg_locks, then run the command again`,
      { cause },
    );
  }
}

function cameBack({ partition, from }: LeftRows): Error {
  return new Error(
    `partition ${partition} came back to ${from.name ?? 'the home database'}, or another command removes its former rows there: nothing more is removed`,
  );
}

/** A body may belong to other partitions, too. */
async function removeBodies(transaction: Queryable, requestIds: readonly string[]): Promise<void> {
  const ofRequests = 'FROM request_bodies b WHERE request_id = ANY ($1::uuid[])';
  const values = [uuidArray(requestIds)];
  if ((await query(transaction, 'has_bodies', `SELECT ${ofRequests} LIMIT 1`, values)).length === 0) return;
  // A commit that finds the body stored stores no other, and its evidence is not seen here before its end.
  await transaction.query('LOCK TABLE request_bodies IN SHARE ROW EXCLUSIVE MODE');
  const text = `DELETE ${ofRequests}
    AND NOT EXISTS (SELECT FROM request_evidence e WHERE e.request_id = b.request_id OFFSET 0)`;
  await query(transaction, 'remove_bodies', text, values);
}
