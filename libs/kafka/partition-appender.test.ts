import { expect, test } from '@jest/globals';
import kafkajs, { type Kafka, type PartitionerArgs, type ProducerBatch, type ProducerConfig } from 'kafkajs';
import { AppendNotConfirmedError, PartitionAppender, RecordsRefusedError } from './partition-appender.ts';

type Answer = 'confirm' | 'refuse' | 'no answer';

/** An appender over a fake producer, which asks for partitions as kafkajs does: before anything is sent. */
async function openAppender(leaders: readonly number[]) {
  const sends: number[][] = [];
  const cluster = { leaders, answer: (_partitions: readonly number[]): Answer => 'confirm' };
  let metadata: PartitionerArgs['partitionMetadata'] = [];
  let known: readonly number[] = [];
  const producer = ({ createPartitioner }: ProducerConfig) => ({
    connect: async () => undefined,
    disconnect: async () => undefined,
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      if (known !== cluster.leaders) {
        known = cluster.leaders;
        metadata = known.map((leader, partitionId) => ({
          ...{ partitionErrorCode: 0, partitionId, leader, replicas: [], isr: [] },
        }));
      }
      const messages = topicMessages.flatMap(({ topic, messages }) =>
        messages.map((message) => ({ topic, message, partitionMetadata: metadata })),
      );
      const partitions = [...new Set(messages.map((args) => createPartitioner?.()(args) ?? -1))];
      sends.push(partitions);
      const answer = cluster.answer(partitions);
      if (answer === 'refuse')
        throw Object.assign(new kafkajs.KafkaJSProtocolError('too large'), { type: 'MESSAGE_TOO_LARGE' });
      if (answer === 'no answer') {
        const details = { retryCount: 1, retryTime: 50 };
        throw new kafkajs.KafkaJSNumberOfRetriesExceeded(new Error('timed out'), details);
      }
      return partitions.map((partition) => ({
        topicName: 't',
        partition,
        errorCode: 0,
        baseOffset: String(partition),
      }));
    },
  });
  const appender = await PartitionAppender.open({ producer } as unknown as Kafka, 't');
  const appendTo = (...partitions: readonly number[]) =>
    Promise.allSettled(
      partitions.map((partition) => appender.append(partition, [{ key: 'k', value: Buffer.from('v') }])),
    );
  /** The partitions of each send since the last call. */
  const takeSends = (): number[][] => sends.splice(0);
  return { appender, appendTo, cluster, takeSends };
}

const confirmed = (value: number) => ({ status: 'fulfilled', value });
const rejected = (error: abstract new (...args: never[]) => Error) => ({
  status: 'rejected',
  reason: expect.any(error),
});

test('batches for partitions of one broker are one send, once their leaders are known', async () => {
  const { appendTo, takeSends } = await openAppender([1, 1, 2]);
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(confirmed));
  expect(takeSends()).toEqual([[0], [1], [2]]);
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(confirmed));
  expect(takeSends()).toEqual([[0, 1], [2]]);
});

test('nothing is sent to several brokers at once after a leader has changed', async () => {
  const { appendTo, cluster, takeSends } = await openAppender([1, 1, 1]);
  await appendTo(0);
  takeSends();
  cluster.leaders = [1, 2, 1];
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(() => rejected(AppendNotConfirmedError)));
  expect(takeSends()).toEqual([]);
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(confirmed));
  expect(takeSends()).toEqual([[0], [1], [2]]);
  await appendTo(0, 1, 2);
  expect(takeSends()).toEqual([[0, 2], [1]]);
});

test('after a failure each partition is sent alone until it is confirmed, and only the refused batch is refused', async () => {
  const { appendTo, cluster, takeSends } = await openAppender([1, 1, 1]);
  await appendTo(0);
  takeSends();
  cluster.answer = (partitions) => (partitions.includes(1) ? 'refuse' : 'confirm');
  expect(await appendTo(0, 1, 2)).toEqual([0, 1, 2].map(() => rejected(AppendNotConfirmedError)));
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(0), rejected(RecordsRefusedError), confirmed(2)]);
  expect(takeSends()).toEqual([[0, 1, 2], [0], [1], [2]]);
  expect(await appendTo(0, 1, 2)).toEqual([confirmed(0), rejected(RecordsRefusedError), confirmed(2)]);
  expect(takeSends()).toEqual([[0, 2], [1]]);
});

test('a send without an answer confirms none of its batches', async () => {
  const { appendTo, cluster } = await openAppender([1, 1]);
  await appendTo(0);
  cluster.answer = () => 'no answer';
  expect(await appendTo(0, 1)).toEqual([0, 1].map(() => rejected(AppendNotConfirmedError)));
});

test('batches that are compressed are sent apart from the small ones', async () => {
  const { appender, takeSends } = await openAppender([1, 1, 1]);
  await appender.append(0, [{ key: 'k', value: Buffer.from('v') }]);
  takeSends();
  const sizes = [10, 5_000, 10];
  await Promise.all(sizes.map((size, partition) => appender.append(partition, [{ value: Buffer.alloc(size) }])));
  expect(takeSends()).toEqual([[0, 2], [1]]);
});

test('a send stays below four mebibytes', async () => {
  const { appender, takeSends } = await openAppender([1, 1, 1]);
  await appender.append(0, [{ value: Buffer.from('v') }]);
  takeSends();
  const value = Buffer.alloc(2 * 1024 * 1024);
  await Promise.all([0, 1, 2].map((partition) => appender.append(partition, [{ value }])));
  expect(takeSends()).toEqual([[0, 1], [2]]);
});
