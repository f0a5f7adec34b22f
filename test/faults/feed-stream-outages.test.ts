/** A feed stream delivers every event, whatever fails on the service side. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/dev/services.ts';
import { FeedStream } from '#test/support/feed-stream.ts';
import { uniqueReference } from '#test/support/lender.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { loanBody } from '#test/support/request-bodies.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let here: TestEnvironment;
let lender: OneProductLender;
let client: string;
let stream: FeedStream;
beforeAll(async () => {
  here = testEnvironment();
  lender = await OneProductLender.open(here);
  client = await lender.client();
  stream = await FeedStream.open(lender.tenant);
});
afterAll(async () => {
  stream.close();
  await lender.tenant.close();
});

/** Repeated under the same reference until the answer is definite. */
async function issueLoan(): Promise<string> {
  const body = loanBody(lender.product, client, uniqueReference('loan'));
  let response = await lender.tenant.post('/loans', body);
  await eventually(async () => {
    if (response.status >= 500) response = await lender.tenant.post('/loans', body);
    return response.status < 500;
  });
  return response.body.id;
}

async function streamDeliversNextEvent(): Promise<void> {
  const id = await issueLoan();
  await eventually(() => stream.rows.at(-1)?.loan_id === id);
}

test('without Redis a stream still delivers events, also after Redis is back', async () => {
  await streamDeliversNextEvent();
  await here.stack.kill('redis');
  try {
    await eventually(async () => (await lender.tenant.get('/bounds')).status === 200);
    await streamDeliversNextEvent();
  } finally {
    await here.stack.start('redis');
  }
  await streamDeliversNextEvent();
  expect(stream.ending).toBeUndefined();
});

test('without Postgres a stream stays open, and delivers events when Postgres is back', async () => {
  await streamDeliversNextEvent();
  const { heartbeats } = stream;
  await here.stack.kill('postgres');
  try {
    // A heartbeat is sent every fifteen seconds.
    await eventually(() => stream.heartbeats > heartbeats);
  } finally {
    await here.stack.start('postgres');
  }
  await eventually(async () => (await lender.tenant.get('/bounds')).status === 200);
  await streamDeliversNextEvent();
  expect(stream.ending).toBeUndefined();
  expect(stream.rows).toEqual((await lender.read('/loan-events?limit=200')).events);
});

test('after its gateway is killed a stream continues from Last-Event-ID on another instance', async () => {
  await streamDeliversNextEvent();
  const { lastEventId } = stream;
  await killService(here.services, 'gateway');
  await eventually(() => stream.ending === 'aborted');
  await startService(here.services, 'gateway');
  const id = await issueLoan();
  stream = await FeedStream.open(lender.tenant, { lastEventId });
  await eventually(() => stream.events.length > 0);
  expect(stream.rows).toMatchObject([{ loan_id: id, kind: 'issued' }]);
});
