/** Who follows the feed misses nothing, whatever happens to what tells it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/start/house.ts';
import { newReference } from '#test/integration/desk.ts';
import { Follower } from '#test/integration/follower.ts';
import { anInstalmentLoan } from '#test/integration/given-loans.ts';
import { Lender } from '#test/integration/reads/lender.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';

let here: House;
let lender: Lender;
let client: string;
let follower: Follower;
beforeAll(async () => {
  here = house();
  lender = await Lender.open(here);
  client = await lender.client();
  follower = await Follower.open(lender.tenant);
});
afterAll(async () => {
  follower.leave();
  await lender.tenant.close();
});

/** Asked again under its reference for as long as the answer is that nobody can say. */
async function aLoan(): Promise<string> {
  const stated = anInstalmentLoan(lender.product, client, newReference('loan'));
  let told = await lender.tenant.post('/loans', stated);
  await eventually(async () => {
    if (told.status >= 500) told = await lender.tenant.post('/loans', stated);
    return told.status < 500;
  }, 45_000);
  return told.body.id;
}

async function isToldOfTheNext(): Promise<void> {
  const id = await aLoan();
  await eventually(() => follower.rows.at(-1)?.loan_id === id);
}

test('with Redis away it is told all the same, and as before when Redis is back', async () => {
  await isToldOfTheNext();
  await here.stack.kill('redis');
  try {
    await eventually(async () => (await lender.tenant.get('/bounds')).status === 200);
    await isToldOfTheNext();
  } finally {
    await here.stack.start('redis');
  }
  await isToldOfTheNext();
  expect(follower.ended).toBeUndefined();
});

test('with Postgres away it keeps its line, and is told when Postgres is back', async () => {
  await isToldOfTheNext();
  const { heartbeats } = follower;
  await here.stack.kill('postgres');
  try {
    // One comes every fifteen seconds.
    await eventually(() => follower.heartbeats > heartbeats, 30_000);
  } finally {
    await here.stack.start('postgres');
  }
  await eventually(async () => (await lender.tenant.get('/bounds')).status === 200);
  await isToldOfTheNext();
  expect(follower.ended).toBeUndefined();
  expect(follower.rows).toEqual((await lender.read('/loan-events?limit=200')).events);
});

test('after the instance was killed it goes on elsewhere behind the last it had', async () => {
  await isToldOfTheNext();
  const { lastEventId } = follower;
  await killService(here.services, 'gateway');
  await eventually(() => follower.ended === 'cut');
  await startService(here.services, 'gateway');
  const id = await aLoan();
  follower = await Follower.open(lender.tenant, { lastEventId });
  await eventually(() => follower.events.length > 0);
  expect(follower.rows).toMatchObject([{ loan_id: id, kind: 'issued' }]);
});
