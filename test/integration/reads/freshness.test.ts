/** Where a book is found: whatever Redis holds of it, the answer has every fact committed before it was asked. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor } from '#libs/database/books.ts';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { BookReader } from '#libs/database/read-books.ts';
import type { Watch } from '#libs/database/reading.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isReady, openRedis } from '#libs/redis/redis.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';
import { Lender } from './lender.ts';

let here: House;
let lender: Lender;
let database: Database;
let redis: Redis;
beforeAll(async () => {
  here = house();
  lender = await Lender.open(here);
  database = openDatabase({ url: here.stack.databaseUrl, name: 'freshness' });
  redis = openRedis(here.stack.redisUrl, 'freshness');
  await eventually(() => isReady(redis));
});
afterAll(async () => {
  redis.disconnect();
  await database.end();
  await lender.tenant.close();
});

const watch: Watch = { measure: async (_part, work) => work() };

function aReader(mostFacts = 1_000): BookReader {
  return new BookReader({ database, redis, kindOf: deciderFor, mostFacts });
}

async function aBook(receipts: number, of = lender) {
  const client = await of.client();
  await of.loan(client);
  for (let nth = 0; nth < receipts; nth += 1) await of.pay(client, 100, '2026-02-15');
  const name = { tenantId: of.tenant.id, bookId: clientBookId(client) };
  const key = snapshotKey(name.tenantId, name.bookId);
  const sequence = receipts + 2;
  // What the processor writes behind its commits has come, so that nothing overtakes what is done to it here.
  await eventually(async () => Number(await redis.hget(key, 's')) === sequence);
  return { client, name, key, sequence };
}

function lengthOf(book: unknown): number {
  return (book as ClientBook).folded.length;
}

type Spoiling = [string, (key: string, held: string) => Promise<unknown>];

/** What a release before, a slip of somebody's hand, or another program under the same names leaves behind. */
const unreadable: Spoiling[] = [
  ['garbage', (key) => redis.hset(key, 'd', 'garbage')],
  ['an empty text', (key) => redis.hset(key, 'd', '')],
  ['an empty line', (key) => redis.hset(key, 'd', '\n')],
  ['a first line that is cut off', (key, held) => redis.hset(key, 'd', held.slice(0, 10))],
  ['a book cut off in its own first line', (key, held) => redis.hset(key, 'd', held.slice(0, held.indexOf('\n') + 40))],
  ['a book that lacks its end', (key, held) => redis.hset(key, 'd', held.slice(0, -20))],
  ['an object for a first line', (key, held) => redis.hset(key, 'd', withHead(held, '{"sequence":4}'))],
  ['null for a first line', (key, held) => redis.hset(key, 'd', withHead(held, 'null'))],
  ['a first line of a form that had no number', (key, held) => redis.hset(key, 'd', withHead(held, headOfOld(held)))],
  ['garbage under a sequence that is no number', (key) => redis.hset(key, 's', 'many', 'd', 'garbage')],
  ['garbage under a sequence far ahead', (key) => redis.hset(key, 's', '99', 'd', 'garbage')],
  ['a sequence without a text', (key) => redis.hdel(key, 'd')],
  ['a word', (key) => redis.multi().del(key).set(key, 'a word').exec()],
  ['a list', (key) => redis.multi().del(key).rpush(key, 'a', 'list').exec()],
];

function withHead(held: string, head: string): string {
  return `${head}${held.slice(held.indexOf('\n'))}`;
}

function headOfOld(held: string): string {
  return JSON.stringify((JSON.parse(held.slice(0, held.indexOf('\n'))) as unknown[]).slice(0, 7));
}

/** What a book amounts to, as Redis holds it: whoever wrote it there. */
async function bookIn(key: string): Promise<string | undefined> {
  const held = await redis.hget(key, 'd').catch(() => null);
  return held?.split('\n').slice(1).join();
}

test.each<Spoiling>([
  ['nothing', (key) => redis.del(key)],
  ['another format', (key) => redis.hset(key, 'd', '[4,3,1,1,null,false,0]\n{"format":0}')],
  ['more facts than were ever recorded', (key, held) => fakeAhead(key, held)],
  ...unreadable,
])('a book of which Redis holds %s is answered from Postgres, and Redis mended', async (_, spoil) => {
  const { name, key, sequence } = await aBook(2);
  const held = await bookIn(key);
  await spoil(key, String(await redis.hget(key, 'd')));
  const standing = await aReader().newest(name, watch);
  expect(standing.sequence).toBe(sequence);
  expect(lengthOf(standing.book)).toBe(sequence - 1);
  await eventually(async () => (await bookIn(key)) === held);
  expect(await redis.hget(key, 's')).toBe(String(sequence));
  // Whoever reads next finds it there.
  expect((await aReader().newest(name, watch)).sequence).toBe(sequence);
});

