/**
 * Moves a partition to another database while the services run (decision 0090). Its facts are copied, then its processor is stopped
 * for a second: what was recorded last is copied, the placement is changed, and every process has read it before the partition is
 * used in its new database. After an interruption the same call continues.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookKey } from '#libs/database/books.ts';
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import { placementIntervalMs } from '#libs/database/follow-placement.ts';
import { moveOwner, type PartitionPosition, readPartitionPositions } from '#libs/database/partitions.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { foldBooks } from '../rebuild/fold-books.ts';
import { parkBooks } from '../rebuild/restore-from-topic.ts';
import { servingSchema } from '../rebuild/shadow-schema.ts';
import { type NumericBookEvent, writeEvents } from '../rebuild/write-events.ts';

/** One of the databases of the cell, with the login of the owner of its tables. */
export interface CellDatabase {
  readonly database: Database;
  /** Undefined for the home database. */
  readonly name: string | undefined;
  readonly number: number;
}

export interface MoveOptions {
  readonly partition: number;
  readonly home: CellDatabase;
  readonly from: CellDatabase;
  readonly to: CellDatabase;
  /** Called with the facts that were copied, and all there are. */
  readonly onCopied?: (copied: number, total: number) => void;
}

export interface MoveResult {
  readonly copiedFacts: number;
  /** How long no processor used the partition. */
  readonly stoppedMs: number;
}

const eventsPerStatement = 500;
/** So few are copied while the partition is stopped. */
const maxTail = 500;
/** In this time every process has read the placement again. */
const noticeMs = 2 * placementIntervalMs;

export async function movePartition(options: MoveOptions): Promise<MoveResult> {
  const { partition, from, to, onCopied } = options;
  await announce(to.database, partition);
  let copiedFacts = 0;
  const copy = async (maxLeft: number): Promise<void> => {
    for (;;) {
      const [all, have] = [await lastEvent(from.database, partition), await lastEvent(to.database, partition)];
      onCopied?.(have, all);
      if (all - have <= maxLeft) return;
      copiedFacts += await copyEvents(options, have);
    }
  };
  await copy(maxTail);
  const stoppedAt = performance.now();
  const position = await stopProcessor(from.database, partition);
  await copy(0);
  await finishCopy(options, position);
  await changePlacement(options);
  await startProcessor(options);
  return { copiedFacts, stoppedMs: performance.now() - stoppedAt };
}

/** The last step, also of a move that was interrupted before it. Returns whether there was anything to do. */
export async function startProcessor({ partition, to }: Pick<MoveOptions, 'partition' | 'to'>): Promise<boolean> {
  await sleep(noticeMs);
  return inTransaction(to.database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const text =
      'UPDATE partitions SET owner = NULL, epoch = epoch + 1 WHERE partition = $1 AND owner = $2 RETURNING partition';
    return (await query(transaction, 'start_partition', text, [partition, moveOwner])).length > 0;
  });
}

/** Reads of the database find nothing of the partition from here on. The home database says it by the placement. */
export async function markLeft({ name, database }: CellDatabase, partition: number, to: CellDatabase): Promise<void> {
  if (name === undefined) return;
  const text =
    'INSERT INTO partition_placement (partition, database) VALUES ($1, $2) ON CONFLICT (partition) DO NOTHING';
  await database.query(text, [partition, to.name ?? 'home']);
}

/** No processor takes the partition over in its new database before the end. */
async function announce(to: Database, partition: number): Promise<void> {
  const text = `INSERT INTO partitions (partition, owner) SELECT $1, $2
    WHERE NOT EXISTS (SELECT FROM partitions WHERE partition = $1)`;
  await to.query(text, [partition, moveOwner]);
  await to.query('UPDATE partitions SET owner = $2 WHERE partition = $1', [partition, moveOwner]);
}

async function lastEvent(database: Queryable, partition: number): Promise<number> {
  const position = (await readPartitionPositions(database, [partition])).get(partition);
  if (position === undefined) throw new Error(`partition ${partition} is not in this database`);
  return position.nextEvent - 1;
}

/** In one transaction with the number of the next event, from which a later run continues. Returns how many. */
async function copyEvents({ partition, from, to }: MoveOptions, after: number): Promise<number> {
  const events: readonly NumericBookEvent[] = await readEventsAfter(
    from.database,
    partition,
    after,
    eventsPerStatement,
  );
  const last = events.at(-1);
  if (last === undefined || events[0]?.sequence !== after + 1)
    throw new Error(`partition ${partition} has no event ${after + 1} in the database that it leaves`);
  const books = new Map<string, BookKey>();
  for (const { tenant_id: tenantId, book_id: bookId } of events)
    books.set(`${tenantId}/${bookId}`, { tenantId, bookId });
  await inTransaction(to.database, async (transaction) => {
    await writeEvents(transaction, events);
    await foldBooks(transaction, [...books.values()]);
    const text = 'UPDATE partitions SET next_event = $2 WHERE partition = $1 AND owner = $3 RETURNING partition';
    const moved = await query(transaction, 'move_partition', text, [partition, last.sequence + 1, moveOwner]);
    if (moved.length === 0) throw new Error(`partition ${partition} was taken over in the database that it goes to`);
  });
  return events.length;
}

