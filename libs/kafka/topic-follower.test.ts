import { afterEach, describe, expect, test } from '@jest/globals';
import { driver, letGo, patience, turns } from '#libs/kafka/testing/stuck-driver.ts';
import { followTopic, readTopic } from './topic-follower.ts';

afterEach(() => letGo());

describe('a topic that is read to its end', () => {
  test('is read whole, and its group is gone', async () => {
    const { calls, said, options } = driver('nothing');
    const offsets: number[] = [];
    await readTopic({ ...options, take: async (_, records) => void offsets.push(...records.map((one) => one.offset)) });
    expect([offsets, calls, said]).toEqual([[0, 1], ['left', 'deleted'], []]);
  });

  test('is read whole by a driver that never leaves its group', async () => {
    const { said, options } = driver('leaving');
    const offsets: number[] = [];
    await readTopic({
      ...options,
      patience: { ...patience, leaveMs: 10 },
      take: async (_, records) => void offsets.push(...records.map((one) => one.offset)),
    });
    expect([offsets, said]).toEqual([[0, 1], ['a group was not left in time: Kafka ends its session']]);
  });

  test('is given up where nothing comes of it', async () => {
    const { options } = driver('reading');
    const reading = readTopic({ ...options, patience: { ...patience, silenceMs: 10 }, take: async () => undefined });
    await expect(reading).rejects.toThrow('nothing came of it');
  });

  test('fails with who takes its records', async () => {
    const { options } = driver('nothing');
    const take = async () => {
      throw new Error('no place');
    };
    await expect(readTopic({ ...options, take })).rejects.toThrow('no place');
  });
});

test('a group that cannot be joined is given up, and left should it be joined after all', async () => {
  const { calls, options } = driver('joining');
  const following = followTopic({ ...options, patience: { ...patience, joinMs: 10 }, deliver: () => undefined });
  await expect(following).rejects.toThrow('no group could be joined');
  expect(calls).toEqual([]);
  letGo();
  for (let turn = 0; calls.length < 2 && turn < 1_000; turn += 1) await turns(1);
  expect(calls).toEqual(['left', 'deleted']);
});

test('nothing is delivered by a follower that was stopped', async () => {
  const { options, bring } = driver('reading');
  const delivered: number[] = [];
  const follower = await followTopic({ ...options, deliver: (partition) => void delivered.push(partition) });
  await turns(20);
  await follower.stop();
  await bring();
  expect(delivered).toEqual([]);
});

test('what waits behind a delivery when it is stopped is not delivered after it', async () => {
  const { options, bring, rejoin } = driver('reading');
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const delivered: number[] = [];
  const follower = await followTopic({
    ...options,
    deliver: (_, records) => {
      delivered.push(...records.map(({ offset }) => offset));
      return held;
    },
  });
  await turns(20);
  const first = bring(['0']);
  rejoin();
  await turns(20);
  const second = bring(['1']);
  await turns(20);
  await follower.stop();
  goOn();
  await Promise.all([first, second]);
  await turns(20);
  expect(delivered).toEqual([0]);
});
