/** Reads the feed of a Tenancy: in each database a gapless sequence to which nothing is added before a number that was read (A5). */
import { type Database, queryTimed, type StageTimer } from './database.ts';
import { atPositions, type ListingPosition, mergePages, type RowAtPosition, type SourcePage } from './merge-pages.ts';
import type { PartitionDatabases } from './partition-databases.ts';

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

/** An event, and the place in the feed after it. */
export type FeedEvent = RowAtPosition<FeedEventRow>;

/** Events after a place, oldest first. */
export async function readFeedAfter(
  databases: PartitionDatabases,
  timer: StageTimer,
  { tenantId, after, limit }: { readonly tenantId: string; readonly after: ListingPosition; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const text = `
    SELECT number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref FROM feed
    WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT $3`;
  const read = (database: Database, timed: StageTimer, number: number): Promise<FeedEventRow[]> =>
    queryTimed(database, timed, 'feed_after', text, [tenantId, number, limit]);
  if (!databases.hasSeveral) return atPositions(await read(databases.home, timer, after[0] ?? 0));
  const start = databases.all.map((_, index) => after[index] ?? 0);
  const pages = await databases.readAllTimed(
    timer,
    async (database, timed, index): Promise<SourcePage<FeedEventRow>> => {
      const rows = await read(database, timed, start[index] as number);
      const moments = rows.map(({ recorded_at }) => recorded_at);
      return { rows, moments, next: rows.length === limit ? rows.at(-1)?.number : undefined };
    },
  );
  return mergePages(pages, { start, limit, order: 'oldest' }).rows;
}

/** The place after the newest event of each database. */
export function readFeedEnd(
  databases: PartitionDatabases,
  timer: StageTimer,
  tenantId: string,
): Promise<ListingPosition> {
  const text = 'SELECT max(number) AS number FROM feed WHERE tenant_id = $1';
  return databases.readAllTimed(timer, async (database, timed) => {
    const [row] = await queryTimed<{ number: number | null }>(database, timed, 'feed_end', text, [tenantId]);
    return row?.number ?? 0;
  });
}
