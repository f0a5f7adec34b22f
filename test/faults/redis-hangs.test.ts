/** Redis accepts connections but does not answer. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { BookReader } from '#libs/database/book-reader.ts';
import type { StageTimer } from '#libs/database/database.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { isReady, openRedis } from '#libs/redis/redis.ts';
import { answerOrTimeout } from '#libs/redis/redis-timeout.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let here: TestEnvironment;
let lender: OneProductLender;
let opened: OpenedDatabases;
let redis: Redis;
beforeAll(async () => {
  here = testEnvironment();
  lender = await OneProductLender.open(here);
  opened = await openTestDatabases(here, { name: 'redis hangs' });
  redis = openRedis(here.stack.redisUrl, 'redis-hangs');
  await eventually(() => isReady(redis));
});
afterEach(() => here.stack.resume('redis'));
afterAll(async () => {
  redis.disconnect();
  await opened.close();
  await lender.tenant.close();
});

const timer: StageTimer = { measure: async (_part, work) => work() };

async function createClients(count: number): Promise<string[]> {
  const clients: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = await lender.client();
    await lender.loan(client);
    clients.push(client);
  }
  return clients;
}

async function durationMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The command timeout of the driver, for which a read waits that has no time limit of its own. */
const undetectedMs = 1_000;

test('reads are answered from Postgres, and none waits for the command timeout', async () => {
  const clients = await createClients(12);
  here.stack.pause('redis');
  const durations: number[] = [];
  for (const client of clients.slice(0, 6)) {
    durations.push(await durationMs(() => lender.read(`/clients/${client}/payment-options?on=2026-03-20`)));
  }
  durations.push(await durationMs(() => lender.read('/dues?on=2026-03-20')));
  expect(Math.max(...durations)).toBeLessThan(undetectedMs);
});

test('writes are answered through the verdicts table without delay after the first one, and through Redis when it is back', async () => {
  const [client = ''] = await createClients(1);
  const write = () => durationMs(() => lender.pay(client, 100, '2026-02-01'));
  const writeFive = async () => {
    let totalMs = 0;
    for (let count = 0; count < 5; count += 1) totalMs += await write();
    return totalMs;
  };
  here.stack.pause('redis');
  expect(await write()).toBeLessThan(1_500);
  // Each would take 700 ms if it waited until its verdict is overdue.
  expect(await writeFive()).toBeLessThan(2_000);
  here.stack.resume('redis');
  // The table is polled ten times a second.
  await eventually(async () => (await writeFive()) < 400, 10_000);
});

test('Redis is not used until it answers again, and used again then', async () => {
  const [client = ''] = await createClients(1);
  const key = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
  const reader = new BookReader({
    databases: opened.databases,
    redis,
    deciderFor: deciderFor,
    maxCachedBytes: 0,
  });
  here.stack.pause('redis');
  expect(await durationMs(() => reader.loadLatest(key, timer))).toBeLessThan(undetectedMs);
  expect(isReady(redis)).toBe(false);
  // Longer than the command timeout of the driver.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(isReady(redis)).toBe(false);
  expect(await durationMs(() => reader.loadLatest(key, timer))).toBeLessThan(undetectedMs);
  here.stack.resume('redis');
  await eventually(() => isReady(redis), 2_000);
  expect((await reader.loadLatest(key, timer)).sequence).toBe(2);
});

test('a process that blocks its own event loop does not conclude that Redis hangs', async () => {
  for (let count = 0; count < 5; count += 1) {
    const answer = answerOrTimeout(redis, redis.ping());
    for (const end = performance.now() + 400; performance.now() < end; );
    expect(await answer).toBe('PONG');
    expect(isReady(redis)).toBe(true);
  }
});
