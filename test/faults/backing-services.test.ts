/** Readiness and answers of the services while a backing service is killed or hangs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { type BackingServiceName, backingServiceNames } from '#deploy/dev/environment.ts';
import { findProcess } from '#deploy/dev/process-control.ts';
import { readinessUrl, serviceNames } from '#deploy/dev/services.ts';
import { Lender, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { registerClient } from '#test/support/request-bodies.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let here: TestEnvironment;
beforeAll(() => {
  here = testEnvironment();
});

// A failed test must not leave a backing service stopped for the next one.
afterEach(async () => {
  for (const name of backingServiceNames) await here.stack.start(name);
});

type Readiness = { readonly status: number; readonly missing: readonly string[]; readonly degraded: readonly string[] };
type Service = (typeof serviceNames)[number];

async function readiness(service: Service): Promise<Readiness> {
  const answer = await fetch(readinessUrl(here.services, service));
  const { not_ready, degraded } = (await answer.json()) as Record<'not_ready' | 'degraded', { name: string }[]>;
  const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name);
  return { status: answer.status, missing: names(not_ready), degraded: names(degraded) };
}

async function untilStatus(service: Service, status: number): Promise<readonly string[]> {
  for (const end = Date.now() + 40_000; ; ) {
    const now = await readiness(service);
    if (now.status === status) return now.missing;
    if (Date.now() > end) throw new Error(`the readiness of ${service} is still ${JSON.stringify(now)}`);
    await sleep(50);
  }
}

function pids(): (number | undefined)[] {
  return serviceNames.map((name) => findProcess(here.services.dir, name)?.pid);
}

async function untilDegraded(service: Service, names: readonly string[]): Promise<void> {
  await eventually(async () => (await readiness(service)).degraded.join() === names.join(), 40_000);
}

async function degradedInMetrics(service: Service): Promise<string[]> {
  const text = await (await fetch(`${here.services.operations[service]}/metrics`)).text();
  return [...text.matchAll(/^lending_dependency_degraded\{.*dependency="(\w+)".*\} 1$/gm)].map(
    ([, name]) => name ?? '',
  );
}

/** What the services cannot work without. */
const needed = ['kafka', 'postgres'] as const satisfies readonly BackingServiceName[];
/** Without Kafka people still read in the console. */
const whatNeeds = { kafka: ['processor', 'gateway'], postgres: serviceNames } as const;

test.each(needed)(
  'all services that need %s report that it is killed, keep running, and are ready again when it is back',
  async (name) => {
    const before = pids();
    await here.stack.kill(name);
    for (const service of whatNeeds[name]) expect(await untilStatus(service, 503)).toEqual([name]);
    await here.stack.start(name);
    for (const service of serviceNames) await untilStatus(service, 200);
    // The same processes as before: none was restarted.
    expect(pids()).toEqual(before);
    for (const service of serviceNames) {
      expect((await fetch(`${here.services.operations[service]}/livez`)).status).toBe(200);
    }
  },
);

test('without Redis and the registry every service is ready, reports both as degraded, and answers every request', async () => {
  const lender = await Lender.open(here);
  const client = await lender.client();
  const before = pids();
  await Promise.all([here.stack.kill('redis'), here.stack.kill('registry')]);
  for (const service of serviceNames) await untilDegraded(service, ['redis', 'registry']);
  const statuses: number[] = [];
  for (let written = 0; written < 20; written += 1) {
    const receipt = receiptBody(client, 1_00, '2026-03-01');
    statuses.push((await lender.tenant.post('/receipts', receipt)).status);
    statuses.push((await lender.tenant.get(`/clients/${client}`)).status);
  }
  expect(statuses).toEqual(Array.from({ length: 20 }, () => [201, 200]).flat());
  for (const service of serviceNames) {
    expect(await readiness(service)).toEqual({ status: 200, missing: [], degraded: ['redis', 'registry'] });
    expect(await degradedInMetrics(service)).toEqual(['redis', 'registry']);
  }
  await Promise.all([here.stack.start('redis'), here.stack.start('registry')]);
  for (const service of serviceNames) await untilDegraded(service, []);
  expect(pids()).toEqual(before);
  await lender.close();
});

