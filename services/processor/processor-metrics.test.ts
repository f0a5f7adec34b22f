import { expect, test } from '@jest/globals';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type LogFields, silentLogger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { openLagPoll } from './processor-metrics.ts';

const answers = { kafka: true, postgres: true, north: true };

function fakeAdmin() {
  const answer = async <T>(value: T): Promise<T> => {
    if (!answers.kafka) throw new Error('broker unavailable');
    return value;
  };
  const partitions = [{ isr: [1], replicas: [1, 2] }];
  return {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: () => answer([3, 4].map((partition) => ({ partition, low: '0', high: '9' }))),
    fetchTopicMetadata: () => answer({ topics: [{ partitions }] }),
  };
}

const kafka = { admin: fakeAdmin } as unknown as KafkaClient;

function fakeDatabase(name: 'postgres' | 'north', row: object): Database {
  const query = async () => {
    if (!answers[name]) throw new Error('connection refused');
    return { rows: [row] };
  };
  return { query } as unknown as Database;
}

/** The partition 4 is on the database north, and 5 on one that was added since the start. */
const databases = new PartitionDatabases(
  fakeDatabase('postgres', { books: 2, age: 70 }),
  {
    partitionCount: 12,
    databases: [{ name: 'north', number: 1 }],
    numbers: new Map([
      [4, 1],
      [5, 2],
    ]),
    earlierNumbers: new Map(),
  },
  () => fakeDatabase('north', { books: 1, age: 5 }),
);

/** The values that are exported now, by the name of the metric and of the further database. */
async function figures(): Promise<Record<string, unknown>> {
  const all = await metrics.getMetricsAsJSON();
  return Object.fromEntries(
    all.flatMap(({ name, values }) =>
      values.map(({ value, labels }) => [[name, labels['database']].filter((part) => part).join(' '), value]),
    ),
  );
}

const fromKafka = { lending_partition_lag: 4, lending_kafka_partitions_without_replica: 1 };
const fromPostgres = { lending_parked_books: 2, lending_publisher_oldest_seconds: 70 };
const fromNorth = { 'lending_parked_books north': 1, 'lending_publisher_oldest_seconds north': 5 };

test('a figure is exported only while Kafka or its database answers for it, and the log says why not', async () => {
  const logged: LogFields[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields) => void logged.push(fields) };
  const publisher = { unpublishedEvents: 1, unknownPartitions: 0, stoppedPartitions: 0 };
  const running = {
    offsets: () =>
      new Map([
        [3, 5],
        [4, 5],
      ]),
    publisher: {
      ...publisher,
      firstUnpublished: new Map([
        [3, 1],
        [4, 1],
        [5, 1],
      ]),
    },
  };
  const poll = openLagPoll({ kafka, databases, processor: () => running, logger });
  expect(await figures()).toEqual({});
  await poll();
  expect(await figures()).toEqual({ ...fromKafka, ...fromPostgres, ...fromNorth });
  answers.postgres = false;
  await poll();
  expect(await figures()).toEqual({ ...fromKafka, ...fromNorth });
  Object.assign(answers, { kafka: false, postgres: true });
  await poll();
  expect(await figures()).toEqual({ ...fromPostgres, ...fromNorth });
  answers.kafka = true;
  await poll();
  answers.north = false;
  await poll();
  expect(await figures()).toEqual({ ...fromKafka, ...fromPostgres });
  expect(logged.every(({ connection }) => connection === 'metrics')).toBe(true);
  const events = Map.groupBy(logged, ({ dependency }) => dependency);
  expect([...events].map(([dependency, entries]) => [dependency, ...entries.map(({ event }) => event)])).toEqual([
    ['postgres', 'dependency.unavailable', 'dependency.available'],
    ['kafka', 'dependency.unavailable', 'dependency.available'],
    ['postgres north', 'dependency.unavailable'],
  ]);
});
