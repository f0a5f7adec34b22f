import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import kafkajs, { type Kafka, type Producer, type ProducerConfig } from 'kafkajs';
import { AppendNotConfirmedError, PartitionAppender, RecordsRefusedError } from './partition-appender.ts';

/** The producer of kafkajs itself, with its retries and sequence numbers, over brokers of the test. */
const createProducer = createRequire(import.meta.url)('kafkajs/src/producer/index.js') as (options: object) => Producer;

interface ProduceRequest {
  readonly topicData: readonly {
    readonly partitions: readonly {
      readonly partition: number;
      readonly firstSequence: number;
      readonly messages: readonly unknown[];
    }[];
  }[];
}

interface Produced {
  readonly broker: number;
  /** `partition:first sequence number` of each batch. */
  readonly batches: readonly string[];
}

const ignore = (): void => undefined;
const logger = { namespace: () => logger, error: ignore, warn: ignore, info: ignore, debug: ignore };
const timedOut = (): Error => new kafkajs.KafkaJSRequestTimeoutError('timed out', {} as never);
const notLeader = (): Error =>
  Object.assign(new kafkajs.KafkaJSProtocolError('not leader'), { type: 'NOT_LEADER_FOR_PARTITION', retriable: true });
const refused = (): Error =>
  Object.assign(new kafkajs.KafkaJSProtocolError('too large'), { type: 'MESSAGE_TOO_LARGE', retriable: false });

/** Brokers by number, and the leader of each partition by its index. */
async function openAppender(leaders: readonly number[]) {
  const produced: Produced[] = [];
  const brokers = {
    /** What is known after the next refresh of the metadata. */
    leaders,
    /** Throws instead of an answer. */
    fail: (_partitions: readonly number[]): void => undefined,
    leftOut: undefined as number | undefined,
  };
  const metadataOf = (known: readonly number[]) =>
    known.map((leader, partitionId) => ({ partitionErrorCode: 0, partitionId, leader, replicas: [], isr: [] }));
  let metadata = metadataOf(leaders);
  const broker = (nodeId: number) => ({
    nodeId,
    initProducerId: async () => ({ producerId: 1, producerEpoch: 0 }),
    async produce({ topicData }: ProduceRequest) {
      const batches = topicData.flatMap(({ partitions }) => partitions);
      produced.push({ broker: nodeId, batches: batches.map((each) => `${each.partition}:${each.firstSequence}`) });
      brokers.fail(batches.map(({ partition }) => partition));
      const answered = batches.filter(({ partition }) => partition !== brokers.leftOut);
      return {
        topics: [
          {
            topicName: 't',
            partitions: answered.map(({ partition, firstSequence }) => ({
              ...{ partition, errorCode: 0, baseOffset: String(firstSequence) },
            })),
          },
        ],
      };
    },
  });
  const nodes = new Map([1, 2].map((nodeId) => [nodeId, broker(nodeId)]));
  const cluster = {
    retry: {},
    connect: async () => undefined,
    disconnect: async () => undefined,
    isConnected: () => true,
    addMultipleTargetTopics: async () => undefined,
    refreshMetadataIfNecessary: async () => undefined,
    refreshMetadata: async () => {
      metadata = metadataOf(brokers.leaders);
    },
    findTopicPartitionMetadata: () => metadata,
    findControllerBroker: async () => nodes.get(1),
    findBroker: async ({ nodeId }: { readonly nodeId: number | string }) => nodes.get(Number(nodeId)),
    findLeaderForPartitions(_topic: string, partitions: readonly string[]) {
      const byLeader: Record<string, number[]> = {};
      for (const partition of partitions.map(Number)) {
        const leader = String(metadata[partition]?.leader);
        byLeader[leader] = [...(byLeader[leader] ?? []), partition];
      }
      return byLeader;
    },
  };
  const kafka = { producer: (config: ProducerConfig) => createProducer({ ...config, cluster, logger }) };
  const appender = await PartitionAppender.open(kafka as unknown as Kafka, 't');
  const appendTo = (...partitions: readonly number[]) =>
    Promise.allSettled(
      partitions.map((partition) => appender.append(partition, [{ key: 'k', value: Buffer.from('v') }])),
    );
  /** The requests since the last call, by broker: requests to several are not in a certain order. */
  const takeProduced = (): Produced[] => produced.splice(0).sort((a, b) => a.broker - b.broker);
  /** As the metadata are read again now and then. */
  const moveLeaders = (moved: readonly number[]): void => {
    brokers.leaders = moved;
    metadata = metadataOf(moved);
  };
  return { appender, appendTo, brokers, moveLeaders, takeProduced };
}

const confirmed = (value: number) => ({ status: 'fulfilled', value });
const rejected = (error: abstract new (...args: never[]) => Error) => ({
  status: 'rejected',
  reason: expect.any(error),
});
const request = (broker: number, ...batches: readonly string[]): Produced => ({ broker, batches });

