/** How the keys of a Tenancy are used, from the newest requests in the request log. */
import { type Database, query } from '#libs/database/database.ts';

export interface KeyUsage {
  /** Microseconds since 1970. */
  readonly lastUsedAt: number;
  readonly lastDay: number;
}

/** A bound for the work of a page: of a busy Tenancy these are minutes of requests. */
export const countedRequests = 10_000;
const dayMicroseconds = 24 * 3_600_000_000;

/** By fingerprint; a key without a request among the counted ones is absent. */
export async function readKeyUsage(database: Database, tenantId: string): Promise<ReadonlyMap<string, KeyUsage>> {
  const text = `
    SELECT fp, max(received_at) AS last, (count(*) FILTER (WHERE received_at > $2))::integer AS day
    FROM (SELECT fp, received_at FROM operations.request_log WHERE tenant_id = $1
      ORDER BY request_id DESC LIMIT ${countedRequests}) AS newest
    GROUP BY fp`;
  const since = Date.now() * 1_000 - dayMicroseconds;
  const rows = await query<{ fp: string; last: number; day: number }>(database, 'key_usage', text, [tenantId, since]);
  return new Map(rows.map(({ fp, last, day }) => [fp, { lastUsedAt: last, lastDay: day }]));
}
