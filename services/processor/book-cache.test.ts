import { expect, test } from '@jest/globals';
import type { DeciderFor, LoadedBook } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { BookCache } from './book-cache.ts';
import type { LogEntry } from './log-entry.ts';
import { MovementBooks } from './movement-books.ts';
import { loadedBook } from './testing/loaded-book.ts';

function book(client: string, sequence: number): LoadedBook<unknown> {
  return loadedBook(`c/${client}`, sequence, 1_000 * sequence);
}

function cacheOf(maxBytes: number): BookCache {
  return new BookCache({
    database: {} as Database,
    deciderFor: {} as DeciderFor,
    maxBytes,
    limits: { maxBatchBytes: 1e9, maxEntryBytes: 1e9 },
  });
}

/** An entry of which only the book is known. */
function entryOf(client: string): LogEntry {
  return {
    partition: 0,
    offset: 0,
    source: { offset: 0, key: Buffer.from(`acme/c/${client}`), value: null },
    cause: undefined,
  };
}

function cachedKeys(cache: BookCache, ...clients: string[]): string[] {
  return clients.filter((client) => cache.peek(`acme/c/${client}`) !== undefined);
}

test('the books used longest ago are dropped when all together take too much memory', async () => {
  const cache = cacheOf(300_000);
  for (const client of ['ana', 'bea', 'carla']) cache.set(0, book(client, 80));
  await cache.load([entryOf('ana')], undefined);
  cache.set(0, book('dora', 80));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla', 'dora')).toEqual(['ana', 'carla', 'dora']);
});

test('a book that takes more memory than the cache may hold is kept while it is the one in use', () => {
  const cache = cacheOf(300_000);
  cache.set(0, book('ana', 80));
  cache.set(0, book('bea', 5_000));
  expect(cachedKeys(cache, 'ana', 'bea')).toEqual(['bea']);
});

test('books of partitions that another instance may have written to are dropped', () => {
  const cache = cacheOf(300_000);
  cache.set(0, book('ana', 1));
  cache.set(1, book('bea', 1));
  cache.set(2, book('carla', 1));
  cache.dropPartitions(new Set([1]));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla')).toEqual(['ana', 'carla']);
  cache.keepPartitions(new Set([2]));
  expect(cachedKeys(cache, 'ana', 'bea', 'carla')).toEqual(['carla']);
});

test('the memory for books is divided among any number of databases', () => {
  const maxBytes = 1_000 / 3;
  const bounds = { maxLoadedBytes: maxBytes, maxBookBytes: maxBytes, maxLineBytes: maxBytes };
  expect(() => cacheOf(maxBytes)).not.toThrow();
  expect(
    () => new MovementBooks({} as Database, {} as DeciderFor, { maxCachedBytes: maxBytes, ...bounds }),
  ).not.toThrow();
});
