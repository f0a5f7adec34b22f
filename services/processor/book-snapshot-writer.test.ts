import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
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

const deciderFor = (() => ({ encode: () => shortTask(() => '{}') })) as unknown as DeciderFor;

function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `c/${from + at}`);
}

/** A writer and the cache it takes books from. */
function createWriter() {
  const redisWrites = new RecordingRedis();
  const { redis, names, sequences, portions } = redisWrites;
  const cache = new Map<string, LoadedBook<unknown>>();
  const writer = new SnapshotWriter(redis, deciderFor, (name) => cache.get(name));
  const enqueue = (...books: LoadedBook<unknown>[]): void => {
    for (const book of books) cache.set(`acme/${book.bookId}`, book);
    writer.enqueue(books);
  };
  return { writer, cache, enqueue, redisWrites, names, sequences, portions };
}

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
  const { writer, enqueue, redisWrites, names: written } = createWriter();
  let answerWrite = (): void => undefined;
  redisWrites.onWrite = () => new Promise((resolve) => (answerWrite = resolve));
  enqueue(...names(0, 130).map((name) => loadedBook(name, 1)));
  let hasStopped = false;
  const stopped = writer.stop().then(() => {
    hasStopped = true;
  });
  for (const portions of [[64], [64, 64], [64, 64, 2]]) {
    await new Promise(setImmediate);
    expect(portions).toEqual(portions);
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
