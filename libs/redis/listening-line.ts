/**
 * A line that only listens: nothing that is not said tells whether it still stands, and Redis counts whoever is at the
 * end of one that a network swallows among those who heard. So it asks itself, and where nothing is answered it is
 * silent as any other (`isReady`), then dropped and made anew.
 */
import type { Redis } from 'ioredis';
import { answerInTime } from '#libs/redis/redis-timeout.ts';

const askEveryMs = 500;
/** Counted in questions and not by the clock: an answer waits for a process that stands still, and is there after it. */
const mostUnanswered = 2;

export function watchLine(redis: Redis): void {
  let unanswered = 0;
  const answered = (): void => {
    unanswered = 0;
  };
  const ask = (): void => {
    const asked = redis.ping();
    asked.then(answered, () => undefined);
    answerInTime(redis, asked).catch(() => undefined);
  };
  const look = (): void => {
    if (unanswered === mostUnanswered) {
      unanswered = 0;
      redis.disconnect(true);
      return;
    }
    // While it is being made the driver asks, and waits for ever.
    const { status } = redis;
    unanswered = status === 'ready' || status === 'connect' ? unanswered + 1 : 0;
    if (status === 'ready') ask();
  };
  redis.on('ready', answered);
  const timer = setInterval(look, askEveryMs).unref();
  redis.once('end', () => clearInterval(timer));
}
