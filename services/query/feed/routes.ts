/** The feed, by pages and as a stream of server-sent events. Both use the same rows and cursors. */
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type FeedEvent, type FeedEventRow, readFeedAfter } from '#libs/database/read-feed.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { defaultBounds } from '#libs/http/rate-limits.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { type CursorScope, type Cursors, listingPosition } from '../cursors.ts';
import type { ReadContext, RouteRequest } from '../read-context.ts';
import { followFeed } from './follow.ts';
import type { OpenStreams } from './open-streams.ts';
import type { FeedTails } from './tails.ts';

/** One scope for pages and stream, so that a caller may change from one to the other with the same cursor. */
function feedScope(tenantId: string): CursorScope {
  return { tenantId, name: 'feed', filters: {} };
}

export function feedReads(context: ReadContext): RouteHandlers {
  return { readFeed: (request) => readFeed(context, request) };
}

/** Always answers a cursor: at the end of the feed the one that was sent, in an empty feed one at its start. */
async function readFeed({ databases, cursors }: ReadContext, request: RouteRequest<'readFeed'>): Promise<RouteResult> {
  const { tenancy, timing } = request;
  const { limit, cursor } = request.query;
  const scope = feedScope(tenancy.id);
  const start = cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const after = listingPosition(start.position);
  const events = await readFeedAfter(databases, timing, { tenantId: tenancy.id, after, limit });
  const last = events.at(-1);
  const next = last === undefined && cursor !== undefined ? cursor : cursors.encode(scope, last?.position ?? [0]);
  return { status: 200, body: { events: events.map(feedRow), cursor: next } };
}

function feedRow({ event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref }: FeedEventRow) {
  return {
    id: event_id,
    loan_id,
    kind,
    occurred_on: formatDay(occurred_on as CivilDay),
    recorded_at: formatMoment(recorded_at as Moment),
    ...(merchant_ref === null ? {} : { merchant_ref }),
  };
}

interface FeedStreams {
  readonly tails: FeedTails;
  readonly followers: OpenStreams;
}

export function feedStream(cursors: Cursors, streams: FeedStreams): RouteHandlers {
  return { streamFeed: (request) => streamFeed(cursors, streams, request) };
}

/** The kind is the event name, so that a client can listen to some kinds only. */
export function serverSentEvent(cursors: Cursors, tenantId: string, event: FeedEvent): string {
  const cursor = cursors.encode(feedScope(tenantId), event.position);
  return `id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(feedRow(event))}\n\n`;
}

// A proxy that buffers the response would deliver nothing.
const headers = { 'X-Accel-Buffering': 'no' };

async function streamFeed(
  cursors: Cursors,
  { tails, followers }: FeedStreams,
  request: RouteRequest<'streamFeed'>,
): Promise<RouteResult> {
  const { tenancy, key, timing } = request;
  const disconnected = request.disconnectSignal();
  const start = cursors.decode(feedScope(tenancy.id), request.header('Last-Event-ID'));
  if (isRefusal(start)) {
    return refuse('invalid_query', { field: 'Last-Event-ID', bound: 'a cursor of this feed' });
  }
  const { maxConcurrent } = tenancy.bounds ?? defaultBounds;
  const follower = followers.add({ tenantId: tenancy.id, fp: key.fp, maxStreams: maxConcurrent, disconnected });
  if (isRefusal(follower)) return follower;
  const tail = await tails.follow(tenancy.id, timing);
  const release = (): void => tails.release(tenancy.id);
  if (disconnected.aborted) release();
  else disconnected.addEventListener('abort', release, { once: true });
  const after = listingPosition(start.position);
  const { endSignal, isKeyValid } = follower;
  const chunks = followFeed({ tail, after, endSignal, isKeyValid });
  return { status: 200, headers, type: 'text/event-stream', stream: { chunks, stopSignal: endSignal } };
}
