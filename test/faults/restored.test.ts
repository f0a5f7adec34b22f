/** A database that was set back, by a restore or a primary that was lost: what a reader still holds of later goes (A6). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '#libs/database/database.ts';
import { BookReader } from '#libs/database/read-books.ts';
import type { Watch } from '#libs/database/reading.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { eventually, house } from '#test/integration/tenant.ts';
import { sum, tenantId } from './adding.ts';
import { LoneProcessor, partition } from './lone-processor.ts';

let lone: LoneProcessor;
beforeAll(async () => {
  lone = await LoneProcessor.open('restored');
});
afterAll(() => lone.close());
beforeEach(() => lone.another());

const watch: Watch = { measure: async (_part, work) => work() };

async function asOwner(work: (owner: pg.Client) => Promise<unknown>): Promise<void> {
  const owner = new pg.Client({ connectionString: lone.url.href });
  await owner.connect();
  await work(owner);
  await owner.end();
}

/** Back to its first fact, as if the second had never been. */
async function setBack(owner: pg.Client, bookId: string): Promise<void> {
  await owner.query('DELETE FROM facts WHERE book_id = $1 AND sequence = 2', [bookId]);
  await owner.query(
    `UPDATE books b SET sequence = 1, version_count = 1, version_at = f.version_at, recorded_at = f.recorded_at
       FROM facts f WHERE b.book_id = $1 AND f.book_id = b.book_id AND f.sequence = 1`,
    [bookId],
  );
}

test('a reader shows what the store holds now, and what it comes to hold instead', async () => {
  const database = openDatabase({ url: lone.url.href, name: 'restored' });
  const redis = openRedis(house().stack.redisUrl, 'restored');
  const reader = new BookReader({ database, redis, kindOf: () => sum, mostFacts: 1_000 });
  const name = { tenantId, bookId: lone.bookOf('ana') };
  await lone.add({ client: 'ana', by: 5 });
  await lone.add({ client: 'ana', by: 6 });
  expect(await reader.newest(name, watch)).toMatchObject({ sequence: 2, book: 11 });
  await asOwner((owner) => setBack(owner, name.bookId));
  expect(await reader.newest(name, watch)).toMatchObject({ sequence: 1, book: 5 });
  await lone.restart();
  await lone.add({ client: 'ana', by: 100 });
  expect(await reader.newest(name, watch)).toMatchObject({ sequence: 2, book: 105 });
  await asOwner((owner) => setBack(owner, name.bookId));
  await lone.restart();
  await lone.add({ client: 'ana', by: 1_000 });
  // As many facts as it holds, and other ones.
  expect(await reader.newest(name, watch)).toMatchObject({ sequence: 2, book: 1_005 });
  redis.disconnect();
  await database.end();
});

test.each([
  ['', 0],
  [' to before it took over', 1],
])('a processor under which the store was set back%s stops loudly, and decides nothing more', async (_, epochs) => {
  const bookId = lone.bookOf('ana');
  await lone.add({ client: 'ana', by: 1 });
  const to = await lone.nextOffset();
  await lone.add({ client: 'ana', by: 10 });
  await asOwner(async (owner) => {
    await setBack(owner, bookId);
    const text = `UPDATE partitions SET next_offset = $1, next_event = next_event - 1, epoch = epoch - $3
      WHERE partition = $2`;
    await owner.query(text, [to, partition, epochs]);
  });
  const requestId = mint();
  lone.put(Buffer.from(JSON.stringify({ client: 'ana', by: 100, requestId })), 'ana');
  await eventually(() => lone.losses.length > 0);
  expect(lone.losses).toEqual([expect.stringContaining('was set back')]);
  expect(lone.heard(requestId)).toEqual([]);
  expect(await lone.row('ana')).toMatchObject({ sequence: 1 });
  expect(await lone.nextOffset()).toBe(to);
});
