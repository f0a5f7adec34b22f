/** The feed as it grows: server-sent events, each with the cursor behind it, so that a follower misses none. */

import type { FeedEvent } from '#libs/database/read-feed.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { defaultBounds } from '#libs/http/rate-limits.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { Cursors, Place } from '../cursors.ts';
import type { RequestTo } from '../reads.ts';
import { follow } from './follow.ts';
import type { Followers } from './followers.ts';
import { feedOf, feedRow } from './page.ts';
import type { FeedTails } from './tails.ts';

interface FeedParts {
  readonly tails: FeedTails;
  readonly followers: Followers;
}

export function feedStream(cursors: Cursors, parts: FeedParts): RouteHandlers {
  return { streamFeed: (asked) => streamFeed(cursors, parts, asked) };
}

/** The same row and the same cursor as the page's; the kind beside it, for who listens to some alone. */
export function streamedEvent(cursors: Cursors, tenantId: string, event: FeedEvent): string {
  const cursor = cursors.give(feedOf(tenantId), [event.number]);
  return `id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(feedRow(event))}\n\n`;
}

// A proxy that gathers an answer before it hands it on would hand on nothing.
const headers = { 'X-Accel-Buffering': 'no' };

async function streamFeed(
  cursors: Cursors,
  { tails, followers }: FeedParts,
  asked: RequestTo<'streamFeed'>,
): Promise<RouteResult> {
  const { tenancy, key, timing } = asked;
  const gone = asked.gone();
  const taken = lastHad(cursors.take(feedOf(tenancy.id), asked.header('Last-Event-ID')));
  if (isRefusal(taken)) return taken;
  const { concurrent: bound } = tenancy.bounds ?? defaultBounds;
  const follower = followers.enter({ tenantId: tenancy.id, fp: key.fp, bound, gone });
  if (isRefusal(follower)) return follower;
  const tail = await tails.follow(tenancy.id, timing);
  const letGo = (): void => tails.letGo(tenancy.id);
  if (gone.aborted) letGo();
  else gone.addEventListener('abort', letGo, { once: true });
  const after = Number(taken.place?.[0] ?? 0);
  const { ends, isVouchedFor } = follower;
  const pieces = follow({ tail, after, ends, isVouchedFor });
  return { status: 200, headers, type: 'text/event-stream', stream: { pieces, ends } };
}

/** A cursor that is none is told by the name of the header it came in. */
function lastHad(taken: { readonly place: Place | undefined } | Refusal): typeof taken {
  if (!isRefusal(taken)) return taken;
  return refuse('invalid_query', { field: 'Last-Event-ID', bound: 'a cursor of this feed' });
}
