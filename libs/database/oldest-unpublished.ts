/** How long committed events wait: the age of the first one of each partition that is not in the topic. */
import { type Database, query } from './database.ts';
import { int2Array, int8Array } from './pg-binary.ts';

/** Seconds since the oldest of these events was recorded. 0 where there are none. */
export async function oldestUnpublishedSeconds(
  database: Database,
  firstUnpublished: ReadonlyMap<number, number>,
): Promise<number> {
  if (firstUnpublished.size === 0) return 0;
  const text = `SELECT extract(epoch FROM clock_timestamp())::float8 - min(f.recorded_at) / 1e6::float8 AS age
    FROM unnest($1::smallint[], $2::bigint[]) AS n (partition, event_number)
    CROSS JOIN LATERAL (SELECT recorded_at FROM facts WHERE partition = n.partition AND event_number = n.event_number OFFSET 0) f`;
  const values = [int2Array([...firstUnpublished.keys()]), int8Array([...firstUnpublished.values()])];
  const [row] = await query<{ age: number | null }>(database, 'oldest_unpublished', text, values);
  return Math.max(row?.age ?? 0, 0);
}
