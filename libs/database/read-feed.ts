/** Reads the feed of a Tenancy: a gapless sequence of each database, to which nothing is added before a number that was read (A5). */
import { type Database, queryTimed, type StageTimer } from './database.ts';
import {
  atPositions,
  fromNewest,
  type ListingPosition,
  mergePages,
  type NumberedRow,
  type RowAtPosition,
} from './merge-pages.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { readRanges } from './read-listing.ts';

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
    WHERE tenant_id = $1 AND number > $2 AND number <= $4 ORDER BY number LIMIT $3`;
  const read = (database: Database, timed: StageTimer, number: number, last: number): Promise<FeedEventRow[]> =>
    queryTimed(database, timed, 'feed_after', text, [tenantId, number, limit, last]);
  if (!databases.hasSeveral) return atPositions(await read(databases.home, timer, after[0] ?? 0, fromNewest));
  const start = databases.all.map((_, index) => after[index] ?? 0);
  const pages = await readRanges<FeedEventRow>(databases, timer, {
    order: 'oldest',
    sources: (await databases.currentView()).listingSources,
    read: async ({ database, range, firstNumber, lastNumber }, timed) => {
      const rows = await read(database, timed, Math.max(start[range] as number, firstNumber), lastNumber);
      const moments = rows.map(({ recorded_at }) => recorded_at);
      return { rows, moments, next: rows.length === limit ? rows.at(-1)?.number : undefined };
    },
  });
  return mergePages(pages, { start, limit, order: 'oldest' }).rows;
}

/** The place after the newest event of each range. */
export async function readFeedEnd(
  databases: PartitionDatabases,
  timer: StageTimer,
  tenantId: string,
): Promise<ListingPosition> {
  const text = 'SELECT max(number) AS number FROM feed WHERE tenant_id = $1 AND number >= $2 AND number <= $3';
  const ends = await readRanges<NumberedRow>(databases, timer, {
    order: 'newest',
    sources: (await databases.currentView()).listingSources,
    read: async ({ database, firstNumber, lastNumber }, timed) => {
      const values = [tenantId, firstNumber, lastNumber];
      const [row] = await queryTimed<{ number: number | null }>(database, timed, 'feed_end', text, values);
      return row?.number == null ? noRows : { rows: [{ number: row.number }], moments: [0], next: undefined };
    },
  });
  return ends.map(({ rows }) => rows[0]?.number ?? 0);
}

const noRows = { rows: [], moments: [], next: undefined };
