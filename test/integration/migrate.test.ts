/** Several who start at the same time bring the database to the newest schema once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#libs/database/migrate.ts';
import { eventually, house } from './tenant.ts';

const scratch = `migrate_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let address: string;
beforeAll(async () => {
  const { databaseUrl } = house().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${scratch}`;
  address = url.href;
});
afterAll(async () => {
  // A session may still be ending on the other side, and would tell its client of being ended.
  const sessions = 'SELECT FROM pg_stat_activity WHERE datname = $1';
  await eventually(async () => (await owner.query(sessions, [scratch])).rowCount === 0);
  await owner.query(`DROP DATABASE ${scratch}`);
  await owner.end();
});

test('who comes while another migrates waits, and then finds nothing left to do', async () => {
  const runs = await Promise.all([migrate(address), migrate(address), migrate(address)]);
  const [all, ...others] = runs.sort((a, b) => b.length - a.length);
  expect(all?.[0]).toBe('001_ground');
  expect(others).toEqual([[], []]);
});