test.each(unreadable)('the Tenancy’s own book, of which Redis holds %s, as well', async (_, spoil) => {
  const name = { tenantId: lender.tenant.id, bookId: tenancyBookId };
  const key = snapshotKey(name.tenantId, name.bookId);
  const before = await aReader().newest(name, watch);
  await eventually(async () => Number(await redis.hget(key, 's')) === before.sequence);
  const held = await bookIn(key);
  await spoil(key, String(await redis.hget(key, 'd')));
  expect((await aReader().newest(name, watch)).book).toEqual(before.book);
  await eventually(async () => (await bookIn(key)) === held);
});

test.each(unreadable)('a caller is answered though Redis holds %s of a Client', async (_, spoil) => {
  const on = '2026-03-20';
  const paths = (client: string) => [
    `/loans?client_id=${client}`,
    `/dues?on=${on}`,
    `/clients/${client}/payment-options?on=${on}`,
  ];
  const own = await Lender.open(here);
  for (const nth of [0, 1, 2]) {
    // Each of its own: what one read found is kept in memory for the next.
    const { client, key } = await aBook(1, own);
    const held = await bookIn(key);
    await spoil(key, String(await redis.hget(key, 'd')));
    const path = String(paths(client)[nth]);
    const first = await own.read(path);
    await eventually(async () => (await bookIn(key)) === held);
    expect(await own.read(path)).toEqual(first);
  }
  await own.tenant.close();
});

async function fakeAhead(key: string, held: string): Promise<void> {
  const [head = '', ...rest] = held.split('\n');
  const numbers = JSON.parse(head) as unknown[];
  numbers[0] = 99;
  await redis.hset(key, 's', '99', 'd', [JSON.stringify(numbers), ...rest].join('\n'));
}

test('a book that Redis or a reader holds a few facts behind is answered with those facts', async () => {
  const { client, name, key, sequence } = await aBook(1);
  const held = await redis.hgetall(key);
  const warm = aReader();
  await warm.newest(name, watch);
  for (let nth = 0; nth < 3; nth += 1) await lender.pay(client, 100, '2026-02-16');
  await eventually(async () => Number(await redis.hget(key, 's')) === sequence + 3);
  await redis.hset(key, held);
  for (const reader of [warm, aReader(), aReader(0)]) {
    const standing = await reader.newest(name, watch);
    expect(standing).toMatchObject({ sequence: sequence + 3, versionCount: sequence + 2 });
    expect(lengthOf(standing.book)).toBe(sequence + 2);
  }
});

test('many books are answered at once, from wherever each is', async () => {
  const books = await Promise.all([aBook(0), aBook(1), aBook(2)]);
  const reader = aReader();
  const [first, second] = books;
  if (first === undefined || second === undefined) throw new Error('three books were made');
  await reader.newest(first.name, watch);
  await redis.del(second.key);
  const asked = await Promise.all(books.map(({ name }) => aReader(0).newest(name, watch)));
  const standing = await reader.atLeast(asked, watch);
  expect(standing.map(({ bookId }) => bookId)).toEqual(books.map(({ name }) => name.bookId));
  expect(standing.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
});

test('what a reader keeps stands in a page only where its last fact is the one the page was read with', async () => {
  const { name } = await aBook(1);
  const reader = aReader();
  const kept = await reader.newest(name, watch);
  expect((await reader.atLeast([kept], watch))[0]).toBe(kept);
  // As after a restore: as many facts, and the last of them is another.
  const ofThisPast = { ...kept, recordedAt: (kept.recordedAt + 1) as Moment };
  const [read] = await reader.atLeast([ofThisPast], watch);
  expect(read).not.toBe(kept);
  expect(read).toMatchObject({ sequence: kept.sequence, recordedAt: kept.recordedAt });
  expect(lengthOf(read?.book)).toBe(lengthOf(kept.book));
});

test('the time of standing a book up is told as derivation, not as the store’s', async () => {
  const { name, sequence } = await aBook(2);
  const within: string[] = [];
  const parts: string[] = [];
  const watched: DeciderFor = (bookId) => {
    const kind = deciderFor(bookId);
    return {
      ...kind,
      replay(book, fact) {
        parts.push(within.join('/'));
        return kind.replay(book, fact);
      },
    };
  };
  const watch: Watch = {
    async measure(part, work) {
      within.push(part);
      try {
        return await work();
      } finally {
        within.pop();
      }
    },
  };
  const away = await redisAway();
  await new BookReader({ database, redis: away, kindOf: watched, mostFacts: 0 }).newest(name, watch);
  expect(parts).toEqual(Array.from({ length: sequence }, () => 'derive'));
});

async function redisAway(): Promise<Redis> {
  const away = openRedis(here.stack.redisUrl, 'away');
  await eventually(() => isReady(away));
  away.disconnect();
  return away;
}

test('with Redis away every book is answered all the same', async () => {
  const { name, sequence } = await aBook(2);
  const away = await redisAway();
  const standing = await new BookReader({ database, redis: away, kindOf: deciderFor, mostFacts: 10 }).newest(
    name,
    watch,
  );
  expect(standing.sequence).toBe(sequence);
});
