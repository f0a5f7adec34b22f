/**
 * The write routes in this process, for the demo Tenancy alone. Requests are signed, checked and recorded like any other;
 * only the bounds of the Tenancy, which are for its callers, do not slow them down.
 */
import { Registry } from 'prom-client';
import { InMemoryKeyRing, type RegisteredTenancy } from '#libs/auth/key-ring.ts';
import { parseSigner } from '#libs/auth/signer.ts';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { createApp } from '#libs/http/app.ts';
import { idempotencyGuard } from '#libs/http/idempotency.ts';
import { RateLimiter, type TenancyLimiter } from '#libs/http/rate-limits.ts';
import { RequestLog } from '#libs/http/request-log.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { openRedis, openSubscriber } from '#libs/redis/redis.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { listen } from '#libs/runtime/http-listener.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { Lending } from '#libs/sdk/src/lending.ts';
import type { CellAddresses } from '#libs/submission/open-submission-client.ts';
import { openIngressRoutes } from '#services/ingress/write-handlers.ts';

export interface WriteApi {
  readonly lending: Lending;
  close(): Promise<void>;
}

export interface Writer {
  readonly tenancy: RegisteredTenancy;
  /** The secret of a write key of the Tenancy. */
  readonly key: string;
}

/** How many requests may be in progress; what a caller sends at once is less. */
const bounds = { maxConcurrent: 128, maxWaitMs: 5_000, requestsPerSecond: 100_000, burst: 100_000 };
const name = 'demo-data';

export async function openWriteApi(addresses: CellAddresses, { tenancy, key }: Writer): Promise<WriteApi> {
  const logger = silentLogger;
  const { databaseUrl, partitionDatabaseUrls = new Map(), redisUrl, schemaRegistryUrl, kafkaBrokers } = addresses;
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closing of closings.toReversed()) await closing();
  };
  const lifecycle = { onStop: (_: string, closing: () => Promise<unknown>) => void closings.push(closing) };
  const open = (url: UrlSource): Database => {
    const pool = openDatabase({ url, name, connections: 4 });
    lifecycle.onStop('postgres', () => pool.end());
    return pool;
  };
  const database = open(databaseUrl);
  const redis = openRedis(redisUrl, name, logger);
  const subscriber = openSubscriber(redisUrl, name, logger);
  lifecycle.onStop('redis', async () => {
    redis.disconnect();
    subscriber.disconnect();
  });
  try {
    const kafka = connectKafka(kafkaBrokers, name, logger);
    const databases = await openDatabasesOf(database, { urls: () => partitionDatabaseUrls, open });
    const connections = { kafka, schemaRegistryUrl, databases, redis, subscriber };
    const handlers = await openIngressRoutes({ logger, lifecycle }, connections);
    const requestLog = new RequestLog({ database, logger, registry: new Registry() });
    lifecycle.onStop('request log', () => requestLog.close());
    const app = createApp({
      handlers,
      keyRing: keyRingOf(tenancy, key),
      rateLimiter: withOwnBounds(),
      idempotency: idempotencyGuard({ databases, onNotStored: () => undefined }),
      observe: (answered) => requestLog.record(answered),
    });
    const http = await listen(app, { host: '127.0.0.1', port: 0 });
    lifecycle.onStop('http', () => http.close());
    const baseUrl = `http://127.0.0.1:${http.port}`;
    return { lending: new Lending({ baseUrl, tenant: tenancy.id, key }), close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

function keyRingOf(tenancy: RegisteredTenancy, key: string): InMemoryKeyRing {
  const signer = parseSigner(key);
  if (signer === undefined) throw new Error('the key of the demo Tenancy cannot be parsed; expected lsk_test_…');
  const keyRing = new InMemoryKeyRing();
  keyRing.putTenancy(tenancy);
  keyRing.putKey({ publicKey: signer.publicKey, tenantId: tenancy.id, scope: 'write', holder: 'service' });
  return keyRing;
}

function withOwnBounds(): TenancyLimiter {
  const limiter = new RateLimiter();
  return { acquire: (tenantId) => limiter.acquire(tenantId, bounds) };
}
