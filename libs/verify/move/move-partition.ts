/**
 * Moves a partition to another database while the services run (decision 0090). Its facts are copied, then its processor is stopped
 * for a second: what was recorded last is copied, the placement is changed, and every process has read it before the partition is
 * used in its new database. After an interruption the same call continues.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { BookKey } from '#libs/database/books.ts';
import { countProcessors } from '#libs/database/connected-processors.ts';
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import { placementIntervalMs } from '#libs/database/follow-placement.ts';
import { areReferencesReserved, maxPlacementAgeMs } from '#libs/database/partition-databases.ts';
import {
  moveOwner,
  type PartitionPosition,
  readPartitionPositions,
  requireReservations,
} from '#libs/database/partitions.ts';
import { countEventsWithin, readEventsAfter } from '#libs/database/read-events.ts';
import { restoreReservations } from '#libs/database/reserved-references.ts';
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { nextRevision } from '../rebuild/cutover.ts';
import { foldBooks, foldShare } from '../rebuild/fold-books.ts';
import { servingSchema } from '../rebuild/shadow-schema.ts';
import { type NumericBookEvent, writeEvents } from '../rebuild/write-events.ts';
import { findLeftRows, type PlacedDatabase, removeMoved } from './remove-moved.ts';

export interface MoveOptions {
  readonly partition: number;
  /** Of the cell. */
  readonly partitionCount: number;
  readonly home: PlacedDatabase;
  /** Of the home database: it holds the lock of moves. */
  readonly lockSession: pg.PoolClient;
  readonly from: PlacedDatabase;
  readonly to: PlacedDatabase;
  /** Called with the facts that were copied, and all there are. */
  readonly onCopied?: (copied: number, total: number) => void;
}

export interface MoveResult {
  readonly copiedFacts: number;
  /** How long no processor used the partition. */
  readonly stoppedMs: number;
}

const eventsPerTransaction = { maxEvents: 500, maxBytes: 8_000_000 };
/** So few are copied while the partition is stopped. */
const maxTail = 500;
/** A process refuses requests where it has not read the keys for so long. */
const maxKeyAgeMs = 1_000;
/** In this time every process has read the placement again. */
const noticeMs = 2 * placementIntervalMs;
/** Where it takes longer to copy the rest, the partition is used again in the database that it was to leave. */
const maxStoppedMs = 10_000;
const maxConnectMs = 5_000;
/** For a lock on the tables of the placement: the partition is stopped. */
const maxPlacementWait = '5s';

export async function movePartition(options: MoveOptions): Promise<MoveResult> {
  const { partition, partitionCount, home, lockSession, from, to, onCopied } = options;
  await requireProcessors(options);
  if (!(await areReferencesReserved(home.database))) await reserveRecorded(home.database);
  const left = await findLeftRows(to, partition);
  if (left?.isRemovalUnfinished === true) await removeMoved(left);
  const announced = await announce(to, partition, from);
  let copiedFacts = 0;
  const copy = async (maxLeft: number, write: WriteEvents, end = Number.POSITIVE_INFINITY): Promise<void> => {
    for (;;) {
      const [all, have] = [await lastEvent(from.database, partition), await lastEvent(to.database, partition)];
      onCopied?.(have, all);
      if (Math.min(all, end) - have <= maxLeft) return;
      copiedFacts += await copyEvents(options, { after: have, announced, write });
    }
  };
  // Each book is folded once, and once more where it has changed meanwhile.
  await copy(maxTail, writeEvents);
  await foldShare(to.database, { index: partition, count: partitionCount }, () => undefined);
  await copy(maxTail, writeAndFold);
  // Every process knows the keys of the new database before it uses them, also those among the last facts.
  await copy(0, writeAndFold, await lastEvent(from.database, partition));
  await inTransaction(to.database, (transaction) => readKeysAgain(transaction, partition));
  await sleep(maxKeyAgeMs);
  // Without it the partition would be stopped for nothing: the copy may have taken hours.
  await lockSession.query('SELECT 1');
  await requireProcessors(options);
  const stoppedAt = performance.now();
  const position = await stopProcessor(from.database, partition);
  const copyRest = async (): Promise<void> => {
    await copy(0, writeAndFold);
    await finishCopy(options, position, announced);
    await recordNumberRange(options);
  };
  try {
    await within(maxStoppedMs, copyRest());
    await lockSession.query('BEGIN');
    await writePlacement(options, position).catch(async (cause: unknown) => {
      // It may hold the row that is changed below.
      await lockSession.query('ROLLBACK');
      throw cause;
    });
  } catch (cause) {
    // The placement is as before. Where this fails, too, the next call does it.
    await markAsElsewhere(to, partition, from).catch(() => undefined);
    await startProcessor(from.database, partition).catch(() => undefined);
    throw cause;
  }
  await lockSession.query('COMMIT').catch((cause: unknown) => {
    throw new Error(`partition ${partition} may be stopped: run the command again`, { cause });
  });
  // Reads of the former database find nothing, however late their process notices the move.
  const isMarked = await markAsElsewhere(from, partition, to).then(
    () => true,
    () => false,
  );
  await startWhenNoticed(to.database, partition, { isMarked });
  return { copiedFacts, stoppedMs: performance.now() - stoppedAt };
}

