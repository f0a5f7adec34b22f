/** Reads the feed of a Tenancy: a gapless sequence to which nothing is added before a number that was read (A5). */
import { type Database, queryTimed, type StageTimer } from './database.ts';

/** The Redis channel on which processors name the Tenancies with new events: their ids, separated by spaces. */
export const feedChannel = 'feed';

export interface FeedEventRow {
  readonly number: number;
  readonly event_id: string;
  readonly loan_id: string;
  readonly kind: string;
  readonly occurred_on: number;
  readonly recorded_at: number;
  readonly merchant_ref: string | null;
}

/** Events after a number, oldest first. */
export function readFeedAfter(
  database: Database,
  timer: StageTimer,
  { tenantId, after, limit }: { readonly tenantId: string; readonly after: number; readonly limit: number },
): Promise<FeedEventRow[]> {
  const text = `
    SELECT number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref FROM feed
    WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT $3`;
  return queryTimed(database, timer, 'feed_after', text, [tenantId, after, limit]);
}

/** The number of the newest event, 0 without events. */
export async function readFeedEnd(database: Database, timer: StageTimer, tenantId: string): Promise<number> {
  const text = 'SELECT max(number) AS number FROM feed WHERE tenant_id = $1';
  const [row] = await queryTimed<{ number: number | null }>(database, timer, 'feed_end', text, [tenantId]);
  return row?.number ?? 0;
}
