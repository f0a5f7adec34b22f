/**
 * A network that silently drops packets: the connection on which an ingress receives verdicts looks open on both ends, and
 * Redis counts it as subscribed, but nothing arrives.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { NetworkProxy } from './network-proxy.ts';

let here: TestEnvironment;
let proxy: NetworkProxy;
let gateway: ServiceProcess;
let tenant: Tenant;
beforeAll(async () => {
  here = testEnvironment();
  proxy = await NetworkProxy.open(here.stack.redisUrl);
  tenant = await Tenant.open(here);
  gateway = await ServiceProcess.start('gateway', {
    ...serviceEnvironment(here.stack),
    REDIS_URL: proxy.address,
    GATEWAY_PROCESSES: '1',
  });
  await gateway.waitUntilReady();
  expect((await tenant.put('/clients/ana', { actor: 'me', basis: 'test' })).status).toBe(201);
  await eventually(() => proxy.hasLiveSubscriber);
});
afterAll(async () => {
  await gateway.stop();
  proxy.close();
  await tenant.close();
});

let receipts = 0;

async function reportReceipt(): Promise<number> {
  receipts += 1;
  const receipt = {
    reference: `silent-${receipts}`,
    client_id: 'ana',
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
  };
  return (await tenant.at(gateway.baseUrl).post('/receipts', receipt)).status;
}

/** The first write may time out; all later ones get their verdicts. */
async function expectVerdicts(): Promise<void> {
  await reportReceipt();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push(await reportReceipt());
  expect(statuses).toEqual([201, 201, 201, 201, 201, 201]);
}

test('a silent connection is replaced, and writes get their verdicts', async () => {
  proxy.muteSubscribers();
  await expectVerdicts();
  await eventually(() => proxy.hasLiveSubscriber);
});

test('while every new connection is silent too, writes get their verdicts through the table', async () => {
  proxy.muteSubscribers({ newOnes: true });
  await expectVerdicts();
  expect(proxy.hasLiveSubscriber).toBe(false);
  proxy.unmuteNew();
  await eventually(() => proxy.hasLiveSubscriber);
  expect(await reportReceipt()).toBe(201);
});