/** A processor that was not started again since the database was added records nothing in a partition that Kafka assigns to it. */
export async function requireProcessors({ from, to }: Pick<MoveOptions, 'from' | 'to'>): Promise<void> {
  const since = performance.now();
  // One that is starting connects to the databases one after another.
  while (performance.now() - since < maxConnectMs) {
    if ((await countProcessors(to.database)) >= (await countProcessors(from.database))) return;
    await sleep(500);
  }
  throw new Error(
    `not every processor is connected to ${to.name ?? 'the home database'}: start them again with its address, and run the command again`,
  );
}

/** A database may not answer for minutes. What `work` still does then is only written before the next command begins. */
async function within(maxMs: number, work: Promise<void>): Promise<void> {
  if ((await withTimeout(work, maxMs)) !== undefined) return;
  work.catch(() => undefined);
  throw new Error(
    `what was recorded last was not copied within ${maxMs / 1_000} s: release its parked books first if many submissions wait, and run the command again`,
  );
}

/** Once in a cell that had one database: from here on another one may record the same reference (A4). */
async function reserveRecorded(home: Database): Promise<void> {
  await requireReservations(home);
  await restoreReservations(home, home);
  await home.query('UPDATE database_identity SET references_reserved = true');
}

/**
 * The last step, also of a move that was interrupted before it. Where a former database has no mark that the partition has left, the
 * processes have more time to read the placement.
 */
export async function startWhenNoticed(
  database: Database,
  partition: number,
  { isMarked }: { readonly isMarked: boolean },
): Promise<void> {
  await sleep(isMarked ? noticeMs : maxPlacementAgeMs);
  await startProcessor(database, partition);
}

/** Reads of the database find nothing of the partition from here on. The home database says it by the placement. */
export async function markAsElsewhere(
  { name, database }: PlacedDatabase,
  partition: number,
  to: PlacedDatabase,
): Promise<void> {
  if (name === undefined) return;
  const text =
    'INSERT INTO partition_placement (partition, database) VALUES ($1, $2) ON CONFLICT (partition) DO NOTHING';
  await database.query(text, [partition, to.name ?? 'home']);
}

/** For the database where the partition is, or is about to be. */
export async function removeMark(transaction: Queryable, { name }: PlacedDatabase, partition: number): Promise<void> {
  if (name !== undefined) await transaction.query('DELETE FROM partition_placement WHERE partition = $1', [partition]);
}

/**
 * No processor takes the partition over in its new database before the end, and no other command regards it as there. Returns its
 * epoch there: what an earlier command still copies or removes is refused from here on.
 */
