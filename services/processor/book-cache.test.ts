import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { LoadedBook } from '#libs/database/books.ts';
import { BookCache } from './book-cache.ts';

function book(client: string, sequence: number): LoadedBook<unknown> {
  return {
    tenantId: 'acme',
    bookId: `c/${client}`,
    book: {},
    sequence,
    versionCount: sequence,
    versionAt: null,
    recordedAt: 0 as Moment,
    dueFrom: null,
    parked: false,
    snapshotSequence: 0,
  };
}

function cachedKeys(cache: BookCache, ...clients: string[]): string[] {
  return clients.filter((client) => cache.peek(`acme/c/${client}`) !== undefined);
}

test('the books used longest ago are dropped when all together hold too many facts', () => {
  const cache = new BookCache(300);
  for (const client of ['ana', 'bea', 'carla']) cache.set(0, book(client, 80));
  cache.find('acme/c/ana');
  cache.set(0, book('dora', 80));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla', 'dora')).toEqual(['ana', 'carla', 'dora']);
});

test('a book with more facts than the cache may hold is kept while it is the one in use', () => {
  const cache = new BookCache(300);
  cache.set(0, book('ana', 80));
  cache.set(0, book('bea', 5_000));
  expect(cachedKeys(cache, 'ana', 'bea')).toEqual(['bea']);
});

test('books of partitions that another instance may have written to are dropped', () => {
  const cache = new BookCache(300);
  cache.set(0, book('ana', 1));
  cache.set(1, book('bea', 1));
  cache.set(2, book('carla', 1));
  cache.dropPartitions(new Set([1]));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla')).toEqual(['ana', 'carla']);
  cache.keepPartitions(new Set([2]));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla')).toEqual(['carla']);
});
