/** Opens what every service with an HTTP port needs: connections, registered keys, the port, metrics and request logs. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Redis } from 'ioredis';
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { VerificationWorker } from '#libs/auth/verification-worker.ts';
import { type VerifySignature, verifySync } from '#libs/auth/verify.ts';
import { CellKeyRing } from '#libs/database/cell-key-ring.ts';
import type { Database } from '#libs/database/database.ts';
import { openHealthConnection } from '#libs/database/health-connection.ts';
import { openPartitionDatabases } from '#libs/database/open-partition-databases.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { pollDatabase } from '#libs/database/poll-database.ts';
import { PolledKeyRing } from '#libs/database/polled-key-ring.ts';
import { openDatabase, testConnection } from '#libs/database/pool.ts';
import { reportPool } from '#libs/database/pool-metrics.ts';
import { waitForMigrations } from '#libs/database/required-migrations.ts';
import { watchPartitionDatabases } from '#libs/database/watch-partition-databases.ts';
import { accessLog } from '#libs/http/access-log.ts';
import { type AppOptions, createApp } from '#libs/http/app.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { idempotencyGuard } from '#libs/http/idempotency.ts';
import type { RequestObserver } from '#libs/http/middleware.ts';
import { RateLimiter } from '#libs/http/rate-limits.ts';
import { RequestLog } from '#libs/http/request-log.ts';
import { requestMetrics } from '#libs/http/request-metrics.ts';
import { endRequestSpan } from '#libs/http/request-trace.ts';
import { shareRateLimits } from '#libs/http/share-rate-limits.ts';
import { connectKafka, type KafkaClient, kafkaCheck, probeKafka } from '#libs/kafka/kafka-client.ts';
import { schemaRegistryCheck } from '#libs/kafka/schema-registry.ts';
import { openRedis, openSubscriber } from '#libs/redis/redis.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { DependencyUnavailableError, waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses, followTls, type TlsSource, type UrlSource } from '#libs/runtime/follow-setting.ts';
import type { Health } from '#libs/runtime/health.ts';
import { type HttpListener, listen } from '#libs/runtime/http-listener.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import type { Service } from '#libs/runtime/service.ts';
import { httpSettings, httpTls, monitoringSettings } from '#libs/runtime/settings.ts';
import { answerBrokenRequest } from './send-response.ts';

export interface HttpServer {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: UrlSource;
  /** The home database. */
  readonly database: Database;
  readonly databases: PartitionDatabases;
  readonly redis: Redis;
  readonly subscriber: Redis;
  readonly keyRing: KeyRing;
  /** Serves these routes from now on, until the service stops. */
  serve(handlers: RouteHandlers): Promise<void>;
}

/** Less than the response timeout, so that most 503 answers can name the dependency in the log. */
const queryTimeoutMs = 2_500;

/** Each connection may hold a small body of an unknown caller: 64 MiB together. */
const maxConnections = 4_096;

interface HttpServerOptions {
  /** Whether the routes append to the topic of submissions. Reads need neither Kafka nor the registry. */
  readonly submits: boolean;
  /** Opens the port with `serve`. Default: at once, and requests get 503 until then. */
  readonly opensPortLate?: boolean;
}

export async function openHttpServer(
  service: Service,
  { submits, opensPortLate = false }: HttpServerOptions,
): Promise<HttpServer> {
  const { name, env, host, logger, health, lifecycle } = service;
  const config = readConfig(env, { ...backingSettings, ...httpSettings, ...monitoringSettings });
  const { databaseUrl: url, partitionDatabaseUrls, redisUrl, schemaRegistryUrl } = followAddresses(env, logger);
  const instance = `${name}-${randomUUID().slice(0, 8)}`;
  const connections = config.databaseConnections;
  /** In the order of the databases. */
  const urls: UrlSource[] = [];
  const open = (url: UrlSource): Database => {
    urls.push(url);
    return openDatabase({ url, name: instance, connections, maxHoldMs: queryTimeoutMs });
  };
  const database = open(url);
  lifecycle.onStop('postgres', () => database.end());
  reportPool(database);
  const healthConnection = openHealthConnection({ url, name: `${instance}-health`, lifecycle });
  const expectedStandbys = config.databaseStandbys;
  pollDatabase({ database: healthConnection, expectedStandbys });
  const redis = openRedis(redisUrl, instance, logger);
  const subscriber = openSubscriber(redisUrl, instance, logger);
  lifecycle.onStop('redis', async () => {
    redis.disconnect();
    subscriber.disconnect();
  });
  const kafka = connectKafka(config.kafkaBrokers, instance, logger);
  health.addCheck('postgres', () => healthConnection.query('SELECT 1'));
  health.addCheck('redis', () => redis.ping(), 'nothing');
  if (submits) {
    health.addCheck('kafka', kafkaCheck(probeKafka(config.kafkaBrokers, instance)));
    health.addCheck('registry', schemaRegistryCheck(schemaRegistryUrl, logger), 'starting');
  }
  const requestLog = openRequestLog(service, { url, instance });
  const verify = openVerification(lifecycle, logger);
  const observe = requestObserver(logger, requestLog, config.accessLogSample);
  const tls: TlsSource | undefined =
    config.httpCert === undefined ? undefined : (onChange) => followTls(env, httpTls, logger, onChange);
  const port = createPort({ health, logger, host, port: config.port, tls, verify, observe });
  if (!opensPortLate) await port.open();
  await waitForDependency('Postgres', () => testConnection(database), logger);
  await waitForMigrations(database, logger);
  const sources = { home: database, urls: partitionDatabaseUrls, logger, lifecycle, open };
  const databases = await openPartitionDatabases(sources);
  watchPartitionDatabases({
    databases,
    urls: sources.urls,
    instance: `${instance}-health`,
    expectedStandbys,
    health,
    lifecycle,
  });
  const keyRings = await Promise.all(urls.map((each) => openKeyRing(service, { url: each, instance, subscriber })));
  const keyRing = new CellKeyRing(databases, keyRings);
  const idempotency = idempotencyGuard({
    databases,
    onNotStored: (err) =>
      logger.error({ event: 'http.outcome_not_stored', err }, 'failed to store the outcome of an Idempotency-Key'),
  });
  const rateLimiter = new RateLimiter();
  shareRateLimits(rateLimiter, redis);
  return {
    kafka,
    schemaRegistryUrl,
    database,
    databases,
    redis,
    subscriber,
    keyRing,
    async serve(handlers) {
      port.serve({ handlers, keyRing, idempotency, rateLimiter });
      // Opened last and closed first: the handlers use everything opened before.
      lifecycle.onStop('http', () => port.close());
      lifecycle.onDrain('callers', () => lifecycle.drain());
      // A process that stops while it starts has closed what the handlers use.
      if (opensPortLate && !lifecycle.stopping.aborted) await port.open();
    },
  };
}

