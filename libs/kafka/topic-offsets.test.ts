import { afterEach, expect, jest, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { KafkaClient } from './kafka-client.ts';
import { processedOffsets, RemovalNotConfirmedError, removeAllRecords } from './topic-offsets.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** What the driver reports of a Kafka that was just created: it takes longer than the driver repeats the request. */
const noCoordinator = Object.assign(new Error('This is not the correct coordinator for this group'), { code: 16 });

/** A client with these requests. The topic has three partitions with ten records each. */
function kafkaWith(requests: Readonly<Record<string, () => unknown>>): KafkaClient {
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: async () => [0, 1, 2].map((partition) => ({ partition, low: '0', high: '10' })),
    ...requests,
  };
  return { admin: () => admin } as unknown as KafkaClient;
}

/** Each request for the offsets of the group has the next of these answers. */
function kafkaAnswering(...answers: (Error | readonly { partition: number; offset: string }[])[]): KafkaClient {
  return kafkaWith({
    async fetchOffsets() {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return [{ partitions: answer }];
    },
  });
}

test('the offsets of a group without a coordinator are a temporary failure, so that a start waits for them', async () => {
  const offsets = [
    { partition: 0, offset: '7' },
    { partition: 1, offset: '-1' },
    { partition: 2, offset: '11' },
  ];
  const kafka = kafkaAnswering(noCoordinator, offsets);
  await expect(processedOffsets(kafka, 'group', 'topic')).rejects.toThrow(DependencyUnavailableError);
  // Nothing committed of partition 1; what was committed of partition 2 is of an earlier topic.
  expect(await processedOffsets(kafka, 'group', 'topic')).toEqual(new Map([[0, 7]]));
});

const adminTimeoutMs = 60_000;
const never = (): Promise<never> => new Promise(() => undefined);

test('a removal that Kafka does not answer may still happen', async () => {
  jest.useFakeTimers();
  const removing = removeAllRecords(kafkaWith({ deleteTopicRecords: never }), 'topic', [0], async () => undefined);
  const outcome = expect(removing).rejects.toThrow(RemovalNotConfirmedError);
  await jest.advanceTimersByTimeAsync(adminTimeoutMs);
  await outcome;
});

test('nothing is removed once the caller has given up', async () => {
  jest.useFakeTimers();
  let removals = 0;
  const confirmed = Promise.withResolvers<void>();
  const kafka = kafkaWith({
    async deleteTopicRecords() {
      removals += 1;
    },
  });
  const removing = removeAllRecords(kafka, 'topic', [0], () => confirmed.promise);
  const outcome = expect(removing).rejects.toThrow('Kafka did not answer an admin request within 60 s');
  await jest.advanceTimersByTimeAsync(adminTimeoutMs);
  await outcome;
  confirmed.resolve();
  await jest.advanceTimersByTimeAsync(1);
  expect(removals).toBe(0);
});

test('a failure before the removal is passed on', async () => {
  const lost = new Error('the lock is lost');
  const kafka = kafkaWith({ deleteTopicRecords: never });
  await expect(removeAllRecords(kafka, 'topic', [0], () => Promise.reject(lost))).rejects.toBe(lost);
});
