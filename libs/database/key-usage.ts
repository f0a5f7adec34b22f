/** How keys are used. The requests of each key are counted by the hour when they are logged (`request-log.ts`). */
import { type Database, query } from './database.ts';

export interface KeyUsage {
  /** Microseconds since 1970. */
  readonly lastUsedAt: number;
  /** Requests of this hour and of the 23 before it. */
  readonly lastDay: number;
}

export const microsecondsPerHour = 3_600_000_000;
const hoursPerDay = 24;

/** By fingerprint; a key that signed nothing in the time for which counts are stored is absent. */
export async function readKeyUsage(
  database: Database,
  tenantId: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, KeyUsage>> {
  const text = `SELECT key.fp, newest.last_received_at AS "lastUsedAt",
      (SELECT coalesce(sum(requests), 0) FROM operations.key_usage
        WHERE tenant_id = $1 AND fp = key.fp AND hour > $3)::float AS "lastDay"
    FROM unnest($2::text[]) AS key (fp)
    CROSS JOIN LATERAL (SELECT last_received_at FROM operations.key_usage
      WHERE tenant_id = $1 AND fp = key.fp ORDER BY hour DESC LIMIT 1) AS newest`;
  const since = Math.floor((Date.now() * 1_000) / microsecondsPerHour) - hoursPerDay;
  const values = [tenantId, [...fingerprints], since];
  const rows = await query<KeyUsage & { readonly fp: string }>(database, 'key_usage', text, values);
  return new Map(rows.map(({ fp, ...usage }) => [fp, usage]));
}
