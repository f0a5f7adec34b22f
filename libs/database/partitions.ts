/** The owner, epoch and position of each partition. */
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Database, inTransaction, type Queryable, query } from './database.ts';
import { divideTables } from './divide-tables.ts';
import { int2Array } from './pg-binary.ts';

export interface TakenOverPartition extends PartitionPosition {
  /** The epoch before this takeover. Where this instance held it, no other instance wrote in between. */
  readonly previousEpoch: number;
}

interface Row {
  partition: number;
  epoch: number;
  next_offset: number;
  next_event: number;
  log_start: number;
}

/** Their owner while `lending reconcile` brings the database forward, and after it was interrupted. */
export const repairOwner = 'lending reconcile';

/** The owner of a partition while it is moved: in the database that it leaves, and in the one that it goes to. */
export const moveOwner = 'lending partition move';

/** No processor may use the partitions: the database is not as it was yet. */
export class PartitionsReservedError extends Error {
  override readonly name = 'PartitionsReservedError';

  constructor() {
    super('`lending reconcile` is running or was interrupted; stop all processors and run it again');
  }
}

/**
 * Raises the epochs: a previous owner can commit nothing from here on (A2). Rejects while the partitions are reserved for
 * a repair, and where an owner must reserve references and this one does not.
 */
export async function takeOverPartitions(
  database: Database,
  owner: string,
  partitions: readonly number[],
  { reservesReferences = false } = {},
): Promise<Map<number, TakenOverPartition>> {
  const rows = await query<Row>(
    database,
    'take_over',
    `WITH held AS (SELECT partition FROM partitions
       WHERE partition = ANY ($2::smallint[]) AND owner IS DISTINCT FROM '${repairOwner}' AND owner IS DISTINCT FROM '${moveOwner}'
         AND NOT EXISTS (SELECT FROM partition_placement l WHERE l.partition = partitions.partition)
       ORDER BY partition FOR UPDATE)
     UPDATE partitions p SET epoch = p.epoch + 1, owner = $1, taken_over_at = now(),
       reserving_epoch = CASE WHEN $3 THEN p.epoch + 1 END FROM held
     WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event, p.log_start`,
    [owner, int2Array(partitions), reservesReferences],
  );
  if (rows.length < partitions.length) {
    await requireKnown(database, partitions);
    await requireHere(database, partitions);
    throw new PartitionsReservedError();
  }
  return new Map(rows.map((row) => [row.partition, { ...toPosition(row), previousEpoch: row.epoch - 1 }]));
}

/** Partitions can be added to a topic, and books would be looked for in others than those that hold them. */
async function requireKnown(database: Database, partitions: readonly number[]): Promise<void> {
  const known = await readPartitions(database);
  const unknown = partitions.find((partition) => !known.includes(partition));
  if (unknown === undefined) return;
  throw new Error(
    `lending.submissions has a partition ${unknown}, and the cell has ${known.length} partitions: none may be added to its topics`,
  );
}

/** The partition was moved to another database, or is about to come. The process learns of it within half a second. */
export class PartitionElsewhereError extends Error {
  override readonly name = 'PartitionElsewhereError';
}

async function requireHere(database: Database, partitions: readonly number[]): Promise<void> {
  const here = await partitionsHere(database, partitions);
  const elsewhere = partitions.find((partition) => !here.includes(partition));
  if (elsewhere === undefined) return;
  throw new PartitionElsewhereError(`partition ${elsewhere} is in another database, or not in this one yet`);
}

/** From here on only an owner that reserves references takes a partition over. Rejects where a present owner does not. */
export async function requireReservations(home: Database): Promise<void> {
  await inTransaction(home, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    // A takeover at the same time waits, and is checked afterwards.
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    await transaction.query('UPDATE database_identity SET must_reserve = true');
    const text = `SELECT partition FROM partitions WHERE owner IS NOT NULL AND owner <> '${moveOwner}'
      AND reserving_epoch IS DISTINCT FROM epoch ORDER BY partition LIMIT 1`;
    const [row] = await query<{ partition: number }>(transaction, 'owner_without_reservations', text, []);
    if (row !== undefined)
      throw new Error(
        `the processor of partition ${row.partition} does not reserve references yet: it notices an added database within some seconds, unless it is of an earlier release or does not run`,
      );
  });
}

/** A repair would take a partition that is in two databases for two. */
export async function requireNoMove(database: Database): Promise<void> {
  const text = 'SELECT partition FROM partitions WHERE owner = $1 LIMIT 1';
  const [row] = await query<{ partition: number }>(database, 'partition_being_moved', text, [moveOwner]);
  if (row !== undefined)
    throw new Error(`partition ${row.partition} is being moved: run \`lending partition move\` to its end first`);
}

/** Those of the partitions that may be taken over in this database, in their order: the others have left it or are not there yet. */
export async function partitionsHere(database: Database, partitions: readonly number[]): Promise<number[]> {
  if (partitions.length === 0) return [];
  // The newest version first, as in `readPartitionPositions`.
  const text = `SELECT p.partition FROM unnest($1::smallint[]) AS wanted (partition) CROSS JOIN LATERAL (
      SELECT partition, owner FROM partitions WHERE partition = wanted.partition ORDER BY next_offset DESC LIMIT 1) AS p
    WHERE p.owner IS DISTINCT FROM '${moveOwner}'
      AND NOT EXISTS (SELECT FROM partition_placement l WHERE l.partition = p.partition)`;
  const rows = await query<{ partition: number }>(database, 'partitions_here', text, [int2Array(partitions)]);
  const here = new Set(rows.map(({ partition }) => partition));
  return partitions.filter((partition) => here.has(partition));
}

