/** One follower of the feed, from where it is to where the feed ends, and on as the feed grows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { FeedTail, Told } from './tail.ts';

export interface Following {
  readonly tail: Pick<FeedTail, 'after' | 'isPast'>;
  /** The number of the last event the follower has. */
  readonly after: number;
  /** Whether its key can be vouched for at this moment: where it cannot, nothing is told. */
  readonly isVouchedFor: () => boolean;
  readonly ends: AbortSignal;
  readonly heartbeatMs?: number;
}

/** How soon a follower comes again that lost its line. */
const hint = 'retry: 2000\n\n';
/** Says that the line is alive, to the follower and to whatever stands between. */
const heartbeat = ':\n\n';
const heartbeatEveryMs = 15_000;
const heldBackMs = 1_000;

export async function* follow(following: Following): AsyncGenerator<string> {
  const { tail, ends, isVouchedFor, heartbeatMs = heartbeatEveryMs } = following;
  let { after } = following;
  yield hint;
  while (!ends.aborted) {
    const page = await pageAfter(tail, after);
    if (ends.aborted) return;
    const last = page?.at(-1);
    if (page === undefined || !isVouchedFor()) {
      await sleep(heldBackMs, undefined, { signal: ends }).catch(() => undefined);
      yield heartbeat;
    } else if (last !== undefined) {
      after = last.number;
      yield page.map(({ text }) => text).join('');
    } else if (!(await tail.isPast(after, heartbeatMs, ends))) {
      yield heartbeat;
    }
  }
}

/** Undefined where the store is away: the line stays, and is told when it is back. */
async function pageAfter(tail: Following['tail'], after: number): Promise<readonly Told[] | undefined> {
  try {
    return await tail.after(after);
  } catch (cause) {
    if (cause instanceof DependencyUnavailableError) return undefined;
    throw cause;
  }
}
