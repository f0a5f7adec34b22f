/** Opens connections to Redis. Redis holds nothing that cannot be lost, so commands fail fast. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { answerOrTimeout, isUnresponsive } from './redis-timeout.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 1_000;
const retryStrategy = (attempt: number): number => Math.min(50 * attempt, 500);

/** Commands fail immediately while Redis is unavailable, so that the caller uses Postgres instead of waiting. */
export function openRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    retryStrategy,
  });
  // The driver reconnects; without a listener it would print every attempt.
  redis.on('error', () => undefined);
  return redis;
}

/** The driver renews subscriptions after a reconnect. Commands have no timeout: the connection itself is monitored. */
export function openSubscriber(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    maxRetriesPerRequest: null,
    connectTimeout: connectTimeoutMs,
    // A dead network does not confirm the end of a connection.
    disconnectTimeout: 100,
    retryStrategy,
  });
  redis.on('error', () => undefined);
  monitorSubscriber(redis);
  return redis;
}

/** Whether Redis is expected to answer. */
export function isReady(redis: Redis): boolean {
  return redis.status === 'ready' && !isUnresponsive(redis);
}

/** For tools that run once: whether Redis is ready within the time. */
export async function waitUntilReady(redis: Redis, timeoutMs = 2_000): Promise<boolean> {
  if (isReady(redis)) return true;
  return once(redis, 'ready', { signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );
}

const pingIntervalMs = 500;
/** Counted in pings instead of time, so that a pause of this process does not count as silence of Redis. */
const maxUnansweredPings = 2;

/**
 * Pings a connection that only subscribes: on a dead network it would stay open without messages, and Redis would still
 * count it as a receiver. Without an answer the connection is closed and opened again.
 */
function monitorSubscriber(redis: Redis): void {
  let unanswered = 0;
  const onAnswer = (): void => {
    unanswered = 0;
  };
  const ping = (): void => {
    const answer = redis.ping();
    answer.then(onAnswer, () => undefined);
    answerOrTimeout(redis, answer).catch(() => undefined);
  };
  const check = (): void => {
    if (unanswered === maxUnansweredPings) {
      unanswered = 0;
      redis.disconnect(true);
      return;
    }
    // While connecting, the driver itself sends a command without a timeout.
    const { status } = redis;
    unanswered = status === 'ready' || status === 'connect' ? unanswered + 1 : 0;
    if (status === 'ready') ping();
  };
  redis.on('ready', onAnswer);
  const timer = setInterval(check, pingIntervalMs).unref();
  redis.once('end', () => clearInterval(timer));
}
