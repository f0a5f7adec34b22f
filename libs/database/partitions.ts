/** Who owns a partition, and how far it is processed. */
import { type Database, query } from './database.ts';
import { int2Array } from './pg-array.ts';

export interface Owned {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
  /** The epoch it had before this takeover: where it was ours, nobody else wrote meanwhile. */
  readonly epochBefore: number;
}

interface Row {
  partition: number;
  epoch: number;
  next_offset: number;
  next_event: number;
}

/** Raises the epoch first: from here on a former owner that wakes commits nothing (A2). */
export async function takeOver(
  database: Database,
  owner: string,
  partitions: readonly number[],
): Promise<Map<number, Owned>> {
  const rows = await query<Row>(
    database,
    'take_over',
    `WITH held AS (SELECT partition FROM partitions WHERE partition = ANY ($2::smallint[]) ORDER BY partition FOR UPDATE)
     UPDATE partitions p SET epoch = p.epoch + 1, owner = $1, taken_at = now() FROM held
     WHERE p.partition = held.partition RETURNING p.partition, p.epoch, p.next_offset, p.next_event`,
    [owner, int2Array(partitions)],
  );
  return new Map(
    rows.map((row) => [
      row.partition,
      { epoch: row.epoch, epochBefore: row.epoch - 1, nextOffset: row.next_offset, nextEvent: row.next_event },
    ]),
  );
}

export interface PartitionState {
  readonly epoch: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
}

export async function partitionStates(
  database: Database,
  partitions: readonly number[],
): Promise<Map<number, PartitionState>> {
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
