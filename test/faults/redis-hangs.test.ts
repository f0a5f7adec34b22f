/** Redis that is there and does not answer: a connection that stands says nothing of who would hear. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { BookReader } from '#libs/database/read-books.ts';
import type { Watch } from '#libs/database/reading.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isReady, openRedis } from '#libs/redis/redis.ts';
import { answerInTime } from '#libs/redis/redis-timeout.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { Lender } from '#test/integration/reads/lender.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';

let here: House;
let lender: Lender;
let database: Database;
let redis: Redis;
beforeAll(async () => {
  here = house();
  lender = await Lender.open(here);
  database = openDatabase({ url: here.stack.databaseUrl, name: 'redis hangs' });
  redis = openRedis(here.stack.redisUrl, 'redis-hangs');
  await eventually(() => isReady(redis));
});
afterEach(() => here.stack.resume('redis'));
afterAll(async () => {
  redis.disconnect();
  await database.end();
  await lender.tenant.close();
});

const watch: Watch = { measure: async (_part, work) => work() };

async function clients(many: number): Promise<string[]> {
  const made: string[] = [];
  for (let nth = 0; nth < many; nth += 1) {
    const client = await lender.client();
    await lender.loan(client);
    made.push(client);
  }
  return made;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

test('callers are answered from Postgres at once, all but the first, and a page of dues in the same time', async () => {
  const all = await clients(12);
  here.stack.pause('redis');
  const took: number[] = [];
  for (const client of all.slice(0, 6)) {
    took.push(await msOf(() => lender.read(`/clients/${client}/payment-options?on=2026-03-20`)));
  }
  took.push(await msOf(() => lender.read('/dues?on=2026-03-20')));
  expect(Math.max(...took.slice(1))).toBeLessThan(500);
  expect(took.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1_500);
});

test('whoever writes is answered through the table, all but the first as soon as it is there, and over Redis again', async () => {
  const [client = ''] = await clients(1);
  const write = () => msOf(() => lender.pay(client, 100, '2026-02-01'));
  const five = async () => {
    let together = 0;
    for (let nth = 0; nth < 5; nth += 1) together += await write();
    return together;
  };
  here.stack.pause('redis');
  expect(await write()).toBeLessThan(1_500);
  // Each would take 700 ms, if it waited until it is overdue.
  expect(await five()).toBeLessThan(2_000);
  here.stack.resume('redis');
  // The table is looked at ten times a second.
  await eventually(async () => (await five()) < 400, 10_000);
});

test('it is left alone until it answers again, however long that takes, and asked again then', async () => {
  const [client = ''] = await clients(1);
  const name = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
  const reader = new BookReader({ database, redis, kindOf: deciderFor, mostFacts: 0 });
  here.stack.pause('redis');
  expect(await msOf(() => reader.newest(name, watch))).toBeLessThan(600);
  expect(isReady(redis)).toBe(false);
  // Past the time the driver gives a command.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(isReady(redis)).toBe(false);
  expect(await msOf(() => reader.newest(name, watch))).toBeLessThan(500);
  here.stack.resume('redis');
  await eventually(() => isReady(redis), 2_000);
  expect((await reader.newest(name, watch)).sequence).toBe(2);
});

test('a process that was busy with itself does not take Redis for silent', async () => {
  for (let nth = 0; nth < 5; nth += 1) {
    const asked = answerInTime(redis, redis.ping());
    for (const until = performance.now() + 400; performance.now() < until; );
    expect(await asked).toBe('PONG');
    expect(isReady(redis)).toBe(true);
  }
});
