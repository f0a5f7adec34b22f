/** Where a book is found: whatever Redis holds of it, the answer has every fact committed before it was asked. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { type Database, openDatabase } from '#libs/store/database.ts';
import { BookReader } from '#libs/store/read-books.ts';
import type { Watch } from '#libs/store/reading.ts';
import { isReady, openRedis } from '#libs/store/redis.ts';
import { snapshotKey } from '#libs/store/snapshot-cache.ts';
import { clientBookId } from '#libs/turn/book-id.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import { eventually, type House, house } from '../tenant.ts';
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
  return new BookReader({ database, redis, kindOf, mostFacts });
}

async function aBook(receipts: number) {
  const client = await lender.client();
  await lender.loan(client);
  for (let nth = 0; nth < receipts; nth += 1) await lender.pay(client, 100, '2026-02-15');
  const name = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
  const key = snapshotKey(name.tenantId, name.bookId);
  const sequence = receipts + 2;
  // What the processor writes behind its commits has come, so that nothing overtakes what is done to it here.
  await eventually(async () => Number(await redis.hget(key, 's')) === sequence);
  return { client, name, key, sequence };
}

function lengthOf(book: unknown): number {
  return (book as ClientBook).folded.length;
}

test.each<[string, (key: string) => Promise<unknown>]>([
  ['nothing', (key) => redis.del(key)],
  ['another format', (key) => redis.hset(key, 'd', '[4,3,1,1,null,false,0]\n{"format":0}')],
  ['more facts than were ever recorded', (key) => fakeAhead(key)],
])('a book of which Redis holds %s is answered from Postgres, and Redis mended', async (_, spoil) => {
  const { name, key, sequence } = await aBook(2);
  const held = await redis.hget(key, 'd');
  await spoil(key);
  const standing = await aReader().newest(name, watch);
  expect(standing.sequence).toBe(sequence);
  expect(lengthOf(standing.book)).toBe(sequence - 1);
  await eventually(
    async () => (await redis.hget(key, 'd'))?.split('\n').slice(1).join() === held?.split('\n').slice(1).join(),
  );
  expect(await redis.hget(key, 's')).toBe(String(sequence));
});

async function fakeAhead(key: string): Promise<void> {
  const held = String(await redis.hget(key, 'd'));
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
  const standing = await reader.atLeast(
    books.map(({ name, sequence }) => ({ ...name, sequence })),
    watch,
  );
  expect(standing.map(({ bookId }) => bookId)).toEqual(books.map(({ name }) => name.bookId));
  expect(standing.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
});

test('with Redis away every book is answered all the same', async () => {
  const { name, sequence } = await aBook(2);
  const away = openRedis(here.stack.redisUrl, 'away');
  await eventually(() => isReady(away));
  away.disconnect();
  const standing = await new BookReader({ database, redis: away, kindOf, mostFacts: 10 }).newest(name, watch);
  expect(standing.sequence).toBe(sequence);
});
