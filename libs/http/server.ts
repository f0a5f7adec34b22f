/** What stands behind every port that callers come to: the backing services, the keys, the door, figures and logs. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Redis } from 'ioredis';
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { type Verify, VerifyAside } from '#libs/auth/verification-worker.ts';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { KeyWatch } from '#libs/database/key-watch.ts';
import { answerBrokenRequest } from '#libs/http/broken-request.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { answerOnce } from '#libs/http/idempotency.ts';
import { entranceTo } from '#libs/http/middleware.ts';
import { RequestFigures } from '#libs/http/request-metrics.ts';
import { type Passage, type PipelineOptions, RequestPipeline } from '#libs/http/request-pipeline.ts';
import { askKafka, connectKafka, type KafkaClient } from '#libs/kafka/kafka.ts';
import { openRedis, openSubscriber } from '#libs/redis/redis.ts';
import { kafkaAnswers, postgresAnswers, redisAnswers, registryAnswers } from '#libs/runtime/backing.ts';
import { backing, integer, port, readConfig } from '#libs/runtime/config.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { Health } from '#libs/runtime/health.ts';
import { listen } from '#libs/runtime/http.ts';
import { type Logger, withRequestId } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics.ts';
import type { Service } from '#libs/runtime/service.ts';
import type { TurnAway } from '#libs/runtime/turned-away.ts';

export interface HttpServer {
  readonly log: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly database: Database;
  readonly redis: Redis;
  readonly subscriber: Redis;
  readonly keyRing: KeyWatch;
  /** From now on callers are served by these, until the service stops. */
  serve(handlers: RouteHandlers): void;
}

const settings = {
  ...backing,
  port: port('PORT', 8080),
  connections: integer('DATABASE_CONNECTIONS', { least: 1, most: 500, fallback: 8 }),
};

/** Less than a caller is let wait, so that most are told what did not answer. */
const storeWithinMs = 2_500;

export async function openHttpServer({ name, env, logger, health, lifecycle }: Service): Promise<HttpServer> {
  const config = readConfig(env, settings);
  const instance = `${name}-${randomUUID().slice(0, 8)}`;
  const database = openDatabase({
    url: config.databaseUrl,
    name: instance,
    connections: config.connections,
    heldAtMostMs: storeWithinMs,
  });
  lifecycle.onStop('postgres', () => database.end());
  const redis = openRedis(config.redisUrl, instance);
  const subscriber = openSubscriber(config.redisUrl, instance);
  lifecycle.onStop('redis', async () => {
    redis.disconnect();
    subscriber.disconnect();
  });
  const log = connectKafka(config.kafkaBrokers, instance, logger);
  health.add('kafka', kafkaAnswers(askKafka(config.kafkaBrokers, instance)));
  health.add('postgres', postgresAnswers(database));
  health.add('redis', redisAnswers(redis));
  health.add('registry', registryAnswers(config.schemaRegistryUrl));
  const entrance = await openEntrance({ health, logger, port: config.port });
  const askedForKeys = openDatabase({
    url: config.databaseUrl,
    name: `${instance}-keys`,
    connections: 1,
    heldAtMostMs: storeWithinMs,
  });
  const keyRing = await KeyWatch.open(askedForKeys, subscriber, logger);
  lifecycle.onStop('keys', () => {
    keyRing.close();
    return askedForKeys.end();
  });
  const once = answerOnce({
    database,
    onUnkept: (err) => logger.error({ err }, 'the outcome of a request under an Idempotency-Key could not be kept'),
  });
  const verify = verifyBeside(lifecycle, logger);
  const { schemaRegistryUrl } = config;
  return {
    log,
    schemaRegistryUrl,
    database,
    redis,
    subscriber,
    keyRing,
    serve(handlers) {
      entrance.admit({ handlers, keyRing, once, verify });
      // The last to open and the first to close: what it passes on stands behind it.
      lifecycle.onStop('http', entrance.close);
      lifecycle.onLeave('callers', () => lifecycle.drain());
    },
  };
}

/** On one core there is nothing to be had of a thread beside this one. */
function verifyBeside(lifecycle: Service['lifecycle'], logger: Logger): Verify | undefined {
  if (availableParallelism() === 1) return undefined;
  const onLost = (err: unknown): void => logger.error({ err }, 'signatures are verified by the thread that answers');
  try {
    const aside = new VerifyAside(onLost);
    lifecycle.onStop('signatures', () => aside.end());
    return aside.verifies;
  } catch (cause) {
    // Where no more threads are to be had.
    onLost(cause);
    return undefined;
  }
}

/** What the door works with, and what it passes on to. */
type Behind = Pick<PipelineOptions, 'handlers' | 'keyRing' | 'once' | 'verify'>;

interface Entrance {
  admit(behind: Behind): void;
  close(): Promise<void>;
}

/** Each may hold a small body that nobody has been found to have signed: 64 MiB of them together. */
const mostLines = 4_096;

/** The port answers from the beginning: a balancer reads there what is missing, and no caller is vouched for yet. */
async function openEntrance(service: { health: Health; logger: Logger; port: number }): Promise<Entrance> {
  const { health, logger, port } = service;
  const observe = observer(logger);
  const serving = ({ handlers, ...parts }: Behind) => {
    const door = new RequestPipeline({
      handlers: { ...probes(health), ...handlers },
      ...parts,
      observe,
      withRequestId,
    });
    return { door, entrance: entranceTo(door) };
  };
  let served = serving({ handlers: {}, keyRing: nobodyYet });
  const handle: RequestListener = (request, response) => served.entrance(request, response);
  const turnAway: TurnAway = {
    isOnGuard: () => served.door.turnAway.isOnGuard(),
    answer: (request) => served.door.turnAway.answer(request),
  };
  const http = await listen(handle, port, { answerBroken: answerBrokenRequest, mostLines, turnAway });
  logger.info({ port: http.port }, 'listening');
  return {
    admit(behind) {
      served = serving(behind);
    },
    close: () => http.close(),
  };
}

const nobodyYet: KeyRing = {
  find() {
    throw new DependencyUnavailableError('keys');
  },
};

/** Through the door like every answer, so that they carry its headers. */
function probes(health: Health): RouteHandlers {
  return {
    readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
    readReadiness: async () => {
      const readiness = await health.ready();
      return { status: readiness.status === 'ready' ? 200 : 503, body: readiness };
    },
  };
}

function observer(logger: Logger): (passage: Passage) => void {
  const figures = new RequestFigures();
  figures.register(metrics);
  return ({ asked, status, code }) => {
    const { cause } = asked;
    const route = asked.route ?? 'none';
    figures.observe(route, status, code, asked.timing.total() / 1_000);
    if (cause === undefined) return;
    const fields = { err: cause, request_id: asked.requestId, route, status };
    // The world's faults pass; our own are looked at by a person.
    if (status === 503) logger.warn(fields, 'a request could not be served');
    else logger.error(fields, 'a request failed');
  };
}
