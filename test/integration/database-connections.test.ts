/** Rights and failures of the services' database connections, and the locks that allow one processor to publish a partition. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Database, query } from '#libs/database/database.ts';
import { takeOverPartitions } from '#libs/database/partitions.ts';
import { openDatabase, openOwnerDatabase, openPool } from '#libs/database/pool.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually } from '#test/support/tenant.ts';

let scratch: ScratchDatabase;
let database: Database;
let url: string;
beforeAll(async () => {
  scratch = await createScratchDatabase('connections');
  ({ database, servicesUrl: url } = scratch);
});
afterAll(() => scratch.drop());

describe('a service', () => {
  test.each([
    'UPDATE facts SET kind = kind',
    'DELETE FROM facts',
    'UPDATE submission_references SET book_id = book_id',
    'UPDATE reference_hashes SET digest = digest',
    'DELETE FROM request_evidence',
    'DELETE FROM request_bodies',
    'DROP TABLE facts',
    'ALTER TABLE books ADD COLUMN x int',
  ])('may not %s', async (statement) => {
    await expect(database.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a connection to Postgres', () => {
  test('that breaks while it is idle fails the next query on it and no other', async () => {
    const pool = openDatabase({ url, name: 'broken', connections: 1 });
    const client = await pool.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await scratch.owner.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await ended;
    await expect(query(client, 'any', 'SELECT 1 AS one', [])).rejects.toThrow(DependencyUnavailableError);
    client.release();
    expect(await query(pool, 'any', 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test('of a command may be waited for longer than a service would wait', async () => {
    const { ownerUrl } = scratch;
    const pool = openOwnerDatabase({ url: ownerUrl, name: 'repair', connections: 1 }, 'public');
    const first = pool.query("SELECT 'first' AS statement, pg_sleep(5.5)");
    const second = pool.query("SELECT 'second' AS statement");
    expect((await first).rows[0].statement).toBe('first');
    expect((await second).rows[0].statement).toBe('second');
    await pool.end();
  });

  test('that is refused at login counts as an unavailable dependency, whatever the error code', async () => {
    const pool = openPool({ url, name: 'refused', connections: 1 }, { role: 'no_such_role' });
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '22023' });
    await expect(query(pool, 'any', 'SELECT 1', [])).rejects.toThrow(DependencyUnavailableError);
    await pool.end();
  });

  test('that is idle inside a transaction is closed and its locks are released', async () => {
    // Postgres closes it: a stopped process cannot do so itself.
    const pool = openDatabase({ url, name: 'stopped', connections: 1, answerTimeoutMs: 300 });
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM partitions WHERE partition = 11 FOR UPDATE');
    expect([...(await takeOverPartitions(database, 'next', [11])).keys()]).toEqual([11]);
    client.release();
    await pool.end();
  });

  test('is not treated as dead when the process itself was busy for longer than the timeout', async () => {
    const pool = openDatabase({ url, name: 'busy', connections: 1, maxHoldMs: 200 });
    await query(pool, 'any', 'SELECT 1 AS one', []);
    const pending = query(pool, 'any', 'SELECT 1 AS one', []);
    for (const end = performance.now() + 600; performance.now() < end; );
    expect(await pending).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('the lock to publish a partition', () => {
  test('belongs to one session, can be released, and is taken from a session that does not release it', async () => {
    const first = new PublishingLocks(database);
    const second = new PublishingLocks(database);
    expect(await first.acquire(9)).toBe(true);
    expect(await second.acquire(9)).toBe(false);
    await first.release(9);
    expect(await second.acquire(9)).toBe(true);
    // The second session does nothing more.
    await eventually(() => first.acquire(9));
    await expect(second.confirmHeld([9])).rejects.toThrow('publishing locks');
    await first.confirmHeld([9]);
    await expect(first.confirmHeld([9, 10])).rejects.toThrow('publishing locks');
    first.close();
    second.close();
  });

  test('of all partitions is taken from sessions that have every other one and take it back at once', async () => {
    const partitions = [0, 1, 2, 3, 4, 5];
    const holders = [0, 1].map((rest) => {
      const locks = new PublishingLocks(database);
      return { locks, own: partitions.filter((partition) => partition % 2 === rest) };
    });
    const acquireOwn = async ({ locks, own }: (typeof holders)[number]): Promise<void> => {
      for (const partition of own) await locks.acquire(partition).catch(() => false);
    };
    for (const holder of holders) await acquireOwn(holder);
    let isDone = false;
    const running = holders.map(async (holder) => {
      for (; !isDone; await setImmediate()) await acquireOwn(holder);
    });
    const all = new PublishingLocks(database);
    await all.claimAll(partitions);
    await all.confirmHeld(partitions);
    isDone = true;
    await Promise.all(running);
    for (const locks of [all, ...holders.map((holder) => holder.locks)]) locks.close();
  });

  test('of all partitions is wanted by one session, whose claim ends with it or after it was held for too long', async () => {
    const follower = new PublishingLocks(database);
    const later = new PublishingLocks(database);
    const first = new PublishingLocks(database);
    expect(await follower.isClaimed()).toBe(false);
    await first.claimAll([7, 8]);
    expect([await follower.isClaimed(), await later.isClaimed()]).toEqual([true, true]);
    expect(await follower.acquire(7)).toBe(false);
    const claimed = later.claimAll([7, 8]);
    first.close();
    await claimed;
    expect(await follower.isClaimed()).toBe(true);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 100_000);
    await follower.isClaimed().finally(() => clock.mockRestore());
    await eventually(async () => !(await follower.isClaimed()));
    await expect(later.confirmHeld([7, 8])).rejects.toThrow('publishing locks');
    follower.close();
    later.close();
  });
});
