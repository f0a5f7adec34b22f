/**
 * What a restored database holds behind its restored positions: the facts that a reconciliation read back, in this run or
 * in one that was interrupted. Offsets rise with the event numbers of a partition.
 */
import { type Database, query } from '#libs/database/database.ts';
import type { PartitionPosition } from '#libs/database/partitions.ts';
import type { PartitionProgress } from '../rebuild/ingest.ts';

export interface RecordedSince {
  /** The time of the last fact up to the restored positions; 0 where there is none. Microseconds since 1970. */
  readonly restoredAt: number;
  /** By partition, the number of the last event up to the restored position; 0 where there is none. */
  readonly restoredEvents: ReadonlyMap<number, number>;
  /** By partition with later facts, the last submission that recorded any. Its offset is a position. */
  readonly progress: ReadonlyMap<number, PartitionProgress>;
  /** By partition, the requests of the last positions that recorded facts. */
  readonly recent: ReadonlyMap<number, readonly string[]>;
}

const recentPositions = 100;

export async function readRecordedSince(
  database: Database,
  positions: ReadonlyMap<number, Pick<PartitionPosition, 'nextOffset'>>,
): Promise<RecordedSince> {
  let restoredAt = 0;
  const restoredEvents = new Map<number, number>();
  const progress = new Map<number, PartitionProgress>();
  const recent = new Map<number, string[]>();
  for (const [partition, { nextOffset }] of positions) {
    const restored = await lastRestored(database, partition, nextOffset);
    restoredAt = Math.max(restoredAt, restored?.recorded_at ?? 0);
    restoredEvents.set(partition, restored?.event_number ?? 0);
    const after = [partition, restored?.event_number ?? 0];
    const lastText = `SELECT event_number AS sequence, "offset", item, recorded_at AS "recordedAt" FROM facts
      WHERE partition = $1 AND event_number > $2 ORDER BY event_number DESC LIMIT 1`;
    const [last] = await query<PartitionProgress>(database, 'last_recorded', lastText, after);
    if (last === undefined) continue;
    progress.set(partition, last);
    // The first one of each: a release records others after its own, under ids that are not in the log.
    const recentText = `SELECT DISTINCT ON ("offset") request_id FROM facts WHERE partition = $1 AND event_number > $2
      ORDER BY "offset" DESC, event_number LIMIT ${recentPositions}`;
    const rows = await query<{ request_id: string }>(database, 'recently_recorded', recentText, after);
    recent.set(
      partition,
      rows.map(({ request_id }) => request_id),
    );
  }
  return { restoredAt, restoredEvents, progress, recent };
}

async function lastRestored(
  database: Database,
  partition: number,
  nextOffset: number,
): Promise<{ readonly event_number: number; readonly recorded_at: number } | undefined> {
  const text = `SELECT event_number, recorded_at FROM facts WHERE partition = $1 AND "offset" < $2
    ORDER BY event_number DESC LIMIT 1`;
  const rows = await query<{ event_number: number; recorded_at: number }>(database, 'last_restored', text, [
    partition,
    nextOffset,
  ]);
  return rows[0];
}
