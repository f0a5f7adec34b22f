/** Whatever Redis holds of a book, an answer has every fact committed before the request. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { type BookAtPosition, BookReader } from '#libs/database/book-reader.ts';
import type { BookKey, DeciderFor, LoadedBook } from '#libs/database/books.ts';
import type { StageTimer } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isReady, openRedis, openToolRedis } from '#libs/redis/redis.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';

let environment: TestEnvironment;
let lender: OneProductLender;
let opened: OpenedDatabases;
let redis: Redis;
beforeAll(async () => {
  environment = testEnvironment();
  lender = await OneProductLender.open(environment);
  opened = await openTestDatabases(environment, { name: 'freshness', connections: 8 });
  redis = openToolRedis(environment.stack.redisUrl, 'freshness');
  await eventually(() => isReady(redis));
});
afterAll(async () => {
  redis.disconnect();
  await opened.close();
  await lender.tenant.close();
});

const timer: StageTimer = { measure: async (_part, work) => work() };

function newReader(maxCachedBytes = 1_500_000): BookReader {
  return new BookReader({ databases: opened.databases, redis, deciderFor, maxCachedBytes });
}

/** As the statement of a page reads it. */
async function positionOf(book: LoadedBook<unknown>): Promise<BookAtPosition> {
  const text = 'SELECT fact_bytes AS "factBytes" FROM books WHERE tenant_id = $1 AND book_id = $2';
  const values = [book.tenantId, book.bookId];
  const [row] = await queryAll<{ factBytes: number }>(opened.databases, 'fact_bytes', text, values);
  if (row === undefined) throw new Error(`${book.bookId} is not stored`);
  return { ...book, ...row };
}

function positionsOf(books: readonly LoadedBook<unknown>[]): Promise<BookAtPosition[]> {
  return Promise.all(books.map(positionOf));
}

/** All books of a page, with as much time as the test has to wait for memory. */
async function loadPage(reader: BookReader, keys: readonly BookAtPosition[]): Promise<LoadedBook<unknown>[]> {
  const books: LoadedBook<unknown>[] = [];
  for await (const portion of reader.loadAtPositions(keys, pageLoad())) books.push(...portion);
  return books;
}

function pageLoad() {
  return { timer, waitUntil: performance.now() + 60_000 };
}

async function newBook(receipts: number, of = lender, context: object = {}) {
  const client = await of.client();
  await of.loan(client);
  for (let index = 0; index < receipts; index += 1) await of.pay(client, 100, '2026-02-15', { context });
  const name = { tenantId: of.tenant.id, bookId: clientBookId(client) };
  const key = snapshotKey(name.tenantId, name.bookId);
  const sequence = receipts + 2;
  // Wait for the snapshot that the processor writes after its commit, so that it cannot overwrite what the test writes.
  await eventually(async () => Number(await redis.hget(key, 's')) === sequence);
  return { client, name, key, sequence };
}

function lengthOf(book: unknown): number {
  return (book as ClientBook).folded.length;
}

type Corruption = [string, (key: string, stored: string) => Promise<unknown>];

/** Values that an earlier release, a mistake or another program may have written. */
const unreadable: Corruption[] = [
  ['garbage', (key) => redis.hset(key, 'd', 'garbage')],
  ['an empty text', (key) => redis.hset(key, 'd', '')],
  ['an empty line', (key) => redis.hset(key, 'd', '\n')],
  ['a first line that is cut off', (key, stored) => redis.hset(key, 'd', stored.slice(0, 10))],
  [
    'a book cut off in its own first line',
    (key, stored) => redis.hset(key, 'd', stored.slice(0, stored.indexOf('\n') + 40)),
  ],
  ['a book that lacks its end', (key, stored) => redis.hset(key, 'd', stored.slice(0, -20))],
  ['an object for a first line', (key, stored) => redis.hset(key, 'd', withHeader(stored, '{"sequence":4}'))],
  ['null for a first line', (key, stored) => redis.hset(key, 'd', withHeader(stored, 'null'))],
  [
    'a first line of a form that had no number',
    (key, stored) => redis.hset(key, 'd', withHeader(stored, oldHeader(stored))),
  ],
  ['garbage under a sequence that is no number', (key) => redis.hset(key, 's', 'many', 'd', 'garbage')],
  ['garbage under a sequence far ahead', (key) => redis.hset(key, 's', '99', 'd', 'garbage')],
  ['a sequence without a text', (key) => redis.hdel(key, 'd')],
  ['a string instead of a hash', (key) => redis.multi().del(key).set(key, 'a word').exec()],
  ['a list instead of a hash', (key) => redis.multi().del(key).rpush(key, 'a', 'list').exec()],
];

function withHeader(stored: string, head: string): string {
  return `${head}${stored.slice(stored.indexOf('\n'))}`;
}

