/** Books are read from a standby only where it has every fact that the primary has; otherwise from the primary. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { freePort } from '#deploy/dev/ports.ts';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { BookReader } from '#libs/database/book-reader.ts';
import type { BookKey, LoadedBook } from '#libs/database/books.ts';
import type { Database, StageTimer } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { Standby } from '#libs/database/standby.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { isReady, openToolRedis } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let environment: TestEnvironment;
let lender: OneProductLender;
let opened: OpenedDatabases;
let copy: ScratchDatabase;
let unreachable: Database;
let redis: Redis;
beforeAll(async () => {
  environment = testEnvironment();
  lender = await OneProductLender.open(environment);
  opened = await openTestDatabases(environment, { name: 'primary', connections: 8 });
  copy = await createScratchDatabase('standby');
  unreachable = openDatabase({ url: await unreachableUrl(), name: 'unreachable' });
  redis = openToolRedis(environment.stack.redisUrl, 'standby');
  await eventually(() => isReady(redis));
});
afterAll(async () => {
  redis.disconnect();
  await unreachable.end();
  await copy.drop();
  await opened.close();
  await lender.tenant.close();
});

async function unreachableUrl(): Promise<string> {
  return `postgres://nobody:none@127.0.0.1:${await freePort()}/lending`;
}

const timer: StageTimer = { measure: async (_part, work) => work() };

/** Without memory. What Redis has of the books is deleted by the tests. */
function readerWith(database: Database): BookReader {
  const standby = new Standby({ database, deciderFor, logger: silentLogger });
  return newReader(new Map(opened.databases.all.map((primary) => [primary, standby])));
}

function newReader(standbys: ReadonlyMap<Database, Standby> = new Map()): BookReader {
  return new BookReader({ databases: opened.databases, redis, standbys, deciderFor, maxCachedBytes: 0 });
}

/** A book with this many Receipts, as the copy has it from now on. */
async function copiedBook(receipts: number) {
  const client = await lender.client();
  await lender.loan(client);
  for (let index = 0; index < receipts; index += 1) await lender.pay(client, 100, '2026-02-15');
  const key = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
  for (const table of ['books', 'facts', 'snapshots']) {
    const where = 'WHERE tenant_id = $1 AND book_id = $2';
    const { rows } = await opened.databases
      .ofBook(key)
      .query(`SELECT coalesce(json_agg(t), '[]')::text AS copied FROM (SELECT * FROM ${table} ${where}) t`, [
        key.tenantId,
        key.bookId,
      ]);
    await copy.owner.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      rows[0].copied,
    ]);
  }
  const sequence = receipts + 2;
  await forgetInRedis(key, sequence);
  return { client, key, sequence };
}

function snapshotOf({ bookId, book }: LoadedBook<unknown>): string {
  return runToEnd(deciderFor(bookId).encode(book));
}

/** After the processor, or the reader of a test, has written it. */
async function forgetInRedis(key: BookKey, sequence: number): Promise<void> {
  const snapshot = snapshotKey(key.tenantId, key.bookId);
  await eventually(async () => Number(await redis.hget(snapshot, 's')) === sequence);
  await redis.del(snapshot);
}

interface CountedReads {
  readonly standby: number;
  readonly behind: number;
  readonly unavailable: number;
}

/** How often the standby was used during `work`, and how often the primary in its place. */
async function countReads(work: () => Promise<unknown>): Promise<CountedReads> {
  const readCount = async (metric: string, label: string): Promise<number> => {
    const found = await metrics.getSingleMetric(metric)?.get();
    return found?.values.find(({ labels }) => Object.values(labels).includes(label))?.value ?? 0;
  };
  const count = async (): Promise<CountedReads> => ({
    standby: await readCount('lending_book_reads_total', 'standby'),
    behind: await readCount('lending_standby_fallbacks_total', 'behind'),
    unavailable: await readCount('lending_standby_fallbacks_total', 'unavailable'),
  });
  const before = await count();
  await work();
  const after = await count();
  return {
    standby: after.standby - before.standby,
    behind: after.behind - before.behind,
    unavailable: after.unavailable - before.unavailable,
  };
}

const unused: CountedReads = { standby: 0, behind: 0, unavailable: 0 };