export interface PartitionPosition {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
  /** The position of the first record of the present topic. A position is this plus the record's offset. */
  readonly logStart: number;
}

/** Of these partitions, in ascending order. */
export async function readPartitionPositions(
  database: Queryable,
  partitions: readonly number[],
): Promise<Map<number, PartitionPosition>> {
  const rows = await query<Row>(
    database,
    'partition_states',
    // From the end of the index: before the newest version are those that an open snapshot keeps.
    `SELECT p.* FROM unnest($1::smallint[]) AS wanted (partition) CROSS JOIN LATERAL (
       SELECT partition, epoch, next_offset, next_event, log_start FROM partitions
         WHERE partition = wanted.partition ORDER BY next_offset DESC LIMIT 1) AS p
     ORDER BY p.partition`,
    [int2Array(partitions)],
  );
  return new Map(rows.map((row) => [row.partition, toPosition(row)]));
}

/** Of all partitions, in ascending order. */
export async function readAllPositions(database: Queryable): Promise<Map<number, PartitionPosition>> {
  const rows = await query<Row>(
    database,
    'all_partition_states',
    'SELECT partition, epoch, next_offset, next_event, log_start FROM partitions ORDER BY partition',
    [],
  );
  return new Map(rows.map((row) => [row.partition, toPosition(row)]));
}

/** Of the partitions that are in this database: the home database has a row for each of the cell. */
export async function readOwnPositions(database: Queryable): Promise<Map<number, PartitionPosition>> {
  const rows = await query<Row>(
    database,
    'own_partition_states',
    `SELECT partition, epoch, next_offset, next_event, log_start FROM partitions p
       WHERE NOT EXISTS (SELECT FROM partition_placement l WHERE l.partition = p.partition) ORDER BY partition`,
    [],
  );
  return new Map(rows.map((row) => [row.partition, toPosition(row)]));
}

/** The partitions of the cell, in ascending order: 0 and so on. Rejects while the cell is not prepared. */
export async function readPartitions(database: Queryable): Promise<readonly number[]> {
  const positions = await readAllPositions(database);
  if (positions.size > 0) return [...positions.keys()];
  const cause = new Error('run `lending prepare`');
  throw new DependencyUnavailableError('the number of partitions', { cause });
}

/** Whether a processor ever owned one of these partitions: their number must not change any more. */
export function hasBeenUsed(positions: ReadonlyMap<number, PartitionPosition>): boolean {
  return [...positions.values()].some(
    ({ epoch, nextOffset, nextEvent }) => epoch > 0 || nextOffset > 0 || nextEvent > 1,
  );
}

/** Rejects where a processor owned a partition meanwhile. */
export function setPartitionCount(owner: Database, count: number): Promise<void> {
  return inTransaction(owner, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    if (hasBeenUsed(await readAllPositions(transaction)))
      throw new Error('a processor has just taken over a partition');
    await insertPartitions(transaction, count);
  });
}

/** In place of those that there are, none of which was used. */
export async function insertPartitions(transaction: Queryable, count: number): Promise<void> {
  await transaction.query('DELETE FROM partitions');
  await transaction.query('INSERT INTO partitions (partition) SELECT generate_series(0, $1::int - 1)', [count]);
  await divideTables(transaction, count);
}

/** Keeps processors from committing and from taking over, until `releasePartitions`: also after a crash of the caller. */
export function reservePartitions(owner: Database): Promise<Map<number, PartitionPosition>> {
  return inTransaction(owner, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const rows = await query<Row>(
      transaction,
      'reserve_partitions',
      `WITH held AS (SELECT partition FROM partitions
         WHERE NOT EXISTS (SELECT FROM partition_placement l WHERE l.partition = partitions.partition)
         ORDER BY partition FOR UPDATE)
       UPDATE partitions p SET epoch = p.epoch + 1, owner = '${repairOwner}', taken_over_at = now() FROM held
       WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event, p.log_start`,
      [],
    );
    return new Map(rows.map((row) => [row.partition, toPosition(row)]));
  });
}

/** In the last transaction of the repair. */
export async function releasePartitions(transaction: Queryable): Promise<void> {
  await transaction.query(`UPDATE partitions SET owner = NULL, epoch = epoch + 1 WHERE owner = '${repairOwner}'`);
}

/** Until the end of the transaction nothing else changes these partitions or takes them over. */
export async function lockPartitions(
  transaction: Queryable,
  partitions: readonly number[],
): Promise<Map<number, PartitionPosition>> {
  const text = 'SELECT FROM partitions WHERE partition = ANY ($1::smallint[]) ORDER BY partition FOR UPDATE';
  await query(transaction, 'lock_partitions', text, [int2Array(partitions)]);
  return readPartitionPositions(transaction, partitions);
}

function toPosition({ epoch, next_offset, next_event, log_start }: Row): PartitionPosition {
  return { epoch, nextOffset: next_offset, nextEvent: next_event, logStart: log_start };
}