function oldHeader(stored: string): string {
  return JSON.stringify((JSON.parse(stored.slice(0, stored.indexOf('\n'))) as unknown[]).slice(0, 7));
}

/** The book part of the snapshot in Redis, without its header. */
async function bookIn(key: string): Promise<string | undefined> {
  const stored = await redis.hget(key, 'd').catch(() => null);
  return stored?.split('\n').slice(1).join();
}

test.each<Corruption>([
  ['no value', (key) => redis.del(key)],
  ['another format', (key) => redis.hset(key, 'd', '[4,3,1,1,null,false,0]\n{"format":0}')],
  ['more facts than were ever recorded', (key, stored) => storeTooManyFacts(key, stored)],
  ...unreadable,
])('a book with %s in Redis is answered from Postgres, and Redis is corrected', async (_, corrupt) => {
  const { name, key, sequence } = await newBook(2);
  const stored = await bookIn(key);
  await corrupt(key, String(await redis.hget(key, 'd')));
  const loaded = await newReader().loadLatest(name, timer);
  expect(loaded.sequence).toBe(sequence);
  expect(lengthOf(loaded.book)).toBe(sequence - 1);
  await eventually(async () => (await bookIn(key)) === stored);
  expect(await redis.hget(key, 's')).toBe(String(sequence));
  // The next reader finds it there.
  expect((await newReader().loadLatest(name, timer)).sequence).toBe(sequence);
});

test.each(unreadable)(
  'the Tenancy’s own book with %s in Redis is answered from Postgres, and Redis is corrected',
  async (_, corrupt) => {
    const name = { tenantId: lender.tenant.id, bookId: tenancyBookId };
    const key = snapshotKey(name.tenantId, name.bookId);
    const before = await newReader().loadLatest(name, timer);
    await eventually(async () => Number(await redis.hget(key, 's')) === before.sequence);
    const stored = await bookIn(key);
    await corrupt(key, String(await redis.hget(key, 'd')));
    expect((await newReader().loadLatest(name, timer)).book).toEqual(before.book);
    await eventually(async () => (await bookIn(key)) === stored);
  },
);

test.each(unreadable)('a caller is answered although Redis holds %s for a Client', async (_, corrupt) => {
  const on = '2026-03-20';
  const paths = (client: string) => [
    `/loans?client_id=${client}`,
    `/dues?on=${on}`,
    `/clients/${client}/payment-options?on=${on}`,
  ];
  const otherLender = await OneProductLender.open(environment);
  for (const index of [0, 1, 2]) {
    // One Client for each read: a book stays in memory after it was read.
    const { client, key } = await newBook(1, otherLender);
    const stored = await bookIn(key);
    await corrupt(key, String(await redis.hget(key, 'd')));
    const path = String(paths(client)[index]);
    const first = await otherLender.read(path);
    await eventually(async () => (await bookIn(key)) === stored);
    expect(await otherLender.read(path)).toEqual(first);
  }
  await otherLender.tenant.close();
});

async function storeTooManyFacts(key: string, stored: string): Promise<void> {
  const [head = '', ...rest] = stored.split('\n');
  const numbers = JSON.parse(head) as unknown[];
  numbers[0] = 99;
  await redis.hset(key, 's', '99', 'd', [JSON.stringify(numbers), ...rest].join('\n'));
}

test('a book that is a few facts behind in Redis or in memory is answered with all facts', async () => {
  const { client, name, key, sequence } = await newBook(1);
  const stored = await redis.hgetall(key);
  const warmReader = newReader();
  await warmReader.loadLatest(name, timer);
  for (let index = 0; index < 3; index += 1) await lender.pay(client, 100, '2026-02-16');
  await eventually(async () => Number(await redis.hget(key, 's')) === sequence + 3);
  await redis.hset(key, stored);
  for (const reader of [warmReader, newReader(), newReader(0)]) {
    const loaded = await reader.loadLatest(name, timer);
    expect(loaded).toMatchObject({ sequence: sequence + 3, versionCount: sequence + 2 });
    expect(lengthOf(loaded.book)).toBe(sequence + 2);
  }
});