test('no service is ready while Postgres accepts connections but does not answer', async () => {
  here.stack.pause('postgres');
  for (const service of serviceNames) expect(await untilStatus(service, 503)).toEqual(['postgres']);
  here.stack.resume('postgres');
  for (const service of serviceNames) await untilStatus(service, 200);
});

test('writes are answered 503 at their deadline while Kafka hangs, and recorded once when they are repeated', async () => {
  const tenant = await Tenant.open(here);
  expect((await registerClient(tenant, 'ada')).status).toBe(201);
  const receipts = Array.from({ length: 40 }, (_, index) => ({
    reference: `hung-${index}`,
    client_id: 'ada',
    amount: { minor_units: 100 + index, currency: 'MXN' },
    value_date: '2026-03-01',
  }));
  here.stack.pause('kafka');
  const responses = Promise.all(receipts.map((receipt) => tenant.post('/receipts', receipt)));
  // The deadline is two seconds and one more for the verdict; Kafka itself would take tens of seconds.
  const inTime = await Promise.race([responses, sleep(10_000).then(() => undefined)]);
  here.stack.resume('kafka');
  await responses;
  expect(new Set(inTime?.map(({ status }) => status))).toEqual(new Set([503]));
  // Repeating the request shows the result, and each Receipt is recorded once.
  for (const receipt of receipts) {
    await eventually(async () => [200, 201].includes((await tenant.post('/receipts', receipt)).status), 40_000);
  }
  const { body } = await tenant.get('/clients/ada/receipts?limit=200');
  expect(body.receipts).toHaveLength(receipts.length);
  await tenant.close();
});

test('every kind of request is answered 503 at its deadline while Postgres hangs', async () => {
  const lender = await Lender.open(here);
  const { tenant } = lender;
  const client = await lender.client();
  const loan = await lender.loan(client);
  const receipt = receiptBody(client, 1_00, '2026-03-01');
  requireStatus(await tenant.post('/receipts', receipt), 201);
  const attribution = { actor: 'ana', basis: 'as agreed' };
  const product = { archetype: 'bnpl', values: {} };
  const requests = {
    receipt: () => tenant.post('/receipts', receiptBody(client, 1_00, '2026-03-01')),
    act: () =>
      lender.sendAct(loan.id, 'write-off', { on: '2026-06-01', reference: uniqueReference('act'), ...attribution }),
    reversal: () =>
      tenant.post(`/receipts/${receipt.reference}/reversal`, {
        reason: 'chargeback',
        reference: uniqueReference('act'),
        ...attribution,
      }),
    preview: () => tenant.post('/product-configurations/preview', product),
    withIdempotencyKey: () =>
      tenant.post('/product-configurations', product, { idempotencyKey: uniqueReference('act') }),
    read: () => tenant.get(`/clients/${client}`),
  };
  const statuses: Record<string, number> = {};
  const late: Record<string, number> = {};
  const measure = async ([name, send]: [string, () => Promise<{ status: number }>]): Promise<void> => {
    const startedAt = performance.now();
    statuses[name] = (await send()).status;
    const durationMs = performance.now() - startedAt;
    if (durationMs > 3_500) late[name] = durationMs;
  };
  here.stack.pause('postgres');
  const responses = Promise.all(Object.entries(requests).map(measure));
  await Promise.race([responses, sleep(10_000)]);
  here.stack.resume('postgres');
  await responses;
  expect(late).toEqual({});
  expect(new Set(Object.values(statuses))).toEqual(new Set([503]));
  // No permit or lock is left behind: later requests succeed.
  await eventually(async () => (await requests.read()).status === 200);
  await eventually(async () => (await requests.act()).status < 500);
  await lender.close();
});
