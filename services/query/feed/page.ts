/** The feed by the page, and how an event of it reads, there and in the stream. */
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type FeedEvent, feedAfter } from '#libs/database/read-feed.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Listing } from '../cursors.ts';
import type { ReadContext, RequestTo } from '../reads.ts';

/** One listing, whichever way it is read: whoever follows goes from the pages to the stream and back by the same cursor. */
export function feedOf(tenantId: string): Listing {
  return { tenantId, name: 'feed', filters: {} };
}

export function feedReads(reads: ReadContext): RouteHandlers {
  return { readFeed: (asked) => readFeed(reads, asked) };
}

/** A cursor whenever anything was served or was asked after, and of an empty feed the one to its beginning. */
async function readFeed({ database, cursors }: ReadContext, asked: RequestTo<'readFeed'>): Promise<RouteResult> {
  const { tenancy, timing } = asked;
  const { limit, cursor } = asked.query;
  const listing = feedOf(tenancy.id);
  const taken = cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const after = Number(taken.place?.[0] ?? 0);
  const found = await feedAfter(database, timing, { tenantId: tenancy.id, after, most: limit });
  const last = found.at(-1);
  const next = last === undefined && cursor !== undefined ? cursor : cursors.give(listing, [last?.number ?? after]);
  return { status: 200, body: { events: found.map(feedRow), cursor: next } };
}

export function feedRow({ event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref }: FeedEvent) {
  return {
    id: event_id,
    loan_id,
    kind,
    occurred_on: formatDay(occurred_on as CivilDay),
    recorded_at: formatMoment(recorded_at as Moment),
    ...(merchant_ref === null ? {} : { merchant_ref }),
  };
}
