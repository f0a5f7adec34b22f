/** The processor service: decides and commits the submissions of the partitions it owns. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Counter, Gauge } from 'prom-client';
import { openDatabase, testConnection } from '#libs/database/pool.ts';
import { connectKafka, kafkaCheck, probeKafka } from '#libs/kafka/kafka-client.ts';
import { schemaRegistryCheck } from '#libs/kafka/schema-registry.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses } from '#libs/runtime/follow-setting.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { runService } from '#libs/runtime/service.ts';
import { processorSettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { CommittedBatch } from './processor.ts';
import { type RunningProcessor, runProcessor } from './run-processor.ts';

/** A commit that is not answered in time is looked up on another connection, and repeated where it did not happen. */
const commitTimeoutMs = 10_000;

await runService('processor', async ({ env, logger, health, lifecycle }) => {
  const config = readConfig(env, { ...backingSettings, ...processorSettings });
  const { databaseUrl, redisUrl, schemaRegistryUrl } = followAddresses(env, logger);
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const database = openDatabase({ url: databaseUrl, name: 'processor', maxHoldMs: commitTimeoutMs });
  const locks = openDatabase({
    url: databaseUrl,
    name: 'processor locks',
    connections: 1,
    answerTimeoutMs: commitTimeoutMs,
  });
  lifecycle.onStop('postgres', () => database.end());
  lifecycle.onStop('publishing locks', () => locks.end());
  const redis = openRedis(redisUrl, 'processor', logger);
  lifecycle.onStop('redis', async () => redis.disconnect());
  const kafka = connectKafka(config.kafkaBrokers, name, logger);
  health.addCheck('kafka', kafkaCheck(probeKafka(config.kafkaBrokers, name)));
  health.addCheck('postgres', () => database.query('SELECT 1'));
  health.addCheck('redis', () => redis.ping(), 'nothing');
  health.addCheck('registry', schemaRegistryCheck(schemaRegistryUrl, logger), 'starting');
  for (const pool of [database, locks]) await waitForDependency('Postgres', () => testConnection(pool), logger);
  let running: RunningProcessor | undefined;
  running = await runProcessor({
    instanceName: name,
    kafka,
    schemaRegistryUrl,
    database,
    lockDatabase: locks,
    redis,
    deciderFor,
    logger,
    maxCachedBytes: config.maxCachedBytes,
    // Metrics may be read before the processor is running.
    onCommitted: batchMetrics(() => running?.publisher),
    onFatal(err) {
      logger.fatal({ event: 'processor.data_lost', err }, 'committed or unread data was lost; stopping');
      lifecycle.fail();
    },
  });
  lifecycle.onStop('processor', async () => running?.stop());
});

function batchMetrics(publisher: () => RunningProcessor['publisher'] | undefined) {
  const registers = [metrics];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const submissions = counter('lending_submissions_total', 'Submissions that received a verdict.');
  const facts = counter('lending_facts_total', 'Facts recorded.');
  const parked = counter('lending_parked_total', 'Submissions parked until an operator releases their book.');
  const batches = counter('lending_batches_total', 'Transactions committed.');
  const ahead = counter(
    'lending_batches_ahead_total',
    'Committed batches that were decided while the batch before them was committed.',
  );
  new Gauge({
    name: 'lending_publisher_behind',
    help: 'Facts committed and not yet published, by the last known end of the topic.',
    registers,
    collect() {
      this.set(publisher()?.unpublishedEvents ?? 0);
    },
  });
  new Gauge({
    name: 'lending_publisher_unknown_partitions',
    help: 'Owned partitions of which it is not known how far they are published.',
    registers,
    collect() {
      this.set(publisher()?.unknownPartitions ?? 0);
    },
  });
  return (batch: CommittedBatch) => {
    submissions.inc(batch.submissions);
    facts.inc(batch.facts);
    parked.inc(batch.parked);
    batches.inc();
    if (batch.wasDecidedAhead) ahead.inc();
  };
}
