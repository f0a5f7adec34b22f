/** The demo Tenancy as a first start fills it: through the real pipeline, once, and so that the README's example works. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DemoChoice, seedDemo } from '#deploy/dev/demo/seed-demo.ts';
import { createDemoTenancies, demoTenancy } from '#deploy/dev/demo-tenancies.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { parseSigner } from '#libs/auth/signer.ts';
import { Lending } from '#libs/sdk/src/lending.ts';
import { auditFindings } from '#test/support/audit-findings.ts';
import { authorization } from '#test/support/signed-request.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';

const environment = testEnvironment();
const addresses = { ...environment.stack, databaseUrl: environment.stack.servicesDatabaseUrl };
const day = '2026-11-25';
const dir = mkdtempSync(join(tmpdir(), 'lending-demo-'));
const stateFile = join(dir, 'demo-data.json');
const log: string[] = [];

let key: string;
let lending: Lending;
let opened: OpenedDatabases;
beforeAll(async () => {
  ({ write: key } = (await createDemoTenancies(addresses, dir)).keys);
  lending = new Lending({ baseUrl: environment.services.baseUrl, tenant: demoTenancy.id, key });
  opened = await openTestDatabases(environment, { name: 'demo data', as: 'audit' });
});
afterAll(async () => {
  await opened.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A start of the same folder, at noon of the day in Mexico City. */
function start(choice: DemoChoice) {
  const now = Date.parse(`${day}T18:00:00Z`);
  return seedDemo(addresses, key, { choice, stateFile, now, log: (line) => log.push(line) });
}

async function send(method: string, path: string, body = '') {
  const bytes = Buffer.from(body);
  const signer = parseSigner(key);
  if (signer === undefined) throw new Error('the demo key cannot be parsed');
  const response = await fetch(`${environment.services.baseUrl}${path}`, {
    method,
    headers: {
      authorization: authorization(signer, { method, target: path, body: bytes }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function countFacts(): Promise<number> {
  const text = 'SELECT sequence FROM books WHERE tenant_id = $1';
  const books = await queryAll<{ sequence: number }>(opened.databases, 'demo_facts', text, [demoTenancy.id]);
  return books.reduce((sum, { sequence }) => sum + sequence, 0);
}

test('is left empty on request, also by later starts that request nothing', async () => {
  const before = await countFacts();
  expect(await start('leave empty')).toBeUndefined();
  expect(await start('auto')).toBeUndefined();
  expect(await countFacts()).toBe(before);
});

test('is filled on the day of the start', async () => {
  expect(await start('fill')).toEqual({ seed: 1, day });
  expect(log.at(-1)).toMatch(/^recorded 200 Clients, \d+ Loans and \d+ Receipts in /);
});

test('has Loans of every product in every state', async () => {
  const states = new Map<string, number>();
  const products = new Set<string>();
  let rolledOver = 0;
  for (const query of [{}, { state: 'held', on: day }, { state: 'expired', on: day }, { state: 'voided' }] as const) {
    for await (const loan of lending.each('listLoans', query)) {
      const state = 'state' in query ? query.state : loan.state;
      states.set(state, (states.get(state) ?? 0) + 1);
      products.add(loan.configuration.id);
      if ('rolled_over' in loan && loan.rolled_over > 0) rolledOver += 1;
      expect(loan.anomalies).toEqual([]);
    }
  }
  expect(Object.fromEntries(states)).toEqual({
    active: expect.any(Number),
    closed: 30,
    written_off: 5,
    restructured: 4,
    ceded: 4,
    cancelled: 3,
    withdrawn: 3,
    held: 3,
    rescinded: 2,
    expired: 2,
    voided: 2,
  });
  expect(states.get('active')).toBeGreaterThan(100);
  expect(rolledOver).toBe(4);
  expect([...products].sort()).toEqual(['bnp-000003', 'ins-000001', 'ins-000002', 'ins-000005', 'pay-000004']);
});

test('has late Clients in every bucket of a month, Decisions of every outcome, bars, lines and a merchant', async () => {
  const daysPastDue: number[] = [];
  for await (const { loans } of lending.each('readDues', { on: day, only: 'late' })) {
    daysPastDue.push(...loans.map(({ late }) => late?.worst_days_past_due ?? 0));
  }
  for (const from of [1, 30, 60, 90]) {
    expect(daysPastDue.filter((days) => days >= from && days < from + 30).length).toBeGreaterThan(1);
  }
  const outcomes = new Map<string, string>();
  for await (const { outcome, client_id } of lending.each('listDecisions', {})) outcomes.set(outcome, client_id);
  expect([...outcomes.keys()].sort()).toEqual(['approve', 'not_offered', 'refer', 'refuse']);
  const barred = outcomes.get('refuse') as string;
  expect(await lending.readBar({ client_id: barred, on: day })).toMatchObject({ barred: true });
  const { facilities } = await lending.listFacilities();
  expect(facilities.filter(({ line }) => line).length).toBeGreaterThan(5);
  expect((await lending.readMerchantBook({ merchant_ref: 'electro-norte', on: day })).loans.length).toBeGreaterThan(1);
});

test('is changed by no later start, also where the first one was interrupted or its notes are lost', async () => {
  const before = await countFacts();
  expect(await start('auto')).toEqual({ seed: 1, day });
  writeFileSync(stateFile, readFileSync(stateFile, 'utf8').replace('"filled"', '"filling"'));
  expect(await start('auto')).toEqual({ seed: 1, day });
  rmSync(stateFile);
  expect(await start('auto')).toBeUndefined();
  expect(await countFacts()).toBe(before);
});

test('keeps the default bounds', async () => {
  expect(await lending.readBounds()).toMatchObject({ per_second: 50, concurrent: 16, source: 'default' });
});

test('admits the requests of the README as printed', async () => {
  const lines = readFileSync(join(projectDir, 'README.md'), 'utf8').split('\n');
  const calls = lines.flatMap((line) => {
    const printed = /^npm run -s lending -- call (\w+) (?:'([^']+)'|(\S+))(?: '(.*)')?/.exec(line);
    return printed === null ? [] : [{ method: printed[1], path: printed[2] ?? printed[3], body: printed[4] }];
  });
  expect(calls.length).toBeGreaterThanOrEqual(8);
  const states: unknown[] = [];
  for (const { method = '', path = '', body } of calls) {
    const answer = await send(method, path, body);
    states.push(answer.body['state']);
    expect(`${path} ${answer.status}`).toMatch(/ 20[01]$/);
  }
  expect(states).toContain('active');
});

test('passes the audit: every fact has the signed request that caused it', async () => {
  expect(await auditFindings(environment, demoTenancy.id)).toEqual([]);
});
