/** All connections of a service to Postgres are held by slow statements of its callers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let here: TestEnvironment;
let query: ServiceProcess;
let tenant: Tenant;
let owner: pg.Client;
beforeAll(async () => {
  here = testEnvironment();
  query = await ServiceProcess.start('query', { ...serviceEnvironment(here.stack), DATABASE_CONNECTIONS: '1' });
  await query.waitUntilReady();
  tenant = (await Tenant.open(here)).at(query.baseUrl);
  owner = new pg.Client({ connectionString: here.stack.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  query.kill();
  await owner.end();
  await tenant.close();
});

async function waitingReads(): Promise<number> {
  const { rows } = await owner.query(
    "SELECT count(*)::integer AS count FROM pg_locks WHERE relation = 'loans'::regclass AND NOT granted",
  );
  return rows[0].count;
}

test('it stays ready, because Postgres answers: otherwise a slow statement would take all instances from the load balancer', async () => {
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE loans IN ACCESS EXCLUSIVE MODE');
  const reads = [tenant.get('/loans'), tenant.get('/loans')];
  await eventually(async () => (await waitingReads()) === 1);
  expect(await query.readiness()).toEqual({ status: 200, missing: [], degraded: [] });
  await owner.query('ROLLBACK');
  await Promise.all(reads);
});
