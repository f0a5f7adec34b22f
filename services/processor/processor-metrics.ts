/** The metrics of the processor, for Prometheus. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Database } from '#libs/database/database.ts';
import { oldestUnpublishedSeconds } from '#libs/database/oldest-unpublished.ts';
import { countParkedBooks } from '#libs/database/parked-submissions.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { countPartitionsWithoutReplica } from '#libs/kafka/missing-replicas.ts';
import { topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { OutageLog } from '#libs/runtime/outage-log.ts';
import type { MovementProcess } from './movement-process.ts';
import type { CommittedBatch } from './processor.ts';
import type { RunningProcessor } from './run-processor.ts';

const registers = [metrics];
/** Each poll asks Kafka and Postgres, so it is not done for every scrape. */
const pollIntervalMs = 5_000;

function counter(name: string, help: string): Counter {
  return new Counter({ name, help, registers });
}

/** Figures of one database have its name as a label; those of the home database have none. */
function labelsOf(databases: PartitionDatabases, database: Database): { readonly database?: string } {
  const name = databases.nameOf(database);
  return name === undefined ? {} : { database: name };
}

export function batchMetrics(databases: PartitionDatabases): (batch: CommittedBatch, database: Database) => void {
  const submissions = counter('lending_submissions_total', 'Submissions that received a verdict.');
  const facts = new Counter({
    name: 'lending_facts_total',
    help: 'Facts recorded.',
    labelNames: ['database'],
    registers,
  });
  // From 0: the increase of a series that begins with its first facts does not count them.
  for (const database of databases.all) facts.inc(labelsOf(databases, database), 0);
  const parked = counter('lending_parked_total', 'Submissions parked until an operator releases their book.');
  const batches = counter('lending_batches_total', 'Transactions committed.');
  const ahead = counter(
    'lending_batches_ahead_total',
    'Committed batches that were decided while the batch before them was committed.',
  );
  const size = new Histogram({
    name: 'lending_batch_submissions',
    help: 'Submissions in each committed batch.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    registers,
  });
  return (batch, database) => {
    submissions.inc(batch.submissions);
    facts.inc(labelsOf(databases, database), batch.facts);
    parked.inc(batch.parked);
    batches.inc();
    if (batch.wasDecidedAhead) ahead.inc();
    size.observe(batch.submissions);
  };
}

/** `processor` is undefined until it runs: metrics may be read before. */
export function reportPublisher(processor: () => RunningProcessor | undefined): void {
  new Gauge({
    name: 'lending_publisher_behind',
    help: 'Facts committed and not yet published, by the last known end of the topic.',
    registers,
    collect() {
      this.set(processor()?.publisher.unpublishedEvents ?? 0);
    },
  });
  new Gauge({
    name: 'lending_publisher_unknown_partitions',
    help: 'Owned partitions of which it is not known how far they are published.',
    registers,
    collect() {
      this.set(processor()?.publisher.unknownPartitions ?? 0);
    },
  });
  new Gauge({
    name: 'lending_publisher_stopped_partitions',
    help: 'Owned partitions that are not published: the topic contradicts the database, Kafka refuses an event, or a committed one cannot be read.',
    registers,
    collect() {
      this.set(processor()?.publisher.stoppedPartitions ?? 0);
    },
  });
}

/** `movements` is undefined until it runs. */
export function reportMovements(movements: () => MovementProcess | undefined): void {
  new Gauge({
    name: 'lending_movements_behind',
    help: 'Facts committed of which the movement is not yet published, by the last known end of the topic.',
    registers,
    collect() {
      this.set(movements()?.state.behind ?? 0);
    },
  });
  new Gauge({
    name: 'lending_movements_stopped_partitions',
    help: 'Owned partitions of which no movements are published, because they cannot be computed or continued.',
    registers,
    collect() {
      this.set(movements()?.state.stoppedPartitions ?? 0);
    },
  });
  new Gauge({
    name: 'lending_movements_unknown_partitions',
    help: 'Owned partitions of which it is not known how far their movements are published.',
    registers,
    collect() {
      this.set(movements()?.state.unknownPartitions ?? 0);
    },
  });
  new Gauge({
    name: 'lending_movements_oldest_seconds',
    help: 'Time since the oldest fact was recorded whose movement is not published, by the last known end of the topic. Without stopped partitions.',
    registers,
    collect() {
      this.set(movements()?.state.oldestSeconds ?? 0);
    },
  });
}

/** Position and ownership of each partition. A partition that moved to another instance disappears. */
export function reportPartitions(processor: () => RunningProcessor | undefined): void {
  new Gauge({
    name: 'lending_partition_epoch',
    help: 'Epoch under which this instance owns the partition.',
    labelNames: ['partition'],
    registers,
    collect() {
      this.reset();
      for (const [partition, { epoch }] of processor()?.partitions() ?? []) this.set({ partition }, epoch);
    },
  });
  new Gauge({
    name: 'lending_partition_offset',
    help: 'Next offset of lending.submissions that this instance will process.',
    labelNames: ['partition'],
    registers,
    collect() {
      this.reset();
      for (const [partition, offset] of processor()?.offsets() ?? []) this.set({ partition }, offset);
    },
  });
}

