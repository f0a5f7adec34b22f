/**
 * A network that drops what is sent and says nothing of it: the line on which an ingress hears its verdicts stands for
 * both of its ends, Redis counts somebody who hears, and nobody does.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { environmentOf } from '#deploy/start/house.ts';
import { LoneService } from '#test/integration/lone-service.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';
import { Way } from './way.ts';

let here: House;
let way: Way;
let gateway: LoneService;
let tenant: Tenant;
beforeAll(async () => {
  here = house();
  way = await Way.open(here.stack.redisUrl);
  tenant = await Tenant.open(here);
  gateway = await LoneService.start('gateway', {
    ...environmentOf(here.stack),
    REDIS_URL: way.address,
    GATEWAY_PROCESSES: '1',
  });
  await gateway.untilReady();
  expect((await tenant.put('/clients/ana', { actor: 'me', basis: 'here' })).status).toBe(201);
  await eventually(() => way.isHeard);
});
afterAll(async () => {
  await gateway.stop();
  way.close();
  await tenant.close();
});

let receipts = 0;

async function pay(): Promise<number> {
  receipts += 1;
  const receipt = {
    reference: `swallowed-${receipts}`,
    client_id: 'ana',
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
  };
  return (await tenant.at(gateway.baseUrl).post('/receipts', receipt)).status;
}

/** Whoever wrote as it happened may not be told; after that all are. */
async function areTold(): Promise<void> {
  await pay();
  const told: number[] = [];
  for (let nth = 0; nth < 6; nth += 1) told.push(await pay());
  expect(told).toEqual([201, 201, 201, 201, 201, 201]);
}

test('a line that is swallowed is made anew, and whoever writes is told what was recorded', async () => {
  way.swallow();
  await areTold();
  await eventually(() => way.isHeard);
});

test('while every line that is tried is swallowed as well, they are told through the table', async () => {
  way.swallow({ newOnes: true });
  await areTold();
  expect(way.isHeard).toBe(false);
  way.letPass();
  await eventually(() => way.isHeard);
  expect(await pay()).toBe(201);
});
