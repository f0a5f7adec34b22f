/** How a consumer takes partitions over, and how a Kafka client is replaced that stops reading for good. */
import { expect, test } from '@jest/globals';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { TopicConsumer } from '#libs/kafka/topic-consumer.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { Lender } from '#test/support/lender.ts';
import { partitionCount } from '#test/support/partitions.ts';
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
    partitionCount,
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
  await eventually(() => read.length >= 2);
  expect(created).toHaveLength(2);
  expect(new Set(read).size).toBe(read.length);
  await consumer.stop();
  await lender.close();
});

/** Opens a consumer whose partitions all begin at the same offset. */
async function openAt(offset: number, kafka: KafkaClient, groupId: string) {
  const losses: string[] = [];
  const read: string[] = [];
  let takeovers = 0;
  const consumer = await TopicConsumer.open({
    kafka,
    groupId,
    topic: topics.submissions,
    partitionCount,
    logger: silentLogger,
    onAssigned: async (partitions) => {
      takeovers += 1;
      return new Map(partitions.map((partition) => [partition, offset]));
    },
    onRecords(partition, records) {
      for (const record of records) read.push(`${partition}/${record.offset}`);
      return undefined;
    },
    onDataLoss: ({ message }) => losses.push(message),
  });
  return { consumer, losses, read, takeovers: () => takeovers };
}

test('the partitions are taken over once where Kafka does not answer after the takeover', async () => {
  const real = connectKafka(testEnvironment().stack.kafkaBrokers, 'takeover');
  let refusals = 2;
  const kafka: KafkaClient = {
    consumer: (options) => real.consumer(options),
    producer: (options) => real.producer(options),
    logger: () => real.logger(),
    admin(options) {
      const admin = real.admin(options);
      const connect = async (): Promise<void> => {
        if (refusals === 0) return admin.connect();
        refusals -= 1;
        throw new Error('the broker does not answer');
      };
      return { ...admin, connect };
    },
  };
  const lender = await Lender.open(testEnvironment());
  const opened = await openAt(0, kafka, `takeover-${Date.now()}`);
  await eventually(() => opened.read.length > 0);
  expect([opened.takeovers(), refusals]).toEqual([1, 0]);
  await opened.consumer.stop();
  await lender.close();
});
