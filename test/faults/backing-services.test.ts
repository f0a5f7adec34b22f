/** Each backing service is killed in turn under the running services. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ServiceName, serviceNames } from '#deploy/stack/probes.ts';
import { entryOf } from '#deploy/stack/processes.ts';
import { houseServices, readinessUrl } from '#deploy/start/house.ts';
import { aReceipt, Desk, mustBe, newReference } from '#test/integration/desk.ts';
import { register } from '#test/integration/given-loans.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';

let here: House;
beforeAll(() => {
  here = house();
});

// Whatever a test left undone: the next one begins with everything there.
afterEach(async () => {
  for (const name of serviceNames) await here.stack.start(name);
});

type Readiness = { readonly status: number; readonly missing: readonly string[] };
type Service = (typeof houseServices)[number];

async function readiness(service: Service): Promise<Readiness> {
  const answer = await fetch(readinessUrl(here.services, service));
  const { not_ready } = (await answer.json()) as { not_ready: { name: string }[] };
  return { status: answer.status, missing: not_ready.map(({ name }) => name) };
}

async function until(service: Service, status: number): Promise<readonly string[]> {
  for (const end = Date.now() + 40_000; ; ) {
    const now = await readiness(service);
    if (now.status === status) return now.missing;
    if (Date.now() > end) throw new Error(`${service} still says ${JSON.stringify(now)}`);
    await sleep(50);
  }
}

function pids(): (number | undefined)[] {
  return houseServices.map((name) => entryOf(here.services.dir, name)?.pid);
}

describe('a service whose backing service is killed', () => {
  test.each(serviceNames)(
    'names %s, goes on running, and is ready by itself when it is back',
    async (name: ServiceName) => {
      const before = pids();
      await here.stack.kill(name);
      for (const service of houseServices) expect(await until(service, 503)).toEqual([name]);
      await here.stack.start(name);
      for (const service of houseServices) await until(service, 200);
      // Every one of them is the process it was: none had to be started again.
      expect(pids()).toEqual(before);
      for (const service of houseServices) {
        expect((await fetch(`${here.services.operations[service]}/livez`)).status).toBe(200);
      }
    },
  );

  test('and is there without answering is not ready either', async () => {
    here.stack.pause('postgres');
    for (const service of houseServices) expect(await until(service, 503)).toEqual(['postgres']);
    here.stack.resume('postgres');
    for (const service of houseServices) await until(service, 200);
  });

  test('answers every caller when patience ends, however long the log takes to say nothing', async () => {
    const tenant = await Tenant.open(here);
    expect((await register(tenant, 'ada')).status).toBe(201);
    const receipts = Array.from({ length: 40 }, (_, nth) => ({
      reference: `hung-${nth}`,
      client_id: 'ada',
      amount: { minor_units: 100 + nth, currency: 'MXN' },
      value_date: '2026-03-01',
    }));
    here.stack.pause('kafka');
    const told = Promise.all(receipts.map((receipt) => tenant.post('/receipts', receipt)));
    // Patience is two seconds, and one more is waited for its verdict; what the log answers comes tens of seconds later.
    const answered = await Promise.race([told, sleep(10_000).then(() => undefined)]);
    here.stack.resume('kafka');
    await told;
    expect(new Set(answered?.map(({ status }) => status))).toEqual(new Set([503]));
    // The truth is told afterwards by the same reference, once.
    for (const receipt of receipts) {
      await eventually(async () => [200, 201].includes((await tenant.post('/receipts', receipt)).status), 40_000);
    }
    const { body } = await tenant.get('/clients/ada/receipts?limit=200');
    expect(body.receipts).toHaveLength(receipts.length);
    await tenant.close();
  }, 120_000);

  test('answers every caller when patience ends, whatever it waits for in a store that says nothing', async () => {
    const desk = await Desk.open(here);
    const { tenant } = desk;
    const client = await desk.client();
    const loan = await desk.loan(client);
    const receipt = aReceipt(client, 1_00, '2026-03-01');
    mustBe(await tenant.post('/receipts', receipt), 201);
    const account = { actor: 'ana', basis: 'as agreed' };
    const profile = { archetype: 'bnpl', values: {} };
    const asked = {
      receipt: () => tenant.post('/receipts', aReceipt(client, 1_00, '2026-03-01')),
      act: () => desk.send(loan.id, 'write-off', { on: '2026-06-01', reference: newReference('act'), ...account }),
      reversal: () =>
        tenant.post(`/receipts/${receipt.reference}/reversal`, {
          reason: 'chargeback',
          reference: newReference('act'),
          ...account,
        }),
      preview: () => tenant.post('/product-configurations/preview', profile),
      keyed: () => tenant.post('/product-configurations', profile, { idempotencyKey: newReference('act') }),
      read: () => tenant.get(`/clients/${client}`),
    };
    const statuses: Record<string, number> = {};
    const late: Record<string, number> = {};
    const timed = async ([what, ask]: [string, () => Promise<{ status: number }>]): Promise<void> => {
      const began = performance.now();
      statuses[what] = (await ask()).status;
      const took = performance.now() - began;
      if (took > 3_500) late[what] = took;
    };
    here.stack.pause('postgres');
    const told = Promise.all(Object.entries(asked).map(timed));
    await Promise.race([told, sleep(10_000)]);
    here.stack.resume('postgres');
    await told;
    expect(late).toEqual({});
    expect(new Set(Object.values(statuses))).toEqual(new Set([503]));
    // Nothing is kept of those who waited: the next are served as ever.
    await eventually(async () => (await asked.read()).status === 200);
    await eventually(async () => (await asked.act()).status < 500);
    await desk.close();
  }, 60_000);
});