/** The keys have a connection of their own: a revocation must not wait behind queries of callers. */
async function openKeyRing(
  { lifecycle, logger }: Service,
  { url, instance, subscriber }: { readonly url: UrlSource; readonly instance: string; readonly subscriber: Redis },
): Promise<PolledKeyRing> {
  const database = openDatabase({ url, name: `${instance}-keys`, connections: 1, maxHoldMs: queryTimeoutMs });
  const keyRing = await PolledKeyRing.open(database, subscriber, logger);
  lifecycle.onStop('keys', () => {
    keyRing.close();
    return database.end();
  });
  return keyRing;
}

function openRequestLog(
  { lifecycle, logger }: Service,
  { url, instance }: { readonly url: UrlSource; readonly instance: string },
): RequestLog {
  const database = openDatabase({ url, name: `${instance}-log`, connections: 1, maxHoldMs: queryTimeoutMs });
  const requestLog = new RequestLog({ database, logger, registry: metrics });
  lifecycle.onStop('request_log', async () => {
    await requestLog.close();
    await database.end();
  });
  return requestLog;
}

interface ServicePort {
  open(): Promise<void>;
  close(): Promise<void>;
  serve(options: Pick<AppOptions, 'handlers' | 'keyRing' | 'idempotency' | 'rateLimiter'>): void;
}

/** Health checks are answered once it is open; other requests get 503 until `serve` is called. */
function createPort(service: {
  readonly health: Health;
  readonly logger: Logger;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSource | undefined;
  readonly verify: VerifySignature;
  readonly observe: RequestObserver;
}): ServicePort {
  const { health, logger, host, port, tls, verify, observe } = service;
  let app = createApp({ handlers: healthHandlers(health), keyRing: unavailableKeyRing, observe, verify });
  const listener: RequestListener = (request, response) => app(request, response);
  let http: Promise<HttpListener> | undefined;
  return {
    async open() {
      http = listen(listener, { host, port, tls, onBrokenRequest: answerBrokenRequest, maxConnections });
      logger.info({ event: 'http.listening', port: (await http).port }, 'listening');
    },
    serve({ handlers, ...options }) {
      app = createApp({ handlers: { ...healthHandlers(health), ...handlers }, ...options, observe, verify });
    },
    close: async () => (await http)?.close(),
  };
}

/** On one core a second thread would only add work. */
function openVerification(lifecycle: Service['lifecycle'], logger: Logger): VerifySignature {
  if (availableParallelism() === 1) return verifySync;
  const onFailure = (err: unknown): void =>
    logger.error(
      { event: 'http.verification_worker_lost', err },
      'the verification thread failed; verifying signatures on the main thread',
    );
  try {
    const worker = new VerificationWorker(onFailure);
    lifecycle.onStop('verification', () => worker.close());
    return worker.verify;
  } catch (cause) {
    // The system allows no more threads.
    onFailure(cause);
    return verifySync;
  }
}

const unavailableKeyRing: KeyRing = {
  find() {
    throw new DependencyUnavailableError('key ring');
  },
  lastKnownTenancyId: () => undefined,
};

/** Routes like any other, so that their answers carry the usual headers. */
function healthHandlers(health: Health): RouteHandlers {
  return {
    readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
    readReadiness: async () => {
      const readiness = await health.readiness();
      return { status: readiness.status === 'ready' ? 200 : 503, body: readiness };
    },
  };
}

function requestObserver(logger: Logger, requestLog: RequestLog, accessLogSample: number): RequestObserver {
  const count = requestMetrics(metrics);
  const writeAccessLog = accessLog({ logger, sample: accessLogSample });
  return (answered) => {
    const { context, status, code } = answered;
    const { cause } = context;
    requestLog.record(answered);
    writeAccessLog(answered);
    endRequestSpan(answered);
    const route = context.route?.name ?? 'none';
    count({ route, status, code, seconds: context.timing.total() / 1_000 });
    if (cause === undefined) return;
    const fields = { err: cause, request_id: context.requestId, route, status };
    if (status === 503) logger.warn({ event: 'http.request_unavailable', ...fields }, 'request answered 503');
    else logger.error({ event: 'http.request_failed', ...fields }, 'request failed');
  };
}