test('batches for partitions of one broker are one request, once their leaders are known', async () => {
  const { appendTo, takeProduced } = await openAppender([1, 1, 2]);
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(0), confirmed(0), confirmed(0)]);
  expect(takeProduced()).toEqual([request(1, '0:0'), request(1, '1:0'), request(2, '2:0')]);
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(1), confirmed(1), confirmed(1)]);
  expect(takeProduced()).toEqual([request(1, '0:1', '1:1'), request(2, '2:1')]);
});

test('a request whose partitions no longer have one leader is not sent, and each batch is appended alone', async () => {
  const { appendTo, moveLeaders, takeProduced } = await openAppender([1, 1, 1]);
  await appendTo(0, 1, 2);
  takeProduced();
  moveLeaders([1, 2, 1]);
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(() => rejected(AppendNotConfirmedError)));
  expect(takeProduced()).toEqual([]);
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(1), confirmed(1), confirmed(1)]);
  expect(takeProduced()).toEqual([request(1, '0:1'), request(1, '2:1'), request(2, '1:1')]);
  await appendTo(0, 1, 2);
  expect(takeProduced()).toEqual([request(1, '0:2', '2:2'), request(2, '1:2')]);
});

test('leaders that part between two attempts get nothing from the second one, and the same sequence numbers later', async () => {
  const { appendTo, brokers, takeProduced } = await openAppender([1, 1]);
  await appendTo(0, 1);
  takeProduced();
  brokers.fail = () => {
    brokers.leaders = [1, 2];
    throw notLeader();
  };
  expect(await appendTo(0, 1)).toEqual([0, 1].map(() => rejected(AppendNotConfirmedError)));
  expect(takeProduced()).toEqual([request(1, '0:1', '1:1')]);
  brokers.fail = ignore;
  expect(await appendTo(0, 1)).toEqual([confirmed(1), confirmed(1)]);
  expect(takeProduced()).toEqual([request(1, '0:1'), request(2, '1:1')]);
});

test('a request without an answer is sent twice, and then each batch alone with the same sequence numbers', async () => {
  const { appendTo, brokers, takeProduced } = await openAppender([1, 1]);
  await appendTo(0, 1);
  takeProduced();
  brokers.fail = () => {
    throw timedOut();
  };
  expect(await appendTo(0, 1)).toEqual([0, 1].map(() => rejected(AppendNotConfirmedError)));
  expect(takeProduced()).toEqual([request(1, '0:1', '1:1'), request(1, '0:1', '1:1')]);
  brokers.fail = ignore;
  expect(await appendTo(0, 1)).toEqual([confirmed(1), confirmed(1)]);
  expect(takeProduced()).toEqual([request(1, '0:1'), request(1, '1:1')]);
});

test('a single batch follows its leader', async () => {
  const { appendTo, moveLeaders, takeProduced } = await openAppender([1]);
  await appendTo(0);
  takeProduced();
  moveLeaders([2]);
  expect(await appendTo(0)).toEqual([confirmed(1)]);
  expect(takeProduced()).toEqual([request(2, '0:1')]);
});

test('of several batches only the refused one is refused; the others are confirmed by the same call', async () => {
  const { appendTo, brokers, takeProduced } = await openAppender([1, 1, 1]);
  await appendTo(0, 1, 2);
  takeProduced();
  brokers.fail = (partitions) => {
    if (partitions.includes(1)) throw refused();
  };
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(1), rejected(RecordsRefusedError), confirmed(1)]);
  expect(takeProduced()).toEqual([
    request(1, '0:1', '1:1', '2:1'),
    request(1, '0:1'),
    request(1, '1:1'),
    request(1, '2:1'),
  ]);
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(2), rejected(RecordsRefusedError), confirmed(2)]);
  expect(takeProduced()).toEqual([request(1, '0:2', '2:2'), request(1, '1:1')]);
});

test('a partition that is left out of an answer is not appended again: its sequence number has changed', async () => {
  const { appendTo, brokers } = await openAppender([1, 1]);
  await appendTo(0, 1);
  brokers.leftOut = 1;
  const [first, second] = await appendTo(0, 1);
  expect(first).toEqual(confirmed(1));
  expect(second).toEqual(rejected(Error));
  expect(second).not.toEqual(rejected(AppendNotConfirmedError));
});

test('batches that are compressed are sent apart from small ones', async () => {
  const { appender, appendTo, takeProduced } = await openAppender([1, 1, 1]);
  await appendTo(0, 1, 2);
  takeProduced();
  const sizes = [10, 5_000, 10];
  await Promise.all(sizes.map((size, partition) => appender.append(partition, [{ value: Buffer.alloc(size) }])));
  expect(takeProduced()).toEqual([request(1, '0:1', '2:1'), request(1, '1:1')]);
});

test('batches are joined up to four mebibytes', async () => {
  const { appender, appendTo, takeProduced } = await openAppender([1, 1, 1]);
  await appendTo(0, 1, 2);
  takeProduced();
  const value = Buffer.alloc(2 * 1024 * 1024);
  await Promise.all([0, 1, 2].map((partition) => appender.append(partition, [{ value }])));
  expect(takeProduced()).toEqual([request(1, '0:1', '1:1'), request(1, '2:1')]);
});