test('many books can be read at once from memory, Redis and Postgres', async () => {
  const books = await Promise.all([newBook(0), newBook(1), newBook(2)]);
  const reader = newReader();
  const [first, second] = books;
  if (first === undefined || second === undefined) throw new Error('expected three books');
  await reader.loadLatest(first.name, timer);
  await redis.del(second.key);
  const known = await Promise.all(books.map(({ name }) => newReader(0).loadLatest(name, timer)));
  const loaded = await loadPage(reader, await positionsOf(known));
  expect(loaded.map(({ bookId }) => bookId)).toEqual(books.map(({ name }) => name.bookId));
  expect(loaded.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
});

test('a cached book is used for a page only when its last fact is the one the page was read with', async () => {
  const { name } = await newBook(1);
  const reader = newReader();
  const cached = await reader.loadLatest(name, timer);
  expect((await loadPage(reader, [await positionOf(cached)]))[0]).toBe(cached);
  // As after a restore: the same number of facts, but a different last one.
  const otherHistory = { ...(await positionOf(cached)), recordedAt: (cached.recordedAt + 1) as Moment };
  const [read] = await loadPage(reader, [otherHistory]);
  expect(read).not.toBe(cached);
  expect(read).toMatchObject({ sequence: cached.sequence, recordedAt: cached.recordedAt });
  expect(lengthOf(read?.book)).toBe(lengthOf(cached.book));
});

test('the time to derive a book is reported as derivation, not as database time', async () => {
  const { name, sequence } = await newBook(2);
  const activeStages: string[] = [];
  const replayStages: string[] = [];
  const timed: DeciderFor = (bookId) => {
    const decider = deciderFor(bookId);
    return {
      ...decider,
      replay(book, fact) {
        replayStages.push(activeStages.join('/'));
        return decider.replay(book, fact);
      },
    };
  };
  const timer: StageTimer = {
    async measure(part, work) {
      activeStages.push(part);
      try {
        return await work();
      } finally {
        activeStages.pop();
      }
    },
  };
  const disconnected = await disconnectedRedis();
  await new BookReader({
    databases: opened.databases,
    redis: disconnected,
    deciderFor: timed,
    maxCachedBytes: 0,
  }).loadLatest(name, timer);
  expect(replayStages).toEqual(Array.from({ length: sequence }, () => 'derive'));
});

async function disconnectedRedis(): Promise<Redis> {
  const disconnected = openRedis(environment.stack.redisUrl, 'away');
  await eventually(() => isReady(disconnected));
  disconnected.disconnect();
  return disconnected;
}

test('every book is answered while Redis is unavailable', async () => {
  const { name, sequence } = await newBook(2);
  const disconnected = await disconnectedRedis();
  const loaded = await new BookReader({
    databases: opened.databases,
    redis: disconnected,
    deciderFor,
    maxCachedBytes: 15_000,
  }).loadLatest(name, timer);
  expect(loaded.sequence).toBe(sequence);
});

test('readers of one book at the same time load it once, and each has the facts recorded before its call', async () => {
  const { client, name, sequence } = await newBook(2);
  let decoded = 0;
  const counting: DeciderFor = (bookId) => {
    const decider = deciderFor(bookId);
    return {
      ...decider,
      decode(text) {
        decoded += 1;
        return decider.decode(text);
      },
    };
  };
  const reader = new BookReader({
    databases: opened.databases,
    redis,
    deciderFor: counting,
    maxCachedBytes: 1_500_000,
  });
  const early = [reader.loadLatest(name, timer), reader.loadLatest(name, timer)];
  await lender.pay(client, 100, '2026-02-16');
  const [late] = await Promise.all([reader.loadLatest(name, timer), ...early]);
  expect([decoded, late.sequence]).toEqual([1, sequence + 1]);
  await loadPage(reader, await positionsOf([late]));
  expect(decoded).toBe(1);
});

test('a reader whose load fails leaves the book to the next one', async () => {
  const { name, sequence } = await newBook(1);
  let fails = true;
  const failing: StageTimer = {
    measure: async (part, work) => {
      if (part === 'derive' && fails) throw new Error('a failure of the test');
      return work();
    },
  };
  const reader = newReader();
  await expect(reader.loadLatest(name, failing)).rejects.toThrow('a failure of the test');
  fails = false;
  expect((await reader.loadLatest(name, timer)).sequence).toBe(sequence);
});

test('a page is read from Redis alone where it has all books at their positions', async () => {
  const books = await Promise.all([newBook(1), newBook(2)]);
  const loaded = await Promise.all(books.map(({ name }) => newReader().loadLatest(name, timer)));
  const positions = await positionsOf(loaded);
  const unreachable = openDatabase({ url: 'postgres://127.0.0.1:9/lending', name: 'unreachable' });
  const reader = new BookReader({
    databases: PartitionDatabases.of(unreachable),
    redis,
    deciderFor,
    maxCachedBytes: 0,
  });
  try {
    const page = await loadPage(reader, positions);
    expect(page.map(({ sequence }) => sequence)).toEqual([3, 4]);
    await redis.del(books[0]?.key as string);
    await expect(loadPage(reader, positions)).rejects.toThrow();
  } finally {
    await unreachable.end();
  }
});

describe('pages of books with long contexts', () => {
  const context = { note: 'x'.repeat(15_000) };
  const receiptsPerBook = 4;
  /** Receipts of a book that takes memory of all reads. */
  const longBook = 16;
  let positions: BookAtPosition[];
  beforeAll(async () => {
    positions = [];
    for (let index = 0; index < 8; index += 1) {
      const { name, key } = await newBook(receiptsPerBook, lender, context);
      positions.push(await positionOf(await newReader(0).loadLatest(name, timer)));
      // Every second book is read from Postgres.
      if (index % 2 === 1) await redis.del(key);
    }
  });

  /** Counts the text of the books that were read and not dropped yet. */
  function heldText() {
    const lengths = new WeakMap<object, number>();
    const held = { now: 0, peak: 0 };
    const add = (book: unknown, before: number, length: number): void => {
      lengths.set(book as object, before + length);
      held.now += length;
      held.peak = Math.max(held.peak, held.now);
    };
    const counting: DeciderFor = (bookId) => {
      const decider = deciderFor(bookId);
      return {
        ...decider,
        *decode(text) {
          const book = yield* decider.decode(text);
          add(book, 0, text.length);
          return book;
        },
        replay(before, fact) {
          const book = decider.replay(before, fact);
          add(book, lengths.get(before as object) ?? 0, fact.body.length);
          return book;
        },
      };
    };
    const drop = ({ book }: LoadedBook<unknown>): void => {
      held.now -= lengths.get(book as object) ?? 0;
      lengths.delete(book as object);
    };
    return { held, counting, drop };
  }

  test('that are read at once hold no more of them than the memory for pages', async () => {
    const { held, counting, drop } = heldText();
    const maxReadBytes = 400_000;
    const reader = new BookReader({
      databases: opened.databases,
      redis,
      deciderFor: counting,
      maxCachedBytes: 0,
      maxReadBytes,
    });
    const readPage = async (): Promise<string[]> => {
      const bookIds: string[] = [];
      for await (const books of reader.loadAtPositions(positions, pageLoad())) {
        // Time for the other pages, which must not use it to load too much.
        await new Promise(setImmediate);
        for (const { bookId, sequence } of books) bookIds.push(`${bookId} ${sequence}`);
        books.forEach(drop);
      }
      return bookIds;
    };
    const pages = await Promise.all(Array.from({ length: 4 }, readPage));
    const expected = positions.map(({ bookId, sequence }) => `${bookId} ${sequence}`);
    expect(pages).toEqual([expected, expected, expected, expected]);
    expect(held.peak).toBeGreaterThan(receiptsPerBook * 15_000);
    expect(held.peak).toBeLessThanOrEqual(maxReadBytes);
  });

  test('leave single books no memory while they use all of it, and single books are loaded one after another', async () => {
    const { held, counting, drop } = heldText();
    const books = await Promise.all([0, 1, 2].map(() => newBook(longBook)));
    const [alone, ...others] = books.map(({ name }) => name) as [BookKey, BookKey, BookKey];
    const reader = new BookReader({
      databases: opened.databases,
      redis,
      deciderFor: counting,
      maxCachedBytes: 0,
      maxReadBytes: 40_000,
    });
    const page = reader.loadAtPositions(positions, pageLoad());
    await page.next();
    await expect(reader.loadLatest(alone, timer)).rejects.toThrow(DependencyUnavailableError);
    const [{ name: short }, { name: large }] = [await newBook(1), await newBook(1)];
    drop(await reader.loadLatest(short, timer));
    const grow = 'UPDATE books SET fact_bytes = 300000 WHERE tenant_id = $1 AND book_id = $2';
    // The services may not change what is recorded.
    const owned = await openTestDatabases(environment, { name: 'freshness', as: 'owner' });
    await owned.databases.ofBook(large).query(grow, [large.tenantId, large.bookId]);
    await owned.close();
    await expect(reader.loadLatest(large, timer)).rejects.toThrow(DependencyUnavailableError);
    await page.return();
    held.now = 0;
    held.peak = 0;
    drop(await reader.loadLatest(alone, timer));
    const peakOfOne = held.peak;
    await Promise.all(others.map(async (key) => drop(await reader.loadLatest(key, timer))));
    expect(held.peak).toBeLessThan(1.5 * peakOfOne);
  });

  test('are unavailable where others use all memory until the end of the request', async () => {
    const maxReadBytes = 10_000;
    const reader = new BookReader({
      databases: opened.databases,
      redis,
      deciderFor,
      maxCachedBytes: 0,
      maxReadBytes,
    });
    const held = reader.loadAtPositions(positions, pageLoad());
    await held.next();
    const late = reader.loadAtPositions(positions, { timer, waitUntil: performance.now() });
    await expect(late.next()).rejects.toThrow(DependencyUnavailableError);
    await held.return();
    expect(await loadPage(reader, positions)).toHaveLength(positions.length);
  });
});
