/** Owns partitions of the log and takes the turns of their books. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge } from 'prom-client';
import { openDatabase } from '#libs/database/database.ts';
import { askKafka, connectKafka } from '#libs/kafka/kafka.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { kafkaAnswers, postgresAnswers, redisAnswers, registryAnswers } from '#libs/runtime/backing.ts';
import { backing, integer, readConfig } from '#libs/runtime/config.ts';
import { metrics } from '#libs/runtime/metrics.ts';
import { runService } from '#libs/runtime/service.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { CommittedBatch } from './processor.ts';
import { type Running, runProcessor } from './run.ts';

/** About one and a half kilobytes each: together two fifths of what the process may take, and no more than 1.5 GB. */
const affordable = Math.min(1_000_000, Math.floor((getHeapStatistics().heap_size_limit * 0.4) / 1_500));
const hotFacts = integer('HOT_BOOK_FACTS', { least: 0, most: 10_000_000, fallback: affordable });

/**
 * A network that swallows a commit says nothing of it: after so long another line is asked what became of it, and the
 * batch is decided again where it was not committed.
 */
const longestCommitMs = 10_000;

await runService('processor', async ({ env, logger, health, lifecycle }) => {
  const config = readConfig(env, { ...backing, hotFacts });
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const database = openDatabase({ url: config.databaseUrl, name: 'processor', heldAtMostMs: longestCommitMs });
  const locks = openDatabase({
    url: config.databaseUrl,
    name: 'processor locks',
    connections: 1,
    answeredWithinMs: longestCommitMs,
  });
  lifecycle.onStop('postgres', () => database.end());
  lifecycle.onStop('publishing locks', () => locks.end());
  const redis = openRedis(config.redisUrl, 'processor');
  lifecycle.onStop('redis', async () => redis.disconnect());
  const kafka = connectKafka(config.kafkaBrokers, name, logger);
  health.add('kafka', kafkaAnswers(askKafka(config.kafkaBrokers, name)));
  health.add('postgres', postgresAnswers(database));
  health.add('redis', redisAnswers(redis));
  health.add('registry', registryAnswers(config.schemaRegistryUrl));
  let running: Running | undefined;
  running = await runProcessor({
    name,
    kafka,
    schemaRegistryUrl: config.schemaRegistryUrl,
    database,
    locks,
    redis,
    kindOf: deciderFor,
    say: logger,
    mostFacts: config.hotFacts,
    // Somebody may ask for the figures while this waits for what it stands on.
    observe: figures(() => running?.behind() ?? 0),
    onFatal(err) {
      logger.fatal({ err }, 'what was recorded or is to be read was lost; stopping');
      lifecycle.fail();
    },
  });
  lifecycle.onStop('processor', async () => running?.stop());
});

function figures(behind: () => number) {
  const registers = [metrics];
  const counted = (name: string, help: string) => new Counter({ name, help, registers });
  const submissions = counted('lending_submissions_total', 'Submissions that were given a verdict.');
  const facts = counted('lending_facts_total', 'Facts recorded.');
  const parked = counted('lending_parked_total', 'Submissions parked: each waits for a person.');
  const batches = counted('lending_batches_total', 'Transactions committed.');
  const ahead = counted('lending_batches_ahead_total', 'Of them, decided while the one before was committed.');
  new Gauge({
    name: 'lending_publisher_behind',
    help: 'Facts committed and not yet published.',
    registers,
    collect() {
      this.set(behind());
    },
  });
  return (batch: CommittedBatch) => {
    submissions.inc(batch.submissions);
    facts.inc(batch.facts);
    parked.inc(batch.parked);
    batches.inc();
    if (batch.isAhead) ahead.inc();
  };
}
