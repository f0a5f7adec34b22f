import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { consumeBookEvents } from './consumer.ts';

interface Joined {
  readonly payload: { readonly memberAssignment: { readonly [topic: string]: readonly number[] } };
}

/** Only what the consumer asks of the driver: a group that has a rebalance ready for whoever is about to leave it. */
class Group {
  isLeft = false;
  #joined: (event: Joined) => void = () => undefined;

  get kafka(): Kafka {
    const consumer = {
      events: { GROUP_JOIN: 'consumer.group_join', CRASH: 'consumer.crash' },
      on: (name: string, listener: (event: Joined) => void) => {
        if (name === 'consumer.group_join') this.#joined = listener;
      },
      connect: async () => undefined,
      subscribe: async () => undefined,
      run: async () => undefined,
      seek: () => undefined,
      disconnect: async () => {
        this.assign([0]);
        this.isLeft = true;
      },
    };
    const admin = {
      connect: async () => undefined,
      fetchTopicOffsets: async () => [],
      disconnect: async () => undefined,
    };
    return { consumer: () => consumer, admin: () => admin } as unknown as Kafka;
  }

  assign(partitions: readonly number[]): void {
    this.#joined({ payload: { memberAssignment: { 'lending.book-events': partitions } } });
  }
}

test('a consumption that is over asks the store for nothing more, whatever the group still assigns', async () => {
  const group = new Group();
  const stop = new AbortController();
  let isOver = false;
  let asked = 0;
  const consumption = consumeBookEvents({
    kafka: group.kafka,
    groupId: 'store',
    registry: async () => ({}),
    positionsOf: async () => {
      asked += 1;
      if (isOver) return new Map();
      throw new Error('the store is away');
    },
    take: async () => undefined,
    signal: stop.signal,
  });
  await pause(0);
  group.assign([0, 1]);
  await pause(0);
  expect(asked).toBe(1);
  stop.abort();
  await consumption;
  isOver = true;
  expect(group.isLeft).toBe(true);
  // Longer than the shortest of the pauses after which a store that is away is asked again.
  await pause(200);
  expect(asked).toBe(1);
});
