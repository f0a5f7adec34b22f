/** The processor service: decides and commits the submissions of the partitions it owns. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { processorHealthName } from '#libs/database/connected-processors.ts';
import type { Database } from '#libs/database/database.ts';
import { openHealthConnection } from '#libs/database/health-connection.ts';
import { openPartitionDatabases } from '#libs/database/open-partition-databases.ts';
import { pollDatabase } from '#libs/database/poll-database.ts';
import { openDatabase, testConnection } from '#libs/database/pool.ts';
import { reportPool } from '#libs/database/pool-metrics.ts';
import { waitForMigrations } from '#libs/database/required-migrations.ts';
import { watchPartitionDatabases } from '#libs/database/watch-partition-databases.ts';
import { connectKafka, kafkaCheck, probeKafka } from '#libs/kafka/kafka-client.ts';
import { schemaRegistryCheck } from '#libs/kafka/schema-registry.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses, type UrlSource } from '#libs/runtime/follow-setting.ts';
import { runService } from '#libs/runtime/service.ts';
import { monitoringSettings, processorSettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { MovementProcess } from './movement-process.ts';
import { batchMetrics, pollLag, reportMovements, reportPartitions, reportPublisher } from './processor-metrics.ts';
import { type RunningProcessor, runProcessor } from './run-processor.ts';

/** A commit that is not answered in time is looked up on another connection, and repeated where it did not happen. */
const commitTimeoutMs = 10_000;

await runService('processor', async ({ env, logger, health, lifecycle }) => {
  const config = readConfig(env, { ...backingSettings, ...processorSettings, ...monitoringSettings });
  const { databaseUrl, partitionDatabaseUrls, redisUrl, schemaRegistryUrl } = followAddresses(env, logger);
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const lockDatabases = new Map<Database, Database>();
  /** A pool, and one for its publishing locks. */
  const open = (url: UrlSource): Database => {
    const pool = openDatabase({ url, name: 'processor', maxHoldMs: commitTimeoutMs });
    const answerTimeoutMs = commitTimeoutMs;
    const locks = openDatabase({ url, name: 'processor locks', connections: 1, answerTimeoutMs });
    lifecycle.onStop('publishing locks', () => locks.end());
    lockDatabases.set(pool, locks);
    return pool;
  };
  const lockDatabaseOf = (pool: Database): Database => lockDatabases.get(pool) as Database;
  const database = open(databaseUrl);
  const healthConnection = openHealthConnection({ url: databaseUrl, name: processorHealthName, lifecycle });
  lifecycle.onStop('postgres', () => database.end());
  const redis = openRedis(redisUrl, 'processor', logger);
  lifecycle.onStop('redis', async () => redis.disconnect());
  const kafka = connectKafka(config.kafkaBrokers, name, logger);
  health.addCheck('kafka', kafkaCheck(probeKafka(config.kafkaBrokers, name)));
  health.addCheck('postgres', () => healthConnection.query('SELECT 1'));
  health.addCheck('redis', () => redis.ping(), 'nothing');
  health.addCheck('registry', schemaRegistryCheck(schemaRegistryUrl, logger), 'starting');
  // Before anything is waited for: metrics may be read.
  let running: RunningProcessor | undefined;
  const current = (): RunningProcessor | undefined => running;
  reportPool(database);
  const expectedStandbys = config.databaseStandbys;
  pollDatabase({ database: healthConnection, expectedStandbys });
  reportPublisher(current);
  reportPartitions(current);
  let movements: MovementProcess | undefined;
  reportMovements(() => movements);
  // Closed after the processor: nothing waits for a movement.
  lifecycle.onStop('movements', async () => movements?.stop());
  for (const pool of [database, lockDatabaseOf(database)])
    await waitForDependency('Postgres', () => testConnection(pool), logger);
  await waitForMigrations(database, logger);
  const partitionDatabases = { home: database, urls: partitionDatabaseUrls, logger, lifecycle, open };
  const databases = await openPartitionDatabases(partitionDatabases);
  watchPartitionDatabases({
    databases,
    urls: partitionDatabaseUrls,
    instance: processorHealthName,
    expectedStandbys,
    health,
    lifecycle,
  });
  running = await runProcessor({
    instanceName: name,
    kafka,
    schemaRegistryUrl,
    databases,
    lockDatabaseOf,
    redis,
    deciderFor,
    logger,
    maxCachedBytes: config.maxCachedBytes,
    onCommitted: batchMetrics(databases),
    onFatal(err) {
      logger.fatal({ event: 'processor.data_lost', err }, 'committed or unread data was lost; stopping');
      lifecycle.fail();
    },
  });
  lifecycle.onStop('processor', async () => running?.stop());
  movements = new MovementProcess({ partitions: () => current()?.partitions().keys() ?? [], env, logger });
  const stopPolling = pollLag({ kafka, databases, processor: current, logger });
  lifecycle.onStop('metrics', async () => stopPolling());
});
