/** The process of `movement-process.ts`. Its connections are its own; its settings are those of the processor. */
import { hostname } from 'node:os';
import type { Database } from '#libs/database/database.ts';
import { openPartitionDatabases } from '#libs/database/open-partition-databases.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses, type UrlSource } from '#libs/runtime/follow-setting.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import { createLogger, synchronousOutput } from '#libs/runtime/logging.ts';
import { processSettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { FollowerReports } from './follower-reports.ts';
import { MovementFollower } from './movement-follower.ts';
import type { MessageToFollower } from './movement-process.ts';
import { spareTime } from './spare-time.ts';

/** Longer than of the processor: without processor time to spare, this process reads an answer late. */
const answerTimeoutMs = 60_000;
const spareTimeIntervalMs = 1_000;

// A signal of a terminal or of a service manager reaches the whole process group: the processor says when to stop.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);

const { env } = process;
const config = readConfig(env, { ...backingSettings, logLevel: processSettings.logLevel });
const logger = createLogger('processor', config.logLevel, synchronousOutput());
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (err: unknown) => {
    logger.fatal({ event: 'service.uncaught_error', err }, 'uncaught error in the process of movements; exiting');
    process.exit(1);
  });
}
const { databaseUrl, partitionDatabaseUrls, schemaRegistryUrl } = followAddresses(env, logger);
const urls = new Map<Database, UrlSource>();
const open = (url: UrlSource): Database => {
  const database = openDatabase({ url, name: 'movements', connections: 1, maxHoldMs: answerTimeoutMs });
  urls.set(database, url);
  return database;
};
const home = open(databaseUrl);
const registry = new SchemaRegistry(schemaRegistryUrl);

/** Of each database. */
const followers = new Map<Database, MovementFollower>();
const reports = new FollowerReports<Database>();
let databases: PartitionDatabases | undefined;
let assigned: readonly number[] = [];
let timeShare = 1;
let isStopping = false;

const readSpareTime = spareTime();
setInterval(() => {
  timeShare = readSpareTime();
}, spareTimeIntervalMs).unref();

process.on('message', (message: MessageToFollower) => {
  if (message.type === 'stop') void stop();
  else {
    assigned = message.partitions;
    assign();
  }
});
// The processor has ended, perhaps before this process listened: its successor publishes the movements.
process.once('disconnect', () => process.exit());
if (!process.connected) process.exit();

const codec = await waitForDependency(
  'the schema registry',
  () => AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema),
  logger,
);
// The process ends with all its connections.
const lifecycle = { onStop: () => undefined };
databases = await openPartitionDatabases({ home, urls: partitionDatabaseUrls, logger, lifecycle, open });
if (!isStopping) {
  for (const database of databases.all) followers.set(database, createFollower(database, databases.all.length));
  assign();
}

function createFollower(database: Database, count: number): MovementFollower {
  const url = urls.get(database) as UrlSource;
  return new MovementFollower({
    kafka: connectKafka(config.kafkaBrokers, `${hostname()}/${process.pid}/movements`, logger),
    codec,
    database,
    lockDatabase: openDatabase({ url, name: 'movements locks', connections: 1, answerTimeoutMs }),
    deciderFor,
    logger,
    bookLimits: {
      maxCachedBytes: heapShareBytes('movementBooks') / count,
      maxLoadedBytes: heapShareBytes('loadedMovementBooks') / count,
      maxBookBytes: heapShareBytes('movementBook') / count,
      maxLineBytes: heapShareBytes('movementLines') / count,
    },
    timeShare: () => timeShare,
    onRound: (state) => {
      reports.add(database, state);
      if (process.connected) process.send?.(reports.state);
    },
  });
}

function assign(): void {
  const groups = databases?.groupByPartition(assigned);
  for (const [database, follower] of followers) {
    const partitions = groups?.get(database) ?? [];
    reports.assign(database, partitions.length);
    follower.assign(partitions);
  }
}

async function stop(): Promise<void> {
  isStopping = true;
  await Promise.all([...followers.values()].map((follower) => follower.stop()));
  process.exit();
}