async function announce(to: PlacedDatabase, partition: number, from: PlacedDatabase): Promise<number> {
  await markAsElsewhere(to, partition, from);
  const position = (await readPartitionPositions(from.database, [partition])).get(partition);
  // An epoch that was never used there: a removal deletes the row.
  const insert = `INSERT INTO partitions (partition, owner, epoch) SELECT $1, $2, $3
    WHERE NOT EXISTS (SELECT FROM partitions WHERE partition = $1)`;
  await to.database.query(insert, [partition, moveOwner, position?.epoch ?? 0]);
  const take = 'UPDATE partitions SET owner = $2, epoch = epoch + 1 WHERE partition = $1 RETURNING epoch';
  const [row] = await query<{ epoch: number }>(to.database, 'announce_partition', take, [partition, moveOwner]);
  return (row as { epoch: number }).epoch;
}

async function lastEvent(database: Queryable, partition: number): Promise<number> {
  const position = (await readPartitionPositions(database, [partition])).get(partition);
  if (position === undefined) throw new Error(`partition ${partition} is not in this database`);
  return position.nextEvent - 1;
}

type WriteEvents = (transaction: Queryable, events: readonly NumericBookEvent[]) => Promise<void>;

async function writeAndFold(transaction: Queryable, events: readonly NumericBookEvent[]): Promise<void> {
  await writeEvents(transaction, events);
  const books = new Map<string, BookKey>();
  for (const { tenant_id: tenantId, book_id: bookId } of events)
    books.set(`${tenantId}/${bookId}`, { tenantId, bookId });
  await foldBooks(transaction, [...books.values()]);
}

interface EventCopy {
  readonly after: number;
  /** The epoch of the partition in the database that it goes to. */
  readonly announced: number;
  readonly write: WriteEvents;
}

/** In one transaction with the number of the next event, from which a later call continues. Returns how many. */
async function copyEvents(
  { partition, from, to }: MoveOptions,
  { after, announced, write }: EventCopy,
): Promise<number> {
  const count = await countEventsWithin(from.database, partition, after, eventsPerTransaction);
  const events: readonly NumericBookEvent[] = await readEventsAfter(from.database, partition, after, count);
  const last = events.at(-1);
  if (last?.sequence !== after + events.length)
    throw new Error(`partition ${partition} lacks an event after ${after} in the database that it leaves`);
  await inTransaction(to.database, async (transaction) => {
    await write(transaction, events);
    const text =
      'UPDATE partitions SET next_event = $2 WHERE partition = $1 AND owner = $3 AND epoch = $4 RETURNING partition';
    const moved = await query(transaction, 'move_partition', text, [
      partition,
      last.sequence + 1,
      moveOwner,
      announced,
    ]);
    if (moved.length === 0) throw takenOverThere(partition);
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

function startProcessor(database: Database, partition: number): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const text = 'UPDATE partitions SET owner = NULL, epoch = epoch + 1 WHERE partition = $1 AND owner = $2';
    await query(transaction, 'start_partition', text, [partition, moveOwner]);
  });
}

/** What no fact says: parked books and what waits for them, the position in the log, and that keys have to be read again. */
async function finishCopy(
  { partition, from, to }: MoveOptions,
  { epoch, nextOffset, logStart }: PartitionPosition,
  announced: number,
): Promise<void> {
  const readRows = async (table: string, condition: string): Promise<string[]> => {
    const text = `SELECT to_json(t)::text AS row FROM ${table} t WHERE ${condition}`;
    const { rows } = await from.database.query<{ row: string }>(text, [partition]);
    return rows.map(({ row }) => row);
  };
  const parkedTables = ['parked_log_entries', 'parked_submissions'];
  const waiting = await Promise.all(parkedTables.map((table) => readRows(table, 'partition = $1')));
  const parkedBooks = await readRows('books', 'parked AND partition = $1');
  await inTransaction(to.database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const text = `UPDATE partitions SET epoch = greatest(epoch, $2), next_offset = $3, log_start = $4
      WHERE partition = $1 AND owner = $5 AND epoch = $6 RETURNING partition`;
    const values = [partition, epoch, nextOffset, logStart, moveOwner, announced];
    if ((await query(transaction, 'end_of_copy', text, values)).length === 0) throw takenOverThere(partition);
    for (const [index, table] of parkedTables.entries()) {
      await transaction.query(`DELETE FROM ${table} WHERE partition = $1`, [partition]);
      await insertRows(transaction, table, waiting[index] as string[]);
    }
    await transaction.query('UPDATE books SET parked = false WHERE parked AND partition = $1', [partition]);
    // A book may be parked before its first fact.
    await insertRows(transaction, 'books', parkedBooks, 'ON CONFLICT (tenant_id, book_id) DO UPDATE SET parked = true');
    await readKeysAgain(transaction, partition);
    await removeMark(transaction, to, partition);
  });
}

