import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { consumeBookEvents } from './consume.ts';
import type { Position } from './consumer-position.ts';

interface Joined {
  readonly payload: { readonly memberAssignment: { readonly [topic: string]: readonly number[] } };
}

/** The part of the driver that the consumer uses; the test decides when the group is joined. */
class Group {
  isLeft = false;
  readonly #joining = Promise.withResolvers<void>();
  #joined: (event: Joined) => void = () => undefined;

  get kafka(): Kafka {
    const consumer = {
      events: { GROUP_JOIN: 'consumer.group_join', CRASH: 'consumer.crash' },
      on: (name: string, listener: (event: Joined) => void) => {
        if (name === 'consumer.group_join') this.#joined = listener;
      },
      connect: async () => undefined,
      subscribe: async () => undefined,
      run: () => this.#joining.promise,
      seek: () => undefined,
      disconnect: async () => {
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

  join(partitions: readonly number[]): void {
    this.assign(partitions);
    this.#joining.resolve();
  }

  assign(partitions: readonly number[]): void {
    this.#joined({ payload: { memberAssignment: { 'lending.book-events': partitions } } });
  }
}

/** A store that is unavailable, and then closed. */
class Store {
  isClosed = false;
  reads = 0;

  positionsOf = async (): Promise<Map<number, Position>> => {
    this.reads += 1;
    // Returns for a late caller, so that the test ends.
    if (this.isClosed) return new Map();
    throw new Error('the store is unavailable');
  };
}

let group: Group;
let store: Store;
let stop: AbortController;
let consumption: Promise<void>;
let isOver: boolean;

beforeEach(async () => {
  group = new Group();
  store = new Store();
  stop = new AbortController();
  isOver = false;
  const { positionsOf } = store;
  const what = {
    kafka: group.kafka,
    groupId: 'store',
    registry: async () => ({}),
    positionsOf,
    take: async () => undefined,
  };
  consumption = consumeBookEvents({ ...what, signal: stop.signal }).then(() => {
    isOver = true;
    store.isClosed = true;
  });
  await pause(0);
});

test('a consumer that has ended does not read from the store, whatever is assigned', async () => {
  group.join([0, 1]);
  await pause(0);
  expect(store.reads).toBe(1);
  stop.abort();
  group.assign([0]);
  await consumption;
  expect(group.isLeft).toBe(true);
  // Longer than the first pause before the store is read again.
  await pause(200);
  expect(store.reads).toBe(1);
});

test('a group is left only after the join has completed', async () => {
  stop.abort();
  await pause(0);
  expect({ isOver, isLeft: group.isLeft }).toEqual({ isOver: false, isLeft: false });
  group.join([0]);
  await consumption;
  expect({ isLeft: group.isLeft, reads: store.reads }).toEqual({ isLeft: true, reads: 0 });
});

test('a consumer that has ended does not join again', async () => {
  group.join([0]);
  stop.abort();
  await consumption;
  expect(() => group.assign([0])).toThrow('the consumer has ended');
});
