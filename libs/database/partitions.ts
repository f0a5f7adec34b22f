/** The owner, epoch and position of each partition. */
import { type Database, query } from './database.ts';
import { int2Array } from './pg-binary.ts';

export interface TakenOverPartition {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
  /** The epoch before this takeover. Where this instance held it, no other instance wrote in between. */
  readonly previousEpoch: number;
}

interface Row {
  partition: number;
  epoch: number;
  next_offset: number;
  next_event: number;
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
     WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event`,
    [owner, int2Array(partitions)],
  );
  return new Map(
    rows.map((row) => [
      row.partition,
      { epoch: row.epoch, previousEpoch: row.epoch - 1, nextOffset: row.next_offset, nextEvent: row.next_event },
    ]),
  );
}

export interface PartitionPosition {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
}

export async function readPartitionPositions(
  database: Database,
  partitions: readonly number[],
): Promise<Map<number, PartitionPosition>> {
  const rows = await query<Row>(
    database,
    'partition_states',
    'SELECT partition, epoch, next_offset, next_event FROM partitions WHERE partition = ANY ($1::smallint[])',
    [int2Array(partitions)],
  );
  return new Map(
    rows.map((row) => [row.partition, { epoch: row.epoch, nextOffset: row.next_offset, nextEvent: row.next_event }]),
  );
}
