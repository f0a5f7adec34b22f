/** The rows of books are read for many requests with one statement, and each request gets its own row. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { BookRowReader, type BookRowRequest } from '#libs/database/book-row-reader.ts';
import type { Database, StageTimer } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { StatementBatcher } from '#libs/database/statement-batcher.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

let scratch: ScratchDatabase;
/** With one connection, so that a test can hold it and let requests wait. */
let database: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase('book_rows');
  database = openDatabase({ url: scratch.servicesUrl, name: 'book-rows', connections: 1 });
});
afterAll(async () => {
  await database.end();
  await scratch.drop();
});
beforeEach(() => scratch.owner.query('TRUNCATE books'));

const timer: StageTimer = { measure: async (_stage, work) => work() };

function rowOf(bookId: string): BookRowRequest {
  return { tenantId: 'lender', bookId, after: 0, maxLaterFacts: 0 };
}

async function insertBook(bookId: string, sequence: number, versionCount: number | bigint = sequence): Promise<void> {
  const values = ['lender', bookId, sequence, String(versionCount)];
  const columns = 'tenant_id, book_id, partition, sequence, version_count, recorded_at';
  await scratch.owner.query(`INSERT INTO books (${columns}) VALUES ($1, $2, 0, $3, $4, 1)`, values);
}

test('requests that wait together share statements, and each gets the row of its own book', async () => {
  const bookIds = Array.from({ length: 100 }, (_, index) => `c/${index}`);
  for (const [index, bookId] of bookIds.entries()) await insertBook(bookId, index + 1);
  const reader = new BookRowReader(database);
  let statements = 0;
  database.on('acquire', () => {
    statements += 1;
  });

  const rows = await Promise.all([...bookIds, 'c/none', 'c/7'].map((bookId) => reader.read(rowOf(bookId), timer)));

  expect(rows.map((row) => row?.sequence)).toEqual([...bookIds.map((_, index) => index + 1), undefined, 8]);
  expect(statements).toBe(2);
});

test('a request sees what was committed before it, also while earlier ones still wait', async () => {
  await insertBook('c/1', 1);
  const reader = new BookRowReader(database);
  const held = await database.connect();
  const earlier = reader.read(rowOf('c/1'), timer);
  await new Promise(setImmediate);
  await scratch.owner.query("UPDATE books SET sequence = 2 WHERE book_id = 'c/1'");
  const later = reader.read(rowOf('c/1'), timer);
  held.release();

  expect((await later)?.sequence).toBe(2);
  expect((await earlier)?.sequence).toBe(2);
});

test('requests that arrive while a statement runs share the next one', async () => {
  const sizes: number[] = [];
  const firstRuns = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const batcher = new StatementBatcher<string, string>(database, {
    async run(_connection, requests) {
      sizes.push(requests.length);
      firstRuns.resolve();
      await mayEnd.promise;
      return new Map(requests.map((request, index) => [index + 1, request]));
    },
    sizeOf: () => 1,
    maxSize: 100,
    gatherMs: 60_000,
  });

  const first = batcher.read('first', timer);
  await firstRuns.promise;
  const second = batcher.read('second', timer);
  await new Promise(setImmediate);
  const third = batcher.read('third', timer);
  await new Promise(setImmediate);
  mayEnd.resolve();

  expect(await Promise.all([first, second, third])).toEqual(['first', 'second', 'third']);
  expect(sizes).toEqual([1, 2]);
});

test('a request waits for a statement that hangs no longer than requests are gathered', async () => {
  const twoConnections = openDatabase({ url: scratch.servicesUrl, name: 'book-rows', connections: 2 });
  const firstRuns = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const batcher = new StatementBatcher<string, string>(twoConnections, {
    async run(_connection, requests) {
      firstRuns.resolve();
      if (requests.includes('hangs')) await mayEnd.promise;
      return new Map(requests.map((request, index) => [index + 1, request]));
    },
    sizeOf: () => 1,
    maxSize: 100,
    gatherMs: 50,
  });

  const hanging = batcher.read('hangs', timer);
  await firstRuns.promise;

  const alone = batcher.read('alone', timer).finally(() => mayEnd.resolve());
  expect(await Promise.race([alone, hanging])).toBe('alone');
  expect(await hanging).toBe('hangs');
  await twoConnections.end();
});

test('a row that cannot be read fails its own request and no other', async () => {
  await insertBook('c/good', 1);
  await insertBook('c/bad', 1, 2n ** 60n);
  const reader = new BookRowReader(database);

  const [good, bad] = await Promise.allSettled([
    reader.read(rowOf('c/good'), timer),
    reader.read(rowOf('c/bad'), timer),
  ]);

  expect(good).toMatchObject({ status: 'fulfilled', value: { sequence: 1 } });
  expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) });
});

test('without Postgres every waiting request fails as unavailable, and later ones are read again', async () => {
  await insertBook('c/1', 1);
  const reader = new BookRowReader(database);
  await scratch.owner.query('ALTER TABLE books RENAME TO books_away');

  const failed = await Promise.allSettled([reader.read(rowOf('c/1'), timer), reader.read(rowOf('c/2'), timer)]);
  await scratch.owner.query('ALTER TABLE books_away RENAME TO books');

  for (const outcome of failed) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DependencyUnavailableError) });
  }
  expect((await reader.read(rowOf('c/1'), timer))?.sequence).toBe(1);
});
