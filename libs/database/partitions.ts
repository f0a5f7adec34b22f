/** The owner, epoch and position of each partition. */
import { type Database, inTransaction, type Queryable, query } from './database.ts';
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
const repairOwner = 'lending reconcile';

/** No processor may use the partitions: the database is not as it was yet. */
export class PartitionsReservedError extends Error {
  override readonly name = 'PartitionsReservedError';

  constructor() {
    super('`lending reconcile` is running or was interrupted; stop all processors and run it again');
  }
}

/**
 * Raises the epochs: a previous owner can commit nothing from here on (A2). Rejects while the partitions are reserved for
 * a repair.
 */
export async function takeOverPartitions(
  database: Database,
  owner: string,
  partitions: readonly number[],
): Promise<Map<number, TakenOverPartition>> {
  const rows = await query<Row>(
    database,
    'take_over',
    `WITH held AS (SELECT partition FROM partitions
       WHERE partition = ANY ($2::smallint[]) AND owner IS DISTINCT FROM '${repairOwner}' ORDER BY partition FOR UPDATE)
     UPDATE partitions p SET epoch = p.epoch + 1, owner = $1, taken_over_at = now() FROM held
     WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event, p.log_start`,
    [owner, int2Array(partitions)],
  );
  if (rows.length < partitions.length) throw new PartitionsReservedError();
  return new Map(rows.map((row) => [row.partition, { ...toPosition(row), previousEpoch: row.epoch - 1 }]));
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
    'SELECT partition, epoch, next_offset, next_event, log_start FROM partitions WHERE partition = ANY ($1::smallint[]) ORDER BY partition',
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

/** The partitions of the cell, in ascending order: 0 and so on. */
export async function readPartitions(database: Queryable): Promise<readonly number[]> {
  const text = 'SELECT partition FROM partitions ORDER BY partition';
  const rows = await query<{ partition: number }>(database, 'partitions', text, []);
  return rows.map(({ partition }) => partition);
}

/** Whether a processor ever owned a partition: their number must not change any more. */
export async function hasUsedPartitions(database: Queryable): Promise<boolean> {
  const text = 'SELECT EXISTS (SELECT 1 FROM partitions WHERE epoch > 0 OR next_offset > 0 OR next_event > 1) AS used';
  return (await query<{ used: boolean }>(database, 'has_used_partitions', text, []))[0]?.used === true;
}

/** Of tables that were never used. */
export async function setPartitionCount(owner: Pick<Queryable, 'query'>, count: number): Promise<void> {
  await owner.query('DELETE FROM partitions WHERE partition >= $1', [count]);
  await owner.query(
    'INSERT INTO partitions (partition) SELECT n FROM generate_series(0, $1 - 1) n WHERE n NOT IN (SELECT partition FROM partitions)',
    [count],
  );
}

/** Keeps processors from committing and from taking over, until `releasePartitions`: also after a crash of the caller. */
export function reservePartitions(owner: Database): Promise<Map<number, PartitionPosition>> {
  return inTransaction(owner, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    const rows = await query<Row>(
      transaction,
      'reserve_partitions',
      `WITH held AS (SELECT partition FROM partitions ORDER BY partition FOR UPDATE)
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
