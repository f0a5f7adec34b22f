import { afterEach, describe, expect, test } from '@jest/globals';
import { eventLoopTurns, fakeKafka, longTimeouts, releaseStuckCalls } from '#libs/kafka/testing/fake-kafka.ts';
import { followTopic, readTopic } from './topic-follower.ts';

afterEach(() => releaseStuckCalls());

describe('reading a topic to its end', () => {
  test('delivers all records and deletes the consumer group', async () => {
    const { calls, warnings, options } = fakeKafka('nothing');
    const offsets: number[] = [];
    const progress: (readonly [read: number, total: number])[] = [];
    await readTopic({
      ...options,
      onRecords: async (_, records) => void offsets.push(...records.map(({ offset }) => offset)),
      onRead: (read, total) => void progress.push([read, total]),
    });
    expect([offsets, calls, warnings]).toEqual([[0, 1], ['left', 'deleted'], []]);
    expect([progress[0], progress.at(-1)]).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  test('succeeds with a warning when the consumer group cannot be left', async () => {
    const { warnings, options } = fakeKafka('leaving');
    const offsets: number[] = [];
    await readTopic({
      ...options,
      timeouts: { ...longTimeouts, leaveMs: 10 },
      onRecords: async (_, records) => void offsets.push(...records.map(({ offset }) => offset)),
    });
    expect([offsets, warnings]).toEqual([[0, 1], ['a consumer group was not left in time; Kafka ends its session']]);
  });

  test('fails when no record arrives', async () => {
    const { options } = fakeKafka('reading');
    const timeouts = { ...longTimeouts, stallMs: 10 };
    const reading = readTopic({ ...options, timeouts, onRecords: async () => undefined });
    await expect(reading).rejects.toThrow('no record arrived');
  });

  test('fails when a record cannot be processed', async () => {
    const { options } = fakeKafka('nothing');
    const onRecords = async () => {
      throw new Error('disk full');
    };
    await expect(readTopic({ ...options, onRecords })).rejects.toThrow('disk full');
  });
});

test('a group that is not joined in time is an error, and is left if the join succeeds later', async () => {
  const { calls, options } = fakeKafka('joining');
  const timeouts = { ...longTimeouts, joinMs: 10 };
  const following = followTopic({ ...options, timeouts, onRecords: () => undefined });
  await expect(following).rejects.toThrow('joining a consumer group took longer');
  expect(calls).toEqual([]);
  releaseStuckCalls();
  for (let turn = 0; calls.length < 2 && turn < 1_000; turn += 1) await eventLoopTurns(1);
  expect(calls).toEqual(['left', 'deleted']);
});

test('a stopped follower delivers nothing', async () => {
  const { options, deliver } = fakeKafka('reading');
  const delivered: number[] = [];
  const follower = await followTopic({ ...options, onRecords: (partition) => void delivered.push(partition) });
  await eventLoopTurns(20);
  await follower.stop();
  await deliver();
  expect(delivered).toEqual([]);
});

test('records that wait for an earlier delivery are not delivered after a stop', async () => {
  const { options, deliver, rejoin } = fakeKafka('reading');
  const { promise: firstDelivery, resolve: endFirstDelivery } = Promise.withResolvers<void>();
  const delivered: number[] = [];
  const follower = await followTopic({
    ...options,
    onRecords: (_, records) => {
      delivered.push(...records.map(({ offset }) => offset));
      return firstDelivery;
    },
  });
  await eventLoopTurns(20);
  const first = deliver(['0']);
  rejoin();
  await eventLoopTurns(20);
  const second = deliver(['1']);
  await eventLoopTurns(20);
  await follower.stop();
  endFirstDelivery();
  await Promise.all([first, second]);
  await eventLoopTurns(20);
  expect(delivered).toEqual([0]);
});
