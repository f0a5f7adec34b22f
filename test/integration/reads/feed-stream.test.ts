/** The event stream of the feed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { query } from '#libs/database/database.ts';
import { fetchValidated } from '#test/openapi/document-validator.ts';
import { FeedStream, type FeedStreamOptions } from '#test/support/feed-stream.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let lender: OneProductLender;
let opened: OpenedDatabases;
const open: FeedStream[] = [];
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  opened = await openTestDatabases(testEnvironment(), { name: 'feed stream' });
});
afterAll(async () => {
  await opened.close();
  for (const stream of open) stream.close();
  await lender.tenant.close();
});

async function follow(opening: FeedStreamOptions = {}, tenant: Tenant = lender.tenant): Promise<FeedStream> {
  const stream = await FeedStream.open(tenant, opening);
  open.push(stream);
  return stream;
}

/** All events of the feed after a cursor, read by pages. */
async function feed(after = ''): Promise<{ id: string }[]> {
  const events = [];
  for (let cursor = after; ; ) {
    const page = await lender.read(`/loan-events?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    if (page.events.length === 0) return events;
    events.push(...page.events);
    cursor = page.cursor;
  }
}

/** Which database has each event of the feed. Between two of them the stream has no order (decision 0089). */
async function placesOfEvents(): Promise<ReadonlyMap<string, number>> {
  const text = 'SELECT event_id AS id FROM feed WHERE tenant_id = $1';
  const found = await opened.databases.readAll(async (database, index) => {
    const rows = await query<{ id: string }>(database, 'test_events', text, [lender.tenant.id]);
    return rows.map(({ id }) => [id, index] as const);
  });
  return new Map(found.flat());
}

async function inEachDatabase(events: readonly { readonly id: string }[]): Promise<object> {
  const places = await placesOfEvents();
  return Object.groupBy(events, ({ id }) => String(places.get(id)));
}

/** The stream has what another one has from this place on. Only events of another database than the one before are repeated. */
async function expectContinuation(stream: FeedStream, whole: FeedStream, from: number): Promise<void> {
  const [seen, unseen] = [whole.rows.slice(0, from), whole.rows.slice(from)];
  const before = new Set(seen.map(({ id }) => id));
  const unrepeated = () => stream.rows.filter(({ id }) => !before.has(id));
  // A stream that starts after the last event has none.
  await eventually(() => unrepeated().length >= unseen.length);
  expect(await inEachDatabase(unrepeated())).toEqual(await inEachDatabase(unseen));
  const places = await placesOfEvents();
  const repeated = stream.rows.filter(({ id }) => before.has(id));
  expect(repeated.filter(({ id }) => places.get(id) === places.get(seen.at(-1)?.id))).toEqual([]);
}

function waitForEvents(stream: FeedStream, many: number): Promise<void> {
  return eventually(() => stream.events.length >= many);
}

describe('the stream', () => {
  test('has the events of concurrent writers in the order of the feed, from any start', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => lender.client()));
    const fromTheBeginning = await follow();
    const streams: { readonly from: string | undefined; readonly stream: FeedStream }[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (let index = 0; index < 6; index += 1) {
          const { id } = await lender.loan(client);
          if (index % 2 === 0) await lender.act(id, 'cancel', '2026-01-15');
          // Another stream starts from the latest event seen so far.
          const from = fromTheBeginning.lastEventId;
          streams.push({ from, stream: await follow({ lastEventId: from }) });
        }
      }),
    );
    const feedEvents = await feed();
    await waitForEvents(fromTheBeginning, feedEvents.length);
    expect(await inEachDatabase(fromTheBeginning.rows)).toEqual(await inEachDatabase(feedEvents));
    expect(fromTheBeginning.events.map(({ event }) => event)).toEqual(fromTheBeginning.rows.map(({ kind }) => kind));
    const positions = new Map(fromTheBeginning.events.map(({ id }, at) => [id, at]));
    for (const { from, stream } of streams)
      await expectContinuation(stream, fromTheBeginning, (positions.get(from ?? '') ?? -1) + 1);
  });

  test('continues after its last event, and shares its cursors with the pages', async () => {
    const full = await follow();
    const feedEvents = await feed();
    await waitForEvents(full, feedEvents.length);
    const at = Math.floor(Math.random() * (feedEvents.length - 1));
    const lastEventId = full.events[at]?.id;
    const resumed = await follow({ lastEventId });
    await expectContinuation(resumed, full, at + 1);
    const rest = await feed(lastEventId);
    await waitForEvents(resumed, rest.length);
    expect(await inEachDatabase(resumed.rows)).toEqual(await inEachDatabase(rest));
    const page = await lender.read(`/loan-events?limit=1&cursor=${lastEventId}`);
    expect(page.events).toEqual(rest.slice(0, 1));
    const afterPage = await follow({ lastEventId: page.cursor });
    await waitForEvents(afterPage, rest.length - 1);
    expect(await inEachDatabase(afterPage.rows)).toEqual(await inEachDatabase(rest.slice(1)));
  });

  test('states a retry delay and forbids buffering and caching', async () => {
    const stream = await follow();
    await eventually(() => stream.retryMs === 2_000);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['server-timing']).toContain('total;dur=');
  });
});

describe('the stream is refused', () => {
  const path = '/loan-events/stream';

  test.each(['', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])('from an invalid cursor: %j', async (lastEventId) => {
    const response = await lender.tenant.get(path, { headers: { 'last-event-id': lastEventId } });
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'invalid_query', details: { field: 'Last-Event-ID' } },
    });
  });

  test('from a cursor of another Tenancy', async () => {
    const other = await OneProductLender.open(testEnvironment());
    await other.loan(await other.client());
    const { cursor } = await other.read('/loan-events');
    await other.tenant.close();
    const response = await lender.tenant.get(path, { headers: { 'last-event-id': cursor } });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  test('with a query or without a signature', async () => {
    const response = await lender.tenant.get(`${path}?cursor=x`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
    const unsigned = await fetchValidated(
      `${testEnvironment().services.baseUrl}/v1/tenants/${lender.tenant.id}${path}`,
    );
    expect(unsigned.status).toBe(401);
  });

  test('above the concurrency limit of the Tenancy, which does not affect its other requests', async () => {
    const tenant = await Tenant.open(testEnvironment(), null);
    const streams = [];
    for (let index = 0; index < 16; index += 1) streams.push(await follow({}, tenant));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    const response = await tenant.get(path);
    expect(response).toMatchObject({ status: 429, body: { code: 'too_many_concurrent', details: { bound: 16 } } });
    expect(response.headers['retry-after']).toBe('1');
    expect((await tenant.get('/bounds')).status).toBe(200);
    streams[0]?.close();
    await eventually(async () => (await follow({}, tenant)).status === 200);
    await tenant.close();
  });
});

test('HEAD answers the headers of GET', async () => {
  const response = await lender.tenant.call('HEAD', '/loan-events/stream');
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: undefined });
});

test('a revoked key ends the streams it opened and no others', async () => {
  const reader = await lender.tenant.mint('read');
  const [ownStream, other] = [await follow({ signer: reader }), await follow()];
  await lender.tenant.administration.revokeKey('test', lender.tenant.id, reader.fp);
  await eventually(() => ownStream.ending === 'complete');
  expect(other.ending).toBeUndefined();
});

test('a gateway ends its streams completely on SIGTERM and exits', async () => {
  const gateway = await ServiceProcess.start('gateway', serviceEnvironment(testEnvironment().stack));
  try {
    await gateway.waitUntilReady();
    const stream = await follow({ baseUrl: gateway.baseUrl });
    const feedEvents = await feed();
    await waitForEvents(stream, feedEvents.length);
    expect(await gateway.stop()).toEqual([0, null]);
    await eventually(() => stream.ending !== undefined);
    expect(stream.ending).toBe('complete');
    const elsewhere = await follow({ lastEventId: stream.lastEventId });
    const { id } = await lender.loan(await lender.client());
    await waitForEvents(elsewhere, 1);
    expect(elsewhere.rows).toMatchObject([{ loan_id: id, kind: 'issued' }]);
  } finally {
    gateway.kill();
  }
});
