import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor, LoadedBook } from '#libs/database/books.ts';
import { SnapshotWriter } from './snapshots.ts';

/** The names of the books that were written, in their order. */
class Written {
  readonly names: string[] = [];
  readonly sequences: number[] = [];
  /** How many each time. */
  readonly together: number[] = [];
  /** What happens before each is answered. */
  answers: () => void | Promise<void> = () => undefined;
  readonly redis = {
    status: 'ready',
    defineCommand: () => undefined,
    putBooks: async (keys: number, ...rest: string[]) => {
      this.together.push(keys);
      this.names.push(...rest.slice(0, keys).map((key) => key.slice('book:t/'.length)));
      // After the keys and how long they are kept: a sequence and a text for each.
      for (let at = keys + 1; at < rest.length; at += 2) this.sequences.push(Number(rest[at]));
      await this.answers();
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

const kindOf = (() => ({ encode: () => '{}' })) as unknown as DeciderFor;

function standing(bookId: string, sequence: number): LoadedBook<unknown> {
  return {
    tenantId: 't',
    bookId,
    book: {},
    sequence,
    versionCount: sequence,
    versionAt: null,
    recordedAt: 0 as Moment,
    dueFrom: null,
    parked: false,
    snapshotAt: 0,
  };
}

function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `c/${from + at}`);
}

/** A writer, and the shelf it takes books from. */
function writing() {
  const written = new Written();
  const { redis, names, sequences, together } = written;
  const shelf = new Map<string, LoadedBook<unknown>>();
  const writer = new SnapshotWriter(redis, kindOf, (name) => shelf.get(name));
  const offer = (...books: LoadedBook<unknown>[]): void => {
    for (const book of books) shelf.set(`t/${book.bookId}`, book);
    writer.offer(books);
  };
  return { writer, shelf, offer, written, names, sequences, together };
}

test('no more books wait to be written than so many, and those that came last do', async () => {
  const { writer, offer, names: told } = writing();
  for (const name of names(0, 20_100)) offer(standing(name, 1));
  await writer.stop();
  expect(told).toEqual(names(100, 20_100));
});

test('a book that changes while it waits is written once, in its place and as it is by then', async () => {
  const { writer, offer, names: told, sequences } = writing();
  offer(standing('c/0', 1), standing('c/1', 1));
  offer(standing('c/0', 2));
  await writer.stop();
  expect(told).toEqual(names(0, 2));
  expect(sequences).toEqual([2, 1]);
});

test('what waits holds no book: one that left the shelf is not written', async () => {
  const { writer, shelf, offer, names: told } = writing();
  offer(...names(0, 3).map((name) => standing(name, 1)));
  shelf.delete('t/c/1');
  await writer.stop();
  expect(told).toEqual(['c/0', 'c/2']);
});

test('what was written waits no more', async () => {
  const { writer, offer, names: told } = writing();
  offer(standing('c/0', 1));
  await writer.stop();
  await writer.stop();
  expect(told).toEqual(['c/0']);
});

test('in the end what waits is written one portion after the other: it may be all that the shelf holds', async () => {
  const { writer, offer, written, names: told, together } = writing();
  let answer = (): void => undefined;
  written.answers = () => new Promise((resolve) => (answer = resolve));
  offer(...names(0, 130).map((name) => standing(name, 1)));
  let isOver = false;
  const ended = writer.stop().then(() => {
    isOver = true;
  });
  for (const portions of [[64], [64, 64], [64, 64, 2]]) {
    await new Promise(setImmediate);
    expect(together).toEqual(portions);
    expect(isOver).toBe(false);
    answer();
  }
  await ended;
  expect(told).toEqual(names(0, 130));
});

test('in the end no portion is begun after a second: it helps readers alone', async () => {
  const { writer, offer, written, together } = writing();
  offer(...names(0, 640).map((name) => standing(name, 1)));
  written.answers = () => {
    now += 300;
  };
  await writer.stop();
  expect(together).toEqual([64, 64, 64, 64]);
});

test('what is offered after the end is not written', async () => {
  const { writer, offer, names: told } = writing();
  await writer.stop();
  offer(standing('c/0', 1));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
});