function entriesOf<Key, Value>(map: ReadonlyMap<Key, Value>, keys: readonly Key[]): Map<Key, Value> {
  return new Map([...map].filter(([key]) => keys.includes(key)));
}

export interface PolledSources {
  readonly kafka: KafkaClient;
  readonly databases: PartitionDatabases;
  readonly processor: () => Pick<RunningProcessor, 'offsets' | 'publisher'> | undefined;
  readonly logger: Logger;
}

/** What only Kafka and Postgres know. Returns how to stop. */
export function pollLag(sources: PolledSources): () => void {
  const poll = openLagPoll(sources);
  let isPolling = false;
  const start = (): void => {
    if (isPolling) return;
    isPolling = true;
    void poll().finally(() => {
      isPolling = false;
    });
  };
  start();
  const timer = setInterval(start, pollIntervalMs).unref();
  return () => clearInterval(timer);
}

/** Returns how to ask once. A figure without an answer is missing: its last value would hide what happens meanwhile. */
export function openLagPoll({ kafka, databases, processor, logger }: PolledSources): () => Promise<void> {
  const lag = new Gauge({
    name: 'lending_partition_lag',
    help: 'Records of lending.submissions that the owner of the partition has not processed. Missing while Kafka does not answer.',
    labelNames: ['partition'],
    registers,
  });
  const parked = new Gauge({
    name: 'lending_parked_books',
    help: 'Books in the owned partitions that are parked now. Missing while their database does not answer.',
    labelNames: ['database'],
    registers,
  });
  const unpublishedAge = new Gauge({
    name: 'lending_publisher_oldest_seconds',
    help: 'Time since the oldest fact that is not published was recorded, by the last known end of the topic. Without stopped partitions. Missing while their database does not answer.',
    labelNames: ['database'],
    registers,
  });
  const withoutReplica = new Gauge({
    name: 'lending_kafka_partitions_without_replica',
    help: 'Partitions of the topics of the cell of which a replica is not in sync. Missing while Kafka does not answer.',
    registers,
  });
  withoutReplica.remove();
  const kafkaOutage = new OutageLog({ dependency: 'kafka', connection: 'metrics' }, logger);
  const outages = new Map(
    databases.all.map((database) => [database, openDatabaseOutageLog(databases.nameOf(database), logger)]),
  );
  return async () => {
    const running = processor();
    if (running === undefined) return;
    const offsets = running.offsets();
    const partitions = databases.groupByPartition(offsets.keys());
    const { firstUnpublished } = running.publisher;
    const unpublished = databases.groupByPartition(firstUnpublished.keys());
    // Each for itself: one that does not answer hides no figure of the others.
    const databasesRead = databases.all.map(async (database) => {
      const [books, age] = await Promise.allSettled([
        countParkedBooks(database, partitions.get(database) ?? []),
        oldestUnpublishedSeconds(database, entriesOf(firstUnpublished, unpublished.get(database) ?? [])),
      ]);
      const labels = labelsOf(databases, database);
      setOrRemove(parked, labels, books);
      setOrRemove(unpublishedAge, labels, age);
      reportOutage(outages.get(database), [books, age]);
    });
    const [ends, unreplicated] = await Promise.allSettled([
      topicOffsets(kafka, topics.submissions),
      withAdmin(kafka, countPartitionsWithoutReplica),
    ]);
    lag.reset();
    if (ends.status === 'fulfilled') {
      for (const [partition, offset] of offsets) {
        lag.set({ partition }, Math.max((ends.value.get(partition)?.high ?? offset) - offset, 0));
      }
    }
    setOrRemove(withoutReplica, {}, unreplicated);
    reportOutage(kafkaOutage, [ends, unreplicated]);
    await Promise.all(databasesRead);
  };
}

function openDatabaseOutageLog(name: string | undefined, logger: Logger): OutageLog {
  return new OutageLog(
    { dependency: name === undefined ? 'postgres' : `postgres ${name}`, connection: 'metrics' },
    logger,
  );
}

function setOrRemove(
  gauge: Gauge<string>,
  labels: { readonly database?: string },
  answer: PromiseSettledResult<number>,
): void {
  if (answer.status === 'fulfilled') gauge.set(labels, answer.value);
  else gauge.remove(labels);
}

function reportOutage(outage: OutageLog | undefined, answers: readonly PromiseSettledResult<unknown>[]): void {
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed === undefined) outage?.answered();
  else outage?.failed(failed.reason);
}
