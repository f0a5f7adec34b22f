import { expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { KindOf, StandingBook } from '#libs/store/books.ts';
import type { Moment } from '#libs/turn/moment.ts';
import { SnapshotWriter } from './snapshots.ts';

/** The names of the books that were written, in their order. */
class Written {
  readonly names: string[] = [];
  readonly sequences: number[] = [];
  /** How many each time. */
  readonly together: number[] = [];
  readonly redis = {
    status: 'ready',
    defineCommand: () => undefined,
    putBooks: async (keys: number, ...rest: string[]) => {
      this.together.push(keys);
      this.names.push(...rest.slice(0, keys).map((key) => key.slice('book:t/'.length)));
      // After the keys and how long they are kept: a sequence and a text for each.
      for (let at = keys + 1; at < rest.length; at += 2) this.sequences.push(Number(rest[at]));
      return keys;
    },
  } as unknown as Redis;
}

const kindOf = (() => ({ encode: () => '{}' })) as unknown as KindOf;

function standing(bookId: string, sequence: number): StandingBook<unknown> {
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
  const { redis, names, sequences, together } = new Written();
  const shelf = new Map<string, StandingBook<unknown>>();
  const writer = new SnapshotWriter(redis, kindOf, (name) => shelf.get(name));
  const offer = (...books: StandingBook<unknown>[]): void => {
    for (const book of books) shelf.set(`t/${book.bookId}`, book);
    writer.offer(books);
  };
  return { writer, shelf, offer, names, sequences, together };
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

test('what waits in the end is not written all at once: it may be all that the shelf holds', async () => {
  const { writer, offer, names: told, together } = writing();
  offer(...names(0, 130).map((name) => standing(name, 1)));
  await writer.stop();
  expect(together).toEqual([64, 64, 2]);
  expect(told).toEqual(names(0, 130));
});

test('in the end nobody is kept for longer than a second by what helps readers alone', async () => {
  const { writer, offer, together } = writing();
  offer(...names(0, 640).map((name) => standing(name, 1)));
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 100;
    return now;
  });
  await writer.stop();
  clock.mockRestore();
  expect(together.length).toBeGreaterThan(0);
  expect(together.length).toBeLessThan(10);
});
