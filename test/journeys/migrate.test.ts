/** Several who start at the same time bring the database to the newest schema once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#libs/store/migrate.ts';
import { house } from './tenant.ts';

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
  await owner.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
  await owner.end();
});

test('who comes while another migrates waits, and then finds nothing left to do', async () => {
  const runs = await Promise.all([migrate(address), migrate(address), migrate(address)]);
  const [all, ...others] = runs.sort((a, b) => b.length - a.length);
  expect(all?.[0]).toBe('001_ground');
  expect(others).toEqual([[], []]);
});
