/** The owner, epoch and position of each partition. */
import { type Database, type Queryable, query } from './database.ts';
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

/** Raises the epochs: a previous owner can commit nothing from here on (A2). */
export async function takeOverPartitions(
  database: Database,
  owner: string,
  partitions: readonly number[],
): Promise<Map<number, TakenOverPartition>> {
  const rows = await query<Row>(
    database,
    'take_over',
    `WITH held AS (SELECT partition FROM partitions WHERE partition = ANY ($2::smallint[]) ORDER BY partition FOR UPDATE)
     UPDATE partitions p SET epoch = p.epoch + 1, owner = $1, taken_over_at = now() FROM held
     WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event, p.log_start`,
    [owner, int2Array(partitions)],
  );
  return new Map(rows.map((row) => [row.partition, { ...toPosition(row), previousEpoch: row.epoch - 1 }]));
}

export interface PartitionPosition {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
  /** The position of the first record of the present topic. A position is this plus the record's offset. */
  readonly logStart: number;
}

export async function readPartitionPositions(
  database: Queryable,
  partitions: readonly number[],
): Promise<Map<number, PartitionPosition>> {
  const rows = await query<Row>(
    database,
    'partition_states',
    'SELECT partition, epoch, next_offset, next_event, log_start FROM partitions WHERE partition = ANY ($1::smallint[])',
    [int2Array(partitions)],
  );
  return new Map(rows.map((row) => [row.partition, toPosition(row)]));
}

function toPosition({ epoch, next_offset, next_event, log_start }: Row): PartitionPosition {
  return { epoch, nextOffset: next_offset, nextEvent: next_event, logStart: log_start };
}
