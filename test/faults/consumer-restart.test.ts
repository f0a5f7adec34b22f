/** A Kafka client that stops reading for good, such as after an error of its own, is replaced while the service runs. */
import { expect, test } from '@jest/globals';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { TopicConsumer } from '#libs/kafka/topic-consumer.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { Lender } from '#test/support/lender.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

type Consumer = ReturnType<KafkaClient['consumer']>;

/** Keeps the consumers that were created, and what each calls when the driver stops. */
function observed(kafka: KafkaClient) {
  const created: { readonly consumer: Consumer; readonly crash: (event: object) => void }[] = [];
  const consumer: KafkaClient['consumer'] = (options) => {
    const real = kafka.consumer(options);
    const on = (event: string, listener: (event: object) => void): unknown => {
      if (event === real.events.CRASH) created.push({ consumer: real, crash: listener });
      return Reflect.apply(real.on, real, [event, listener]);
    };
    return { ...real, on } as Consumer;
  };
  const client: KafkaClient = {
    consumer,
    producer: (options) => kafka.producer(options),
    admin: (options) => kafka.admin(options),
    logger: () => kafka.logger(),
  };
  return { client, created };
}

test('records are read on, none twice, after the driver stopped for good', async () => {
  const { client, created } = observed(connectKafka(testEnvironment().stack.kafkaBrokers, 'consumer-restart'));
  const lender = await Lender.open(testEnvironment());
  const next = new Map([...(await topicOffsets(client, topics.submissions))].map(([at, { high }]) => [at, high]));
  const read: string[] = [];
  const consumer = await TopicConsumer.open({
    kafka: client,
    groupId: `consumer-restart-${Date.now()}`,
    topic: topics.submissions,
    logger: silentLogger,
    onAssigned: async (partitions) => new Map(partitions.map((partition) => [partition, next.get(partition) ?? 0])),
    onRecords(partition, records) {
      for (const { offset } of records) {
        read.push(`${partition}/${offset}`);
        next.set(partition, offset + 1);
      }
      return undefined;
    },
    onDataLoss: (cause) => {
      throw cause;
    },
  });
  const register = (client: string) => lender.tenant.put(`/clients/${client}`, { actor: 'ana', basis: 'agreed' });
  await register('before');
  await eventually(() => read.length >= 1);
  const [first] = created;
  await first?.consumer.disconnect();
  first?.crash({ payload: { restart: false, error: new Error('the driver stopped'), groupId: 'group' } });
  await register('after');
  await eventually(() => read.length >= 2, 30_000);
  expect(created).toHaveLength(2);
  expect(new Set(read).size).toBe(read.length);
  await consumer.stop();
  await lender.close();
}, 90_000);
