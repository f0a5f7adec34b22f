/**
 * A processor killed at a specific point: before it reads a submission, during its commit, or after the commit and before
 * the verdict. A database lock holds the commit at that point.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { requireProcess, sendSignal } from '#deploy/dev/process-control.ts';
import { killService, startService } from '#deploy/dev/services.ts';
import type { Database } from '#libs/database/database.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topics } from '#libs/kafka/topics.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { uniqueReference } from '#test/support/lender.ts';
import { eventually, Tenant, type TestEnvironment, type TestResponse, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';
import { findViolations } from './invariants.ts';
import { type AcknowledgedWrite, registerWithRetries } from './workload.ts';

let here: TestEnvironment;
let tenant: Tenant;
let opened: OpenedDatabases;
/** That of the book which is written. */
let database: Database;
/** Holds the lock. */
let lockHolder: PoolClient;
let reference: string;

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  opened = await openTestDatabases(here, { name: 'crash points', as: 'owner' });
  database = opened.databases.ofBook({ tenantId: tenant.id, bookId: clientBookId('ana') });
  lockHolder = await database.connect();
  await registerWithRetries(tenant, 'ana');
});
afterAll(async () => {
  lockHolder.release();
  await opened.close();
  await tenant.close();
});
beforeEach(async () => {
  reference = uniqueReference('killed');
  await eventually(async () => (await report(uniqueReference('before'))).status === 201);
});

function report(receiptReference: string): Promise<TestResponse> {
  const amount = { minor_units: 100, currency: 'MXN' };
  return tenant.post('/receipts', { reference: receiptReference, client_id: 'ana', amount, value_date: '2026-03-01' });
}

/** Inserts the reference in an open transaction: the commit of the processor waits to learn whether it is taken. */
async function holdCommit(): Promise<void> {
  await lockHolder.query('BEGIN');
  await lockHolder.query(
    "INSERT INTO reference_hashes (name_hash, event_number, partition, digest) VALUES (reference_hash($1, 'receipts', $2), 0, 0, '')",
    [tenant.id, reference],
  );
}

function releaseCommit(): Promise<unknown> {
  return lockHolder.query('ROLLBACK');
}

/** The database sessions whose commit waits for the lock. */
async function waitingCommits(): Promise<number[]> {
  const { rows } = await database.query(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT commit_batch%'`,
  );
  return rows.map(({ pid }: { pid: number }) => pid);
}

async function isCommitWaiting(): Promise<boolean> {
  return (await waitingCommits()).length > 0;
}

async function factCount(): Promise<number> {
  const text = 'SELECT count(*)::int AS facts FROM facts WHERE tenant_id = $1 AND reference = $2';
  return (await database.query(text, [tenant.id, reference])).rows[0].facts;
}

/** The number of submissions in the topic. */
async function submissionCount(): Promise<number> {
  const admin = connectKafka(here.stack.kafkaBrokers, 'killed').admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topics.submissions);
  await admin.disconnect();
  return offsets.reduce((sum, { high }) => sum + Number(high), 0);
}

function processor() {
  return requireProcess(here.services.dir, 'processor');
}

/** Starts the processor, repeats the request until the answer is definite, and checks that it is recorded once. */
async function expectRecordedOnce(): Promise<void> {
  await startService(here.services, 'processor');
  let response: TestResponse | undefined;
  await eventually(async () => {
    response = await report(reference);
    return response.status < 300;
  });
  expect(await factCount()).toBe(1);
  const { id } = response?.body.receipt ?? {};
  const acknowledged: AcknowledgedWrite = { namespace: 'receipts', bookId: 'c/ana', id, status: 200 };
  expect(await findViolations(here, tenant.id, new Map([[reference, acknowledged]]))).toEqual([]);
}

test('a submission is recorded once when the processor is killed before it reads the submission', async () => {
  const before = await submissionCount();
  sendSignal(processor(), 'SIGSTOP');
  const first = report(reference);
  await eventually(async () => (await submissionCount()) > before);
  expect(await factCount()).toBe(0);
  await killService(here.services, 'processor');
  await expectRecordedOnce();
  await first;
});

test('a submission is recorded once when the processor is killed during a commit that succeeds', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isCommitWaiting);
  await killService(here.services, 'processor');
  await releaseCommit();
  await eventually(async () => (await factCount()) === 1);
  await expectRecordedOnce();
  expect((await first).status).toBe(503);
});

test('a submission is recorded once when the processor is killed during a commit that fails', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isCommitWaiting);
  await killService(here.services, 'processor');
  for (const pid of await waitingCommits()) await database.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually(async () => !(await isCommitWaiting()));
  await releaseCommit();
  expect(await factCount()).toBe(0);
  await expectRecordedOnce();
  await first;
});

test('a submission is recorded once when the processor is killed after the commit and before the verdict', async () => {
  await holdCommit();
  const first = report(reference);
  await eventually(isCommitWaiting);
  sendSignal(processor(), 'SIGSTOP');
  await releaseCommit();
  await eventually(async () => (await factCount()) === 1);
  await killService(here.services, 'processor');
  await expectRecordedOnce();
  expect((await first).status).toBe(503);
});
