import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { closeConnection, replyWith, startScriptedService } from '../../testing/scripted-service.ts';
import { type ConsumeOptions, consumeBookEvents } from './consume.ts';
import type { Position } from './consumer-position.ts';

interface Joined {
  readonly payload: { readonly memberAssignment: { readonly [topic: string]: readonly number[] } };
}

interface Fetched {
  readonly batch: { readonly partition: number; readonly messages: readonly { offset: string; value: Buffer }[] };
  readonly heartbeat: () => Promise<void>;
}

interface Sought {
  readonly partition: number;
  readonly offset: string;
}

/** The part of the driver that the consumer uses; the test decides when the group is joined. */
class Group {
  isLeft = false;
  /** What the next attempts to connect fail with. */
  readonly connectFailures: Error[] = [];
  readonly #joining = Promise.withResolvers<void>();
  readonly #run = Promise.withResolvers<void>();
  #joined: (event: Joined) => void = () => undefined;
  #process: (fetched: Fetched) => Promise<void> = async () => undefined;
  #sought: (sought: Sought) => void = () => undefined;

  get running(): Promise<void> {
    return this.#run.promise;
  }

  get kafka(): Kafka {
    const consumer = {
      events: { GROUP_JOIN: 'consumer.group_join', CRASH: 'consumer.crash' },
      on: (name: string, listener: (event: Joined) => void) => {
        if (name === 'consumer.group_join') this.#joined = listener;
      },
      connect: async () => {
        const failure = this.connectFailures.shift();
        if (failure !== undefined) throw failure;
      },
      subscribe: async () => undefined,
      run: ({ eachBatch }: { readonly eachBatch: (fetched: Fetched) => Promise<void> }) => {
        this.#process = eachBatch;
        this.#run.resolve();
        return this.#joining.promise;
      },
      seek: (sought: Sought) => this.#sought(sought),
      disconnect: async () => {
        this.isLeft = true;
      },
    };
    const admin = {
      connect: async () => undefined,
      fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: '9' }],
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

  nextSeek(): Promise<Sought> {
    return new Promise((resolve) => {
      this.#sought = resolve;
    });
  }

  deliver(offset: number, value: Buffer): Promise<void> {
    const batch = { partition: 0, messages: [{ offset: String(offset), value }] };
    return this.#process({ batch, heartbeat: async () => undefined });
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
let stop: AbortController;

beforeEach(() => {
  group = new Group();
  stop = new AbortController();
});

async function consume(options: Pick<ConsumeOptions, 'positionsOf'> & Partial<ConsumeOptions>): Promise<{
  readonly consumption: Promise<void>;
}> {
  const consumption = consumeBookEvents({
    kafka: group.kafka,
    groupId: 'store',
    registry: async () => ({}),
    take: async () => undefined,
    onTrouble: () => undefined,
    signal: stop.signal,
    ...options,
  });
  // It is awaited by the test.
  consumption.catch(() => undefined);
  await pause(0);
  return { consumption };
}

describe('a consumer whose store is unavailable', () => {
  let store: Store;
  let consumption: Promise<void>;
  let isOver: boolean;

  beforeEach(async () => {
    store = new Store();
    isOver = false;
    const consumed = await consume({ positionsOf: store.positionsOf });
    consumption = consumed.consumption.then(() => {
      isOver = true;
      store.isClosed = true;
    });
  });

  test('does not read from it after its end, whatever is assigned', async () => {
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

  test('leaves its group only after the join has completed', async () => {
    stop.abort();
    await pause(0);
    expect({ isOver, isLeft: group.isLeft }).toEqual({ isOver: false, isLeft: false });
    group.join([0]);
    await consumption;
    expect({ isLeft: group.isLeft, reads: store.reads }).toEqual({ isLeft: true, reads: 0 });
  });

  test('does not join again after its end', async () => {
    group.join([0]);
    stop.abort();
    await consumption;
    expect(() => group.assign([0])).toThrow('the consumer has ended');
  });
});

test.each([
  ['texts', { sequence: '3', offset: '3' }, 'partition 0 has sequence "3", a string; expected a bigint'],
  ['numbers', { sequence: 3n, offset: 3 }, 'partition 0 has offset 3, a number; expected a bigint'],
])('a store whose positions are %s ends the consumer', async (_what, position, message) => {
  const { consumption } = await consume({ positionsOf: async () => new Map([[0, position as unknown as Position]]) });
  group.join([0]);
  await expect(consumption).rejects.toThrow(message);
});

describe('a consumer whose Kafka cannot be used', () => {
  const positionsOf = async () => new Map<number, Position>();
  const unreachable = Object.assign(new Error('no broker answers'), { retriable: true });
  const refused = Object.assign(new Error('no brokers are configured'), { retriable: false });

  test('connects again after an error that may pass', async () => {
    group.connectFailures.push(unreachable, unreachable);
    const troubles: unknown[] = [];
    const sought = group.nextSeek();
    await consume({ positionsOf, onTrouble: (cause) => troubles.push(cause) });
    await group.running;
    group.join([0]);
    expect(await sought).toMatchObject({ partition: 0, offset: '0' });
    expect(troubles).toEqual([unreachable, unreachable]);
  });

  test('is ended by its signal between two attempts', async () => {
    group.connectFailures.push(...Array.from({ length: 100 }, () => unreachable));
    const { consumption } = await consume({ positionsOf, onTrouble: () => undefined });
    stop.abort();
    await consumption;
    expect(group.connectFailures.length).toBeGreaterThan(90);
  });

  test('ends where Kafka refuses it', async () => {
    group.connectFailures.push(refused);
    const { consumption } = await consume({ positionsOf });
    await expect(consumption).rejects.toBe(refused);
  });
});

describe('a record', () => {
  const record = Buffer.from([0, 0, 0, 0, 7, 1]);
  const stored = new Map([[0, { sequence: 3n, offset: 3n }]]);

  test('is fetched again while the schema registry is unavailable, and ends the consumer where it has no such schema', async () => {
    const registry = await startScriptedService(closeConnection, replyWith(500, {}), replyWith(404, {}));
    try {
      const troubles: Error[] = [];
      const onTrouble = (cause: unknown) => troubles.push(cause as Error);
      const registryAddress = { url: `${registry.baseUrl}/` };
      const { consumption } = await consume({ positionsOf: async () => stored, registry: registryAddress, onTrouble });
      const started = group.nextSeek();
      group.join([0]);
      await started;
      for (let time = 0; time < 2; time += 1) {
        const sought = group.nextSeek();
        await group.deliver(3, record);
        expect(await sought).toMatchObject({ partition: 0, offset: '3' });
      }
      const address = `GET ${registry.baseUrl}/schemas/ids/7`;
      expect(troubles[0]?.message).toMatch(
        new RegExp(`^${address}: no answer of the schema registry: (?!fetch failed)`),
      );
      expect(troubles[1]?.message).toBe(`${address}: the schema registry returned 500; expected 200`);
      await group.deliver(3, record);
      await expect(consumption).rejects.toMatchObject({
        name: 'UndecodableEventError',
        message: `${address}: the schema registry has no schema 7`,
      });
      expect(troubles).toHaveLength(2);
    } finally {
      await registry.close();
    }
  });

  test('that has no schema id ends the consumer', async () => {
    const { consumption } = await consume({ positionsOf: async () => stored });
    const started = group.nextSeek();
    group.join([0]);
    await started;
    await group.deliver(3, Buffer.from('{}'));
    await expect(consumption).rejects.toMatchObject({ name: 'UndecodableEventError' });
  });
});
