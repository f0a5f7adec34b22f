/** Opens connections to Redis. Redis holds nothing that cannot be lost, so commands fail fast. */
import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { redisTls } from '#libs/runtime/connection-settings.ts';
import { currentUrl, followTls, tlsOptions, type UrlSource } from '#libs/runtime/follow-setting.ts';
import { type Logger, silentLogger } from '#libs/runtime/logging.ts';
import { OutageLog } from '#libs/runtime/outage-log.ts';
import { answerOrTimeout, isUnresponsive } from './redis-timeout.ts';

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 1_000;
/** Of a command that somebody runs: longer than a failover of Redis, or the start of a connection on a busy machine. */
const toolTimeoutMs = 15_000;
const failingFast = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: connectTimeoutMs };
const retryStrategy = (attempt: number): number => Math.min(50 * attempt, 500);

/** Commands fail immediately while Redis is unavailable, so that the caller uses Postgres instead of waiting. */
export function openRedis(url: UrlSource, name: string, logger: Logger = silentLogger): Redis {
  return connect(url, name, { ...failingFast, commandTimeout: commandTimeoutMs }, logger);
}

/** For a command that somebody runs. It computes for seconds between its reads, which must not look like an outage. */
export function openToolRedis(url: UrlSource, name: string): Redis {
  return connect(url, name, { ...failingFast, commandTimeout: toolTimeoutMs }, silentLogger);
}

/** For `keepSubscribed`. Commands have no timeout: the connection itself is monitored. */
export function openSubscriber(url: UrlSource, name: string, logger: Logger = silentLogger): Redis {
  // A dead network does not confirm the end of a connection.
  const options = {
    maxRetriesPerRequest: null,
    connectTimeout: connectTimeoutMs,
    disconnectTimeout: 100,
    autoResubscribe: false,
  };
  const redis = connect(url, `${name}-subscriber`, options, logger);
  monitorSubscriber(redis);
  return redis;
}

/**
 * Subscribes now and after every reconnect. The driver could do that itself, but a connection that closes meanwhile would
 * be an unhandled rejection, which ends the process. Returns what ends the subscription.
 */
export function keepSubscribed(subscriber: Redis, channel: string): () => void {
  const subscribe = (): void => {
    subscriber.subscribe(channel).catch(() => undefined);
  };
  subscriber.on('ready', subscribe);
  if (subscriber.status === 'ready') subscribe();
  return () => {
    subscriber.off('ready', subscribe);
    subscriber.unsubscribe(channel).catch(() => undefined);
  };
}

type ConnectionOptions = Pick<
  RedisOptions,
  | 'autoResubscribe'
  | 'commandTimeout'
  | 'connectTimeout'
  | 'disconnectTimeout'
  | 'enableOfflineQueue'
  | 'maxRetriesPerRequest'
>;

/** The driver reconnects without end, each time with the current address, credentials and certificates. */
function connect(url: UrlSource, name: string, options: ConnectionOptions, logger: Logger): Redis {
  const address = currentUrl(url);
  const tls = address.startsWith('rediss:') ? tlsOptions(followTls(process.env, redisTls, logger)) : undefined;
  const redis: Redis = new Redis(address, {
    ...options,
    ...(tls === undefined ? {} : { tls }),
    connectionName: name,
    retryStrategy(attempt: number) {
      if (typeof url === 'function') Object.assign(redis.options, loginOf(url()));
      return retryStrategy(attempt);
    },
  });
  const outage = new OutageLog({ dependency: 'redis', connection: name }, logger);
  redis.on('error', (error: unknown) => outage.failed(error));
  redis.on('ready', () => outage.answered());
  return redis;
}

/** The parts of an address that may change while the process runs, as the driver reads them. */
function loginOf(url: string) {
  const { host, port, username, password } = new Redis(url, { lazyConnect: true }).options;
  return { host, port, username, password };
}

/** Whether Redis is expected to answer. */
export function isReady(redis: Redis): boolean {
  return redis.status === 'ready' && !isUnresponsive(redis);
}

/** For tools that run once: whether Redis is ready within the time. */
export async function waitUntilReady(redis: Redis, timeoutMs = toolTimeoutMs): Promise<boolean> {
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
