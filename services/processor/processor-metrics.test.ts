import { expect, test } from '@jest/globals';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type LogFields, silentLogger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { openLagPoll } from './processor-metrics.ts';

const answers = { kafka: true, postgres: true };

function fakeAdmin() {
  const answer = async <T>(value: T): Promise<T> => {
    if (!answers.kafka) throw new Error('broker unavailable');
    return value;
  };
  const partitions = [{ isr: [1], replicas: [1, 2] }];
  return {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: () => answer([{ partition: 3, low: '0', high: '9' }]),
    fetchTopicMetadata: () => answer({ topics: [{ partitions }] }),
  };
}

const kafka = { admin: fakeAdmin } as unknown as KafkaClient;
const database = {
  async query() {
    if (!answers.postgres) throw new Error('connection refused');
    return { rows: [{ books: 2, age: 70 }] };
  },
} as unknown as Database;

/** The values that are exported now, by the name of the metric. */
async function figures(): Promise<Record<string, unknown>> {
  const all = await metrics.getMetricsAsJSON();
  return Object.fromEntries(all.flatMap(({ name, values }) => values.map(({ value }) => [name, value])));
}

const fromKafka = { lending_partition_lag: 4, lending_kafka_partitions_without_replica: 1 };
const fromPostgres = { lending_parked_books: 2, lending_publisher_oldest_seconds: 70 };

test('a figure is exported only while Kafka or Postgres answers for it, and the log says why not', async () => {
  const logged: LogFields[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields) => void logged.push(fields) };
  const publisher = { unpublishedEvents: 1, unknownPartitions: 0, stoppedPartitions: 0 };
  const running = {
    offsets: () => new Map([[3, 5]]),
    publisher: { ...publisher, firstUnpublished: new Map([[3, 1]]) },
  };
  const poll = openLagPoll({ kafka, databases: PartitionDatabases.of(database), processor: () => running, logger });
  expect(await figures()).toEqual({});
  await poll();
  expect(await figures()).toEqual({ ...fromKafka, ...fromPostgres });
  answers.postgres = false;
  await poll();
  expect(await figures()).toEqual(fromKafka);
  Object.assign(answers, { kafka: false, postgres: true });
  await poll();
  expect(await figures()).toEqual(fromPostgres);
  answers.kafka = true;
  await poll();
  expect(await figures()).toEqual({ ...fromKafka, ...fromPostgres });
  expect(logged.map(({ event, dependency, connection }) => [event, dependency, connection])).toEqual([
    ['dependency.unavailable', 'postgres', 'metrics'],
    ['dependency.unavailable', 'kafka', 'metrics'],
    ['dependency.available', 'postgres', 'metrics'],
    ['dependency.available', 'kafka', 'metrics'],
  ]);
});
