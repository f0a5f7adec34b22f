/** Services that start at the same time migrate the database once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#libs/database/migrate.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

const scratch = `migrate_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let address: string;
beforeAll(async () => {
  const { databaseUrl } = testEnvironment().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${scratch}`;
  address = url.href;
});
afterAll(async () => {
  // A session that is still ending would report an error to its client when the database is dropped.
  const sessions = 'SELECT FROM pg_stat_activity WHERE datname = $1';
  await eventually(async () => (await owner.query(sessions, [scratch])).rowCount === 0);
  await owner.query(`DROP DATABASE ${scratch}`);
  await owner.end();
});

test('a migration that starts during another one waits and then has nothing to do', async () => {
  const runs = await Promise.all([migrate(address), migrate(address), migrate(address)]);
  const [all, ...others] = runs.sort((a, b) => b.length - a.length);
  expect(all?.[0]).toBe('001_baseline');
  expect(others).toEqual([[], []]);
});