/** From this commit on nothing is recorded in the partition (A2). Reads go on. */
async function stopProcessor(from: Database, partition: number): Promise<PartitionPosition> {
  return inTransaction(from, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const text = 'UPDATE partitions SET owner = $2, epoch = epoch + 1 WHERE partition = $1';
    await transaction.query(text, [partition, moveOwner]);
    const position = (await readPartitionPositions(transaction, [partition])).get(partition);
    if (position === undefined) throw new Error(`partition ${partition} is not in the database that it leaves`);
    return position;
  });
}

interface ParkedTable {
  readonly name: 'parked_submissions' | 'parked_log_entries';
  readonly columns: readonly string[];
}

const parkedTables: readonly ParkedTable[] = [
  { name: 'parked_log_entries', columns: ['partition', '"offset"', 'value'] },
  {
    name: 'parked_submissions',
    columns: [
      ...['tenant_id', 'book_id', 'partition', '"offset"', 'item', 'request_id', 'operation', 'reference', 'digest'],
      ...['error', 'parked_at'],
    ],
  },
];

/** What no fact says: parked books and what waits for them, the position in the log, and that keys have to be read again. */
async function finishCopy({ partition, from, to }: MoveOptions, position: PartitionPosition): Promise<void> {
  const parked = await query<{ name: string }>(
    from.database,
    'parked_books',
    "SELECT tenant_id || '/' || book_id AS name FROM books WHERE parked AND partition = $1",
    [partition],
  );
  const rows = await Promise.all(
    parkedTables.map(async ({ name, columns }) => ({
      name,
      columns,
      found: (await from.database.query(`SELECT ${columns.join(', ')} FROM ${name} WHERE partition = $1`, [partition]))
        .rows as Readonly<Record<string, unknown>>[],
    })),
  );
  await inTransaction(to.database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    for (const { name, columns, found } of rows) {
      await transaction.query(`DELETE FROM ${name} WHERE partition = $1`, [partition]);
      const places = columns.map((_, index) => `$${index + 1}`).join(', ');
      const text = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`;
      for (const row of found)
        await transaction.query(
          text,
          columns.map((column) => row[column.replaceAll('"', '')]),
        );
    }
    await transaction.query('UPDATE books SET parked = false WHERE parked AND partition = $1', [partition]);
    await parkBooks(
      transaction,
      servingSchema,
      parked.map(({ name }) => name),
    );
    await readKeysAgain(transaction, partition);
    const { epoch, nextOffset, logStart } = position;
    const text = `UPDATE partitions SET epoch = $2, next_offset = $3, log_start = $4 WHERE partition = $1 AND owner = $5`;
    await transaction.query(text, [partition, epoch, nextOffset, logStart, moveOwner]);
  });
}

/** Services read what has a higher revision than they know. */
async function readKeysAgain(transaction: Queryable, partition: number): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('keys and tenancies', 0))");
  await transaction.query(
    `WITH revised AS (
      SELECT 1 + greatest(0, (SELECT max(revision) FROM tenancies), (SELECT max(revision) FROM keys)) AS revision),
    moved AS (SELECT tenant_id FROM books WHERE partition = $1 AND book_id = '${tenancyBookId}'),
    t AS (UPDATE tenancies SET revision = (SELECT revision FROM revised) WHERE tenant_id IN (SELECT tenant_id FROM moved))
    UPDATE keys SET revision = (SELECT revision FROM revised) WHERE tenant_id IN (SELECT tenant_id FROM moved)`,
    [partition],
  );
}

/** First where every process reads it. Then reads of the former database find nothing, however late their process notices it. */
async function changePlacement({ partition, home, from, to }: MoveOptions): Promise<void> {
  const range = 'INSERT INTO partition_number_ranges (partition, number) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  // For the audit, which no longer expects all numbers of a database in it.
  for (const { database } of [from, to]) await database.query(range, [partition, from.number]);
  await inTransaction(home.database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query(range, [partition, from.number]);
    if (to.name === undefined)
      await transaction.query('DELETE FROM partition_placement WHERE partition = $1', [partition]);
    else {
      const text = `INSERT INTO partition_placement (partition, database) VALUES ($1, $2)
        ON CONFLICT (partition) DO UPDATE SET database = excluded.database`;
      await transaction.query(text, [partition, to.name]);
    }
  });
  await markLeft(from, partition, to);
  if (to.name !== undefined)
    await to.database.query('DELETE FROM partition_placement WHERE partition = $1', [partition]);
}
