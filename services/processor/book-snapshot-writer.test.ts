import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { DeciderFor, LoadedBook } from '#libs/database/books.ts';
import { shortTask } from '#libs/ledger/cooperative-loop.ts';
import { SnapshotWriter } from './book-snapshot-writer.ts';
import { loadedBook } from './testing/loaded-book.ts';

/** A Redis that records which snapshots are written to it. */
class RecordingRedis {
  readonly names: string[] = [];
  readonly sequences: number[] = [];
  /** How many in each write. */
  readonly portions: number[] = [];
  /** Runs before each write is answered. */
  onWrite: () => void | Promise<void> = () => undefined;
  readonly redis = {
    status: 'ready',
    defineCommand: () => undefined,
    writeSnapshots: async (keys: number, ...rest: string[]) => {
      this.portions.push(keys);
      this.names.push(...rest.slice(0, keys).map((key) => key.slice('book:acme/'.length)));
      // The keys, the time to live, then a sequence and a text for each.
      for (let at = keys + 1; at < rest.length; at += 2) this.sequences.push(Number(rest[at]));
      await this.onWrite();
      return keys;
    },
  } as unknown as Redis;
}

let now = 0;

beforeEach(() => {
  now = 0;
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick'] });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `c/${from + at}`);
}

/** A writer and the cache it takes books from. */
function createWriter({ onEncode = (): unknown => undefined, utilization = (): number => 1 } = {}) {
  const encode = () =>
    shortTask(() => {
      onEncode();
      return '{}';
    });
  const deciderFor = (() => ({ encode })) as unknown as DeciderFor;
  const redisWrites = new RecordingRedis();
  const { redis, names, sequences, portions } = redisWrites;
  const cache = new Map<string, LoadedBook<unknown>>();
  const writer = new SnapshotWriter(redis, deciderFor, (name) => cache.get(name), utilization);
  const enqueue = (...books: LoadedBook<unknown>[]): void => {
    for (const book of books) cache.set(`acme/${book.bookId}`, book);
    writer.enqueue(books);
  };
  return { writer, cache, enqueue, redisWrites, names, sequences, portions };
}

/** Encoding gives way to other work several times. */
async function untilEncoded(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

test('a book whose text is too long is not written, and later ones are', async () => {
  const tooLong = new RangeError('Invalid string length');
  let isTooLong = true;
  const onEncode = (): void => {
    if (isTooLong) throw tooLong;
  };
  const { writer, enqueue, names: written } = createWriter({ onEncode });
  enqueue(loadedBook('c/long', 1));
  await jest.advanceTimersByTimeAsync(10_000);
  await untilEncoded();
  isTooLong = false;
  enqueue(loadedBook('c/short', 1));
  await writer.stop();
  expect(written).toEqual(['c/short']);
});

test('the queue is bounded and keeps the books that changed last', async () => {
  const { writer, enqueue, names: written } = createWriter();
  for (const name of names(0, 20_100)) enqueue(loadedBook(name, 1));
  await writer.stop();
  expect(written).toEqual(names(100, 20_100));
});

test('a book that changes while it is queued is written once, in its latest state', async () => {
  const { writer, enqueue, names: written, sequences } = createWriter();
  enqueue(loadedBook('c/0', 1), loadedBook('c/1', 1));
  enqueue(loadedBook('c/0', 2));
  await writer.stop();
  expect(written).toEqual(names(0, 2));
  expect(sequences).toEqual([2, 1]);
});

test('a book that has left the cache is not written', async () => {
  const { writer, cache, enqueue, names: written } = createWriter();
  enqueue(...names(0, 3).map((name) => loadedBook(name, 1)));
  cache.delete('acme/c/1');
  await writer.stop();
  expect(written).toEqual(['c/0', 'c/2']);
});

test('a written book leaves the queue', async () => {
  const { writer, enqueue, names: written } = createWriter();
  enqueue(loadedBook('c/0', 1));
  await writer.stop();
  await writer.stop();
  expect(written).toEqual(['c/0']);
});

test('a stop writes the queued books in portions, one after the other', async () => {
  const { writer, enqueue, redisWrites, names: written, portions } = createWriter();
  let answerWrite = (): void => undefined;
  redisWrites.onWrite = () => new Promise((resolve) => (answerWrite = resolve));
  enqueue(...names(0, 130).map((name) => loadedBook(name, 1)));
  let hasStopped = false;
  const stopped = writer.stop().then(() => {
    hasStopped = true;
  });
  for (const expected of [[64], [64, 64], [64, 64, 2]]) {
    await untilEncoded();
    expect(portions).toEqual(expected);
    expect(hasStopped).toBe(false);
    answerWrite();
  }
  await stopped;
  expect(written).toEqual(names(0, 130));
});

test('large books are written in smaller portions, and one above the bound alone', async () => {
  const { writer, enqueue, portions } = createWriter();
  const mebibyte = 1024 * 1024;
  enqueue(...[30, 6, 6, 6, 1].map((size, at) => loadedBook(`c/${at}`, 1, size * mebibyte)));
  await writer.stop();
  expect(portions).toEqual([1, 2, 2]);
});

test('a stop starts no write after one second', async () => {
  const { writer, enqueue, redisWrites, portions } = createWriter();
  enqueue(...names(0, 640).map((name) => loadedBook(name, 1)));
  redisWrites.onWrite = () => {
    now += 300;
  };
  await writer.stop();
  expect(portions).toEqual([64, 64, 64, 64]);
});

test('a book that is queued after the stop is not written', async () => {
  const { writer, enqueue, names: written } = createWriter();
  await writer.stop();
  enqueue(loadedBook('c/0', 1));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([]);
});

describe('rounds take', () => {
  /** Encoding a book takes a millisecond. */
  function createSlowWriter(utilization: () => number) {
    const { writer, enqueue, portions } = createWriter({ onEncode: () => (now += 1), utilization });
    const pass = async (ms: number): Promise<number[]> => {
      now += ms;
      await jest.advanceTimersByTimeAsync(ms);
      await untilEncoded();
      return [...portions];
    };
    return { writer, enqueue, pass };
  }

  const manyBooks = names(0, 64 * 6).map((name) => loadedBook(name, 1));

  test.each([
    ['a fifth of the time while the processor is not busy', 0.29, 64 * 4],
    ['an eightieth of the time otherwise', 0.3, 64 * 79],
  ])('at most %s', async (_, utilization, pauseMs) => {
    const { writer, enqueue, pass } = createSlowWriter(() => utilization);
    await pass(1_000);
    enqueue(...manyBooks);
    expect(await pass(25)).toEqual([64]);
    expect(await pass(pauseMs - 1)).toEqual([64]);
    expect(await pass(1)).toEqual([64, 64]);
    await writer.stop();
  });

  test('less of the time when the processor becomes busy', async () => {
    let utilization = 0;
    const { writer, enqueue, pass } = createSlowWriter(() => utilization);
    await pass(1_000);
    enqueue(...manyBooks);
    await pass(25);
    utilization = 1;
    for (const rounds of [2, 3, 4, 5]) expect(await pass(64 * 4)).toHaveLength(rounds);
    expect(await pass(64 * 79 - 1)).toHaveLength(5);
    expect(await pass(1)).toHaveLength(6);
    await writer.stop();
  });

  test('as much of the time where each book is written before the next one changes', async () => {
    const { writer, enqueue, pass } = createSlowWriter(() => 1);
    enqueue(...names(0, 10).map((name) => loadedBook(name, 1)));
    expect(await pass(25)).toEqual([10]);
    enqueue(loadedBook('c/0', 2));
    expect(await pass(10 * 79 - 1)).toEqual([10]);
    expect(await pass(1)).toEqual([10, 1]);
    await writer.stop();
  });
});
