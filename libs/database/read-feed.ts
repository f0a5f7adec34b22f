/** The feed of a Tenancy: one gapless numbering, in which nothing commits behind what was read (A5). */
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

/** On which Redis says whose feed has more to tell, their identifiers with spaces between. */
export const feedChannel = 'feed';

export interface FeedEvent {
  readonly number: number;
  readonly event_id: string;
  readonly loan_id: string;
  readonly kind: string;
  readonly occurred_on: number;
  readonly recorded_at: number;
  readonly merchant_ref: string | null;
}

/** Oldest first, after a number; what commits later has a higher one. */
export function feedAfter(
  database: Database,
  watch: Watch,
  { tenantId, after, most }: { readonly tenantId: string; readonly after: number; readonly most: number },
): Promise<FeedEvent[]> {
  const text = `
    SELECT number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref FROM feed
    WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT $3`;
  return askTimed(database, watch, 'feed_after', text, [tenantId, after, most]);
}

/** The number of the newest event; 0 where there is none. */
export async function feedEnd(database: Database, watch: Watch, tenantId: string): Promise<number> {
  const text = "SELECT next - 1 AS number FROM counters WHERE tenant_id = $1 AND name = 'feed'";
  const rows = await askTimed<{ number: number }>(database, watch, 'feed_end', text, [tenantId]);
  return rows[0]?.number ?? 0;
}
