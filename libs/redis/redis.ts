/** Redis as the services use it: fast or not at all. What it holds can be dropped at any moment. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { watchLine } from '#libs/redis/listening-line.ts';
import { isSilent } from './redis-timeout.ts';

/** Commands fail at once while it is away, so that whoever asks goes to Postgres instead of waiting. */
export function openRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (times) => Math.min(50 * times, 500),
  });
  // Reconnecting is the driver's; without a listener every attempt would be printed.
  redis.on('error', () => undefined);
  return redis;
}

/** Subscriptions are made anew by the driver; no command has a timeout, for the line itself is watched. */
export function openSubscriber(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    // A line that is swallowed does not end by being told to.
    disconnectTimeout: 100,
    retryStrategy: (times) => Math.min(50 * times, 500),
  });
  redis.on('error', () => undefined);
  watchLine(redis);
  return redis;
}

/** Whether it would answer, as far as is known. */
export function isReady(redis: Redis): boolean {
  return redis.status === 'ready' && !isSilent(redis);
}

/** For a tool that runs once: whether it answers within the time. */
export async function untilReady(redis: Redis, withinMs = 2_000): Promise<boolean> {
  if (isReady(redis)) return true;
  return once(redis, 'ready', { signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  );
}
