/** Shares the rate limits among the instances of a cell: once a second, by one pipelined call to Redis. */
import type { Redis } from 'ioredis';
import { isReady } from '#libs/redis/redis.ts';
import type { AddToTotals, RateLimiter } from './rate-limits.ts';

const intervalMs = 1_000;
/** A total to which no instance adds any more is deleted. */
const timeToLiveSeconds = 120;

/** While Redis is unavailable, each instance applies the full bounds. */
export function shareRateLimits(limiter: RateLimiter, redis: Redis): void {
  const addToTotals = totalsIn(redis);
  let isExchanging = false;
  const exchange = async (): Promise<void> => {
    if (isExchanging) return;
    isExchanging = true;
    await limiter.exchange(addToTotals);
    isExchanging = false;
  };
  const timer = setInterval(() => void exchange(), intervalMs).unref();
  redis.once('end', () => clearInterval(timer));
}

function totalsIn(redis: Redis): AddToTotals {
  return async (admitted) => {
    if (!isReady(redis)) return [];
    const pipeline = redis.pipeline();
    for (const [tenantId, count] of admitted) {
      const key = `admitted:${tenantId}`;
      pipeline.incrby(key, count).expire(key, timeToLiveSeconds);
    }
    const results = (await pipeline.exec()) ?? [];
    return admitted.map((_, index) => totalOf(results[2 * index]));
  };
}

function totalOf(result: readonly [error: Error | null, value: unknown] | undefined): number | undefined {
  return result?.[0] === null ? Number(result[1]) : undefined;
}