describe('a book', () => {
  test('that the standby has is read from it, and is the same as from the primary', async () => {
    const { key, sequence } = await copiedBook(2);
    const fromPrimary = await newReader().loadLatest(key, timer);
    await forgetInRedis(key, sequence);
    const counted = await countReads(async () => {
      const fromStandby = await readerWith(copy.database).loadLatest(key, timer);
      expect(fromStandby.sequence).toBe(sequence);
      expect(snapshotOf(fromStandby)).toBe(snapshotOf(fromPrimary));
    });
    expect(counted).toEqual({ ...unused, standby: 1 });
  });

  test('that was written after the standby had it is read with that write', async () => {
    const { client, key, sequence } = await copiedBook(1);
    await lender.pay(client, 100, '2026-02-16');
    await forgetInRedis(key, sequence + 1);
    const counted = await countReads(async () => {
      expect((await readerWith(copy.database).loadLatest(key, timer)).sequence).toBe(sequence + 1);
    });
    expect(counted).toEqual({ ...unused, behind: 1 });
  });

  test('that the standby does not have is read from the primary', async () => {
    const { key, sequence } = await copiedBook(0);
    await copy.owner.query('DELETE FROM books WHERE book_id = $1', [key.bookId]);
    const counted = await countReads(async () => {
      expect((await readerWith(copy.database).loadLatest(key, timer)).sequence).toBe(sequence);
    });
    expect(counted).toEqual({ ...unused, behind: 1 });
  });

  test('of which the standby has as many facts, but others, is read from the primary', async () => {
    const { key } = await copiedBook(1);
    await copy.owner.query('UPDATE books SET recorded_at = recorded_at + 1 WHERE book_id = $1', [key.bookId]);
    const counted = await countReads(() => readerWith(copy.database).loadLatest(key, timer));
    expect(counted).toEqual({ ...unused, behind: 1 });
  });

  test('without facts is empty without asking the standby', async () => {
    const key = { tenantId: lender.tenant.id, bookId: clientBookId('unknown') };
    const counted = await countReads(async () => {
      expect((await readerWith(copy.database).loadLatest(key, timer)).sequence).toBe(0);
    });
    expect(counted).toEqual(unused);
  });

  test('is read from the primary while the standby does not answer', async () => {
    const { key, sequence } = await copiedBook(1);
    const counted = await countReads(async () => {
      expect((await readerWith(unreachable).loadLatest(key, timer)).sequence).toBe(sequence);
    });
    expect(counted).toEqual({ ...unused, unavailable: 1 });
  });
});

test('of the books of a page the standby serves those that it has', async () => {
  const [current, behind] = [await copiedBook(1), await copiedBook(1)];
  await lender.pay(behind.client, 100, '2026-02-16');
  await forgetInRedis(behind.key, behind.sequence + 1);
  const keys = [current.key, behind.key];
  const known = await Promise.all(keys.map((key) => newReader().loadLatest(key, timer)));
  const positions = known.map((book) => ({ ...book, factBytes: null }));
  for (const position of positions) await forgetInRedis(position, position.sequence);
  const counted = await countReads(async () => {
    const page = { timer, waitUntil: performance.now() + 60_000 };
    const loaded: LoadedBook<unknown>[] = [];
    for await (const portion of readerWith(copy.database).loadAtPositions(positions, page)) loaded.push(...portion);
    expect(loaded.map(({ bookId, sequence }) => [bookId, sequence])).toEqual([
      [current.key.bookId, current.sequence],
      [behind.key.bookId, behind.sequence + 1],
    ]);
  });
  expect(counted).toEqual({ ...unused, standby: 1, behind: 1 });
});

test.each([
  ['is behind', async () => copy.servicesUrl],
  ['is unreachable', unreachableUrl],
])('a query service whose standby %s is ready and answers with every write', async (_, standbyUrl) => {
  const { client, key, sequence } = await copiedBook(1);
  const url = await standbyUrl();
  const query = await ServiceProcess.start('query', {
    ...serviceEnvironment(environment.stack),
    BOOK_CACHE_MIB: '0',
    DATABASE_STANDBY_URL: url,
    PARTITION_DATABASE_STANDBY_URLS: [...(environment.stack.partitionDatabases ?? new Map()).keys()]
      .map((name) => `${name}=${url}`)
      .join(' '),
  });
  try {
    await query.waitUntilReady();
    const there = lender.tenant.at(query.baseUrl);
    const path = `/clients/${client}/receipts`;
    expect((await there.get(path)).body.receipts).toHaveLength(1);
    await lender.pay(client, 100, '2026-02-16');
    await forgetInRedis(key, sequence + 1);
    expect((await there.get(path)).body.receipts).toHaveLength(2);
    expect(await query.readiness()).toMatchObject({ status: 200, degraded: [] });
  } finally {
    query.kill();
  }
});
