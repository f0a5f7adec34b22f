/** A database that was set back by a restore or a failover: later state in memory and Redis must not be used (A6). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { BookReader } from '#libs/database/book-reader.ts';
import type { StageTimer } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
import { IsolatedProcessor, partition } from './in-process-processor.ts';
import { sumBook, tenantId } from './sum-book.ts';

let isolated: IsolatedProcessor;
beforeAll(async () => {
  isolated = await IsolatedProcessor.open('restored');
});
afterAll(() => isolated.close());
beforeEach(() => isolated.reset());

const timer: StageTimer = { measure: async (_part, work) => work() };

async function asOwner(work: (owner: pg.Client) => Promise<unknown>): Promise<void> {
  const owner = new pg.Client({ connectionString: isolated.url });
  await owner.connect();
  await work(owner);
  await owner.end();
}

/** Removes the second fact of the book. */
async function setBack(owner: pg.Client, bookId: string): Promise<void> {
  await owner.query('DELETE FROM facts WHERE book_id = $1 AND sequence = 2', [bookId]);
  await owner.query(
    `UPDATE books b SET sequence = 1, version_count = 1, version_at = f.version_at, recorded_at = f.recorded_at
       FROM facts f WHERE b.book_id = $1 AND f.book_id = b.book_id AND f.sequence = 1`,
    [bookId],
  );
}

test('a reader returns the state of the restored database and the facts recorded afterwards', async () => {
  const database = openDatabase({ url: isolated.url, name: 'restored' });
  const redis = openRedis(testEnvironment().stack.redisUrl, 'restored');
  const reader = new BookReader({
    databases: PartitionDatabases.of(database),
    redis,
    deciderFor: () => sumBook,
    maxCachedBytes: 1_500_000,
  });
  const key = { tenantId, bookId: isolated.bookOf('ana') };
  await isolated.add({ client: 'ana', by: 5 });
  await isolated.add({ client: 'ana', by: 6 });
  expect(await reader.loadLatest(key, timer)).toMatchObject({ sequence: 2, book: 11 });
  await asOwner((owner) => setBack(owner, key.bookId));
  expect(await reader.loadLatest(key, timer)).toMatchObject({ sequence: 1, book: 5 });
  await isolated.restart();
  await isolated.add({ client: 'ana', by: 100 });
  expect(await reader.loadLatest(key, timer)).toMatchObject({ sequence: 2, book: 105 });
  await asOwner((owner) => setBack(owner, key.bookId));
  await isolated.restart();
  await isolated.add({ client: 'ana', by: 1_000 });
  // The same number of facts as in memory, but with other content.
  expect(await reader.loadLatest(key, timer)).toMatchObject({ sequence: 2, book: 1_005 });
  redis.disconnect();
  await database.end();
});

test.each([
  ['during its ownership', 0],
  ['to before its takeover', 1],
])('a processor whose database was set back %s stops with an error and decides nothing more', async (_, epochs) => {
  const bookId = isolated.bookOf('ana');
  await isolated.add({ client: 'ana', by: 1 });
  const restoredOffset = await isolated.nextOffset();
  await isolated.add({ client: 'ana', by: 10 });
  await asOwner(async (owner) => {
    await setBack(owner, bookId);
    const text = `UPDATE partitions SET next_offset = $1, next_event = next_event - 1, epoch = epoch - $3
      WHERE partition = $2`;
    await owner.query(text, [restoredOffset, partition, epochs]);
  });
  const requestId = newUuid();
  isolated.deliver(Buffer.from(JSON.stringify({ client: 'ana', by: 100, requestId })), 'ana');
  await eventually(() => isolated.dataLosses.length > 0);
  expect(isolated.dataLosses).toEqual([expect.stringContaining('was set back')]);
  expect(isolated.verdictsOf(requestId)).toEqual([]);
  expect(await isolated.bookRow('ana')).toMatchObject({ sequence: 1 });
  expect(await isolated.nextOffset()).toBe(restoredOffset);
});
