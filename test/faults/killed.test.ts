/**
 * A processor killed at a named point of its work: before it read what the log holds, while its commit is under way,
 * and after that, before it told anybody. Postgres is held still by a lock for as long as the point must last.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { signal } from '#deploy/stack/processes.ts';
import { killService, mustEntry, startService } from '#deploy/start/house.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { topics } from '#libs/kafka/topics.ts';
import { newReference } from '#test/integration/desk.ts';
import { eventually, type House, house, Tenant, type Told } from '#test/integration/tenant.ts';
import { findings } from './findings.ts';
import type { Acknowledged } from './lenders.ts';
import { registered } from './registered.ts';

let here: House;
let tenant: Tenant;
/** Sees what is there, and holds what it was told to hold. */
let watcher: pg.Client;
let holder: pg.Client;
let reference: string;

beforeAll(async () => {
  here = house();
  tenant = await Tenant.open(here);
  [watcher, holder] = await Promise.all([opened(), opened()]);
  await registered(tenant, 'ana');
}, 60_000);
afterAll(async () => {
  await Promise.all([watcher.end(), holder.end()]);
  await tenant.close();
});
beforeEach(async () => {
  reference = newReference('killed');
  await eventually(async () => (await report(newReference('before'))).status === 201, 30_000);
});

async function opened(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: here.stack.databaseUrl });
  await client.connect();
  return client;
}

function report(under: string): Promise<Told> {
  const amount = { minor_units: 100, currency: 'MXN' };
  return tenant.post('/receipts', { reference: under, client_id: 'ana', amount, value_date: '2026-03-01' });
}

/** The reference is somebody else's for as long as it is held: the commit has begun and waits to learn whose. */
async function holdCommit(): Promise<void> {
  await holder.query('BEGIN');
  await holder.query(
    "INSERT INTO refs (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence) VALUES ($1, 'receipts', $2, '', 'c/nobody', '', '', 1)",
    [tenant.id, reference],
  );
}

function letCommitGoOn(): Promise<unknown> {
  return holder.query('ROLLBACK');
}

/** The sessions whose commit waits for what is held. */
async function held(): Promise<number[]> {
  const { rows } = await watcher.query(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT commit_batch%'`,
  );
  return rows.map(({ pid }: { pid: number }) => pid);
}

async function isHeld(): Promise<boolean> {
  return (await held()).length > 0;
}

async function facts(): Promise<number> {
  const text = 'SELECT count(*)::int AS facts FROM facts WHERE tenant_id = $1 AND reference = $2';
  return (await watcher.query(text, [tenant.id, reference])).rows[0].facts;
}

/** How many submissions the log holds. */
async function submitted(): Promise<number> {
  const admin = connectKafka(here.stack.kafkaBrokers, 'killed').admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topics.submissions);
  await admin.disconnect();
  return ends.reduce((sum, { high }) => sum + Number(high), 0);
}

function processor() {
  return mustEntry(here.services.dir, 'processor');
}

/** Whatever its first caller was told: sent again until it is known, and there once. */
async function isRecordedOnce(): Promise<void> {
  await startService(here.services, 'processor');
  let told: Told | undefined;
  await eventually(async () => {
    told = await report(reference);
    return told.status < 300;
  }, 45_000);
  expect(await facts()).toBe(1);
  const { id } = told?.body.receipt ?? {};
  const acknowledged: Acknowledged = { namespace: 'receipts', bookId: 'c/ana', id, status: 200 };
  expect(await findings(here, tenant.id, new Map([[reference, acknowledged]]))).toEqual([]);
}

test('before it read what the log holds', async () => {
  const before = await submitted();
  signal(processor(), 'SIGSTOP');
  const first = report(reference);
  await eventually(async () => (await submitted()) > before);
  expect(await facts()).toBe(0);
  await killService(here.services, 'processor');
  await isRecordedOnce();
  await first;
}, 120_000);

test('while its commit is under way, which ends without it', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isHeld);
  await killService(here.services, 'processor');
  await letCommitGoOn();
  await eventually(async () => (await facts()) === 1);
  await isRecordedOnce();
  expect((await first).status).toBe(503);
}, 120_000);

test('while its commit is under way, which ends with it', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isHeld);
  await killService(here.services, 'processor');
  for (const pid of await held()) await watcher.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually(async () => !(await isHeld()));
  await letCommitGoOn();
  expect(await facts()).toBe(0);
  await isRecordedOnce();
  await first;
}, 120_000);

test('after its commit, before it told anybody', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isHeld);
  signal(processor(), 'SIGSTOP');
  await letCommitGoOn();
  await eventually(async () => (await facts()) === 1);
  await killService(here.services, 'processor');
  await isRecordedOnce();
  expect((await first).status).toBe(503);
}, 120_000);
