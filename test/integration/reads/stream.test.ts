/** The feed followed as it grows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { freePort } from '#deploy/stack/ports.ts';
import { environmentOf } from '#deploy/start/house.ts';
import { Follower, type Opening } from '#test/integration/follower.ts';
import { eventually, house, Tenant } from '#test/integration/tenant.ts';
import { fetched } from '#test/openapi/fetched.ts';
import { Lender } from './lender.ts';

let lender: Lender;
const open: Follower[] = [];
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(async () => {
  for (const follower of open) follower.leave();
  await lender.tenant.close();
});

async function follow(opening: Opening = {}, tenant: Tenant = lender.tenant): Promise<Follower> {
  const follower = await Follower.open(tenant, opening);
  open.push(follower);
  return follower;
}

/** The whole feed by pages. */
async function feed(): Promise<{ id: string }[]> {
  const events = [];
  for (let cursor = ''; ; ) {
    const page = await lender.read(`/loan-events?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    if (page.events.length === 0) return events;
    events.push(...page.events);
    cursor = page.cursor;
  }
}

function upTo(follower: Follower, many: number): Promise<void> {
  return eventually(() => follower.events.length >= many);
}

describe('a follower of the feed', () => {
  test('is told what many write at once as the feed tells it, in its order, wherever it begins', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => lender.client()));
    const fromTheBeginning = await follow();
    const followers: { readonly from: string | undefined; readonly follower: Follower }[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (let nth = 0; nth < 6; nth += 1) {
          const { id } = await lender.loan(client);
          if (nth % 2 === 0) await lender.act(id, 'cancel', '2026-01-15');
          // One of those who write comes to follow from what it has seen just now.
          const from = fromTheBeginning.lastEventId;
          followers.push({ from, follower: await follow({ lastEventId: from }) });
        }
      }),
    );
    const told = await feed();
    await upTo(fromTheBeginning, told.length);
    expect(fromTheBeginning.rows).toEqual(told);
    expect(fromTheBeginning.events.map(({ event }) => event)).toEqual(fromTheBeginning.rows.map(({ kind }) => kind));
    const places = new Map(fromTheBeginning.events.map(({ id }, at) => [id, at]));
    for (const { from, follower } of followers) {
      // Whoever began behind the last of all is told nothing.
      await eventually(() => (follower.lastEventId ?? from) === fromTheBeginning.lastEventId);
      expect(follower.rows).toEqual(told.slice((places.get(from) ?? -1) + 1));
    }
  });

  test('goes on behind the last it had, and from the stream to the pages and back by one cursor', async () => {
    const whole = await follow();
    const told = await feed();
    await upTo(whole, told.length);
    const at = Math.floor(Math.random() * (told.length - 1));
    const lastEventId = whole.events[at]?.id;
    const resumed = await follow({ lastEventId });
    await upTo(resumed, told.length - at - 1);
    expect(resumed.rows).toEqual(told.slice(at + 1));
    const page = await lender.read(`/loan-events?limit=1&cursor=${lastEventId}`);
    expect(page.events).toEqual([told[at + 1]]);
    expect(page.cursor).toBe(whole.events[at + 1]?.id);
  });

  test('is told when to come again and where a proxy must not gather; nothing of it is kept', async () => {
    const follower = await follow();
    await eventually(() => follower.retryMs === 2_000);
    expect(follower.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(follower.headers['server-timing']).toContain('total;dur=');
  });
});

describe('following is refused', () => {
  const path = '/loan-events/stream';

  test.each(['', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])('from a place that is none: %j', async (lastEventId) => {
    const told = await lender.tenant.get(path, { headers: { 'last-event-id': lastEventId } });
    expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'Last-Event-ID' } } });
  });

  test('from a place in another feed', async () => {
    const other = await Lender.open(house());
    await other.loan(await other.client());
    const { cursor } = await other.read('/loan-events');
    await other.tenant.close();
    const told = await lender.tenant.get(path, { headers: { 'last-event-id': cursor } });
    expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  test('with a query, and without a signature', async () => {
    const told = await lender.tenant.get(`${path}?cursor=x`);
    expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
    const unsigned = await fetched(`${house().services.baseUrl}/v1/tenants/${lender.tenant.id}${path}`);
    expect(unsigned.status).toBe(401);
  });

  test('to a Tenancy that follows as often as it may ask at once, whose requests go on', async () => {
    const tenant = await Tenant.open(house(), null);
    const followers = [];
    for (let nth = 0; nth < 16; nth += 1) followers.push(await follow({}, tenant));
    expect(followers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    const told = await tenant.get(path);
    expect(told).toMatchObject({ status: 429, body: { code: 'too_many_concurrent', details: { bound: 16 } } });
    expect(told.headers['retry-after']).toBe('1');
    expect((await tenant.get('/bounds')).status).toBe(200);
    followers[0]?.leave();
    await eventually(async () => (await follow({}, tenant)).status === 200);
    await tenant.close();
  });
});

test('HEAD tells what GET would begin with', async () => {
  const told = await lender.tenant.call('HEAD', '/loan-events/stream');
  expect(told).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: undefined });
});

test('a revoked key ends the streams it opened, and those alone', async () => {
  const reader = await lender.tenant.mint('read');
  const [its, other] = [await follow({ signer: reader }), await follow()];
  await lender.tenant.administration.revokeKey('journey', lender.tenant.id, reader.fp);
  await eventually(() => its.ended === 'cleanly');
  expect(other.ended).toBeUndefined();
});

test('an instance that is told to end ends its streams whole, and does not wait for who follows', async () => {
  const here = house();
  const port = await freePort();
  const gateway = spawn(process.execPath, [join(projectDir, 'services', 'gateway', 'main.ts')], {
    stdio: 'ignore',
    env: { ...process.env, ...environmentOf(here.stack), PORT: String(port), METRICS_PORT: '0' },
  });
  const gone = once(gateway, 'exit');
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await eventually(async () => (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.status === 200, 30_000);
    const follower = await follow({ baseUrl });
    const told = await feed();
    await upTo(follower, told.length);
    gateway.kill('SIGTERM');
    expect(await gone).toEqual([0, null]);
    await eventually(() => follower.ended !== undefined);
    expect(follower.ended).toBe('cleanly');
    const elsewhere = await follow({ lastEventId: follower.lastEventId });
    const { id } = await lender.loan(await lender.client());
    await upTo(elsewhere, 1);
    expect(elsewhere.rows).toMatchObject([{ loan_id: id, kind: 'issued' }]);
  } finally {
    gateway.kill('SIGKILL');
  }
});
