/** The event stream of one follower: from its last event to the end of the feed, and on as the feed grows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListingPosition } from '#libs/database/merge-pages.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type FeedTail, placeAfter, type RenderedEvent } from './tail.ts';

export interface FollowOptions {
  readonly tail: Pick<FeedTail, 'after' | 'waitForEvent'>;
  /** The place after the last event the follower has. */
  readonly after: ListingPosition;
  /** While it returns false, no event is sent. */
  readonly isKeyValid: () => boolean;
  readonly endSignal: AbortSignal;
  readonly heartbeatMs?: number;
}

/** After a lost connection the client reconnects after this time. */
const retryField = 'retry: 2000\n\n';
/** A comment, which keeps the connection open through proxies. */
const heartbeat = ':\n\n';
const defaultHeartbeatMs = 15_000;
const pauseMs = 1_000;

export async function* followFeed(options: FollowOptions): AsyncGenerator<string> {
  const { tail, endSignal, isKeyValid, heartbeatMs = defaultHeartbeatMs } = options;
  let { after } = options;
  yield retryField;
  while (!endSignal.aborted) {
    const events = await eventsAfter(tail, after);
    if (endSignal.aborted) return;
    if (events === undefined || !isKeyValid()) {
      await sleep(pauseMs, undefined, { signal: endSignal }).catch(() => undefined);
      yield heartbeat;
    } else if (events.length > 0) {
      after = placeAfter(after, events);
      yield events.map(({ text }) => text).join('');
    } else if (!(await tail.waitForEvent(after, heartbeatMs, endSignal))) {
      yield heartbeat;
    }
  }
}

/** Undefined while the database is unavailable: the stream stays open and continues afterwards. */
async function eventsAfter(
  tail: FollowOptions['tail'],
  place: ListingPosition,
): Promise<readonly RenderedEvent[] | undefined> {
  try {
    return await tail.after(place);
  } catch (cause) {
    if (cause instanceof DependencyUnavailableError) return undefined;
    throw cause;
  }
}