function takenOverThere(partition: number): Error {
  return new Error(`partition ${partition} was taken over in the database that it goes to`);
}

/** An entry of the log may have some megabytes. */
const rowsPerStatement = 20;

async function insertRows(
  transaction: Queryable,
  table: string,
  rows: readonly string[],
  onConflict = '',
): Promise<void> {
  const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1) ${onConflict}`;
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    await transaction.query(text, [`[${rows.slice(start, start + rowsPerStatement).join(',')}]`]);
}

/** Services read what has a higher revision than they know. */
async function readKeysAgain(transaction: Queryable, partition: number): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('keys and tenancies', 0))");
  await transaction.query(
    `WITH revised AS (SELECT ${nextRevision(servingSchema)} AS revision),
    moved AS (SELECT tenant_id FROM books WHERE partition = $1 AND book_id = '${tenancyBookId}'),
    t AS (UPDATE tenancies SET revision = (SELECT revision FROM revised) WHERE tenant_id IN (SELECT tenant_id FROM moved))
    UPDATE keys SET revision = (SELECT revision FROM revised) WHERE tenant_id IN (SELECT tenant_id FROM moved)`,
    [partition],
  );
}

/** For the audit of each, which no longer expects all numbers of a database in it. */
async function recordNumberRange({ partition, home, from, to }: MoveOptions): Promise<void> {
  for (const side of [from, to])
    if (side !== home) await side.database.query(numberRangeText, [partition, from.number]);
}

const numberRangeText =
  'INSERT INTO partition_number_ranges (partition, number) VALUES ($1, $2) ON CONFLICT DO NOTHING';

/**
 * In a transaction of the caller. From its commit on every process that reads the placement uses the new database. The session of the lock
 * writes it: where the command ends while a standby has not confirmed the commit, the session goes on and keeps the lock, so that
 * no other command reads the placement before.
 */
async function writePlacement(options: MoveOptions, stopped: PartitionPosition): Promise<void> {
  const { partition, home, lockSession, from, to } = options;
  if (from !== home)
    await inTransaction(from.database, (transaction) => requireStopped(transaction, partition, stopped));
  await lockSession.query(`SET LOCAL lock_timeout = '${maxPlacementWait}'`);
  await lockSession.query('SET LOCAL synchronous_commit = on');
  if (from === home) await requireStopped(lockSession, partition, stopped);
  await lockSession.query(numberRangeText, [partition, from.number]);
  if (to === home) await lockSession.query('DELETE FROM partition_placement WHERE partition = $1', [partition]);
  else {
    const text = `INSERT INTO partition_placement (partition, database) VALUES ($1, $2)
      ON CONFLICT (partition) DO UPDATE SET database = excluded.database`;
    await lockSession.query(text, [partition, to.name]);
  }
}

/** Nothing was recorded since, and no other command has taken the partition. */
async function requireStopped(transaction: Queryable, partition: number, stopped: PartitionPosition): Promise<void> {
  const text = `SELECT FROM partitions WHERE partition = $1 AND owner = $2 AND epoch = $3 AND next_event = $4 AND next_offset = $5 FOR UPDATE`;
  const values = [partition, moveOwner, stopped.epoch, stopped.nextEvent, stopped.nextOffset];
  if ((await query(transaction, 'stopped_partition', text, values)).length === 0)
    throw new Error(`partition ${partition} was taken over in the database that it leaves: run the command again`);
}
