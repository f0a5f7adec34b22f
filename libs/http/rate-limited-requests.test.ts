import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers, RouteResponse } from '#libs/http/handler.ts';
import type { Permit, RateLimitClock } from '#libs/http/rate-limits.ts';
import { RateLimiter } from '#libs/http/rate-limits.ts';
import {
  addKey,
  keyRingOfTwoTenancies,
  requestBytes,
  send,
  startTestServer,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';

const target = '/v1/tenants/acme/loans';
const stopped: RateLimitClock = { now: () => 0, callAfter: () => () => undefined };
const bounds = { maxConcurrent: 1, maxWaitMs: 2000, requestsPerSecond: 50, burst: 3 };

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
});

/** Handlers that report when they are called and answer when the test says so. */
function controlledHandlers() {
  const pending: (() => void)[] = [];
  let called = Promise.withResolvers<void>();
  const handlers: RouteHandlers = {
    listLoans: () => {
      const { promise, resolve } = Promise.withResolvers<RouteResponse>();
      pending.push(() => resolve({ status: 200, body: {} }));
      called.resolve();
      return promise;
    },
    streamFeed: () => ({ status: 200, stream: { chunks: endless(), stopSignal: new AbortController().signal } }),
  };
  return {
    handlers,
    async handlerCalled(): Promise<void> {
      await called.promise;
      called = Promise.withResolvers<void>();
    },
    finishNext: () => pending.shift()?.(),
  };
}

async function* endless(): AsyncGenerator<string> {
  yield 'event: first\n\n';
  await new Promise(() => undefined);
}

test('the bounds count all signed requests of a Tenancy, and a request reports how long it waited', async () => {
  const { handlers, handlerCalled, finishNext } = controlledHandlers();
  const keyRing = keyRingOfTwoTenancies();
  const waiting = Promise.withResolvers<void>();
  const clock: RateLimitClock = {
    now: () => 0,
    callAfter() {
      waiting.resolve();
      return () => undefined;
    },
  };
  server = await startTestServer({ handlers, rateLimiter: new RateLimiter(clock), defaultBounds: bounds }, keyRing);
  const signers = [addKey(keyRing), addKey(keyRing, { scope: 'read' })];
  const first = send(server.port, { target, signer: signers[0] });
  await handlerCalled();
  const second = send(server.port, { target, signer: signers[1] });
  await waiting.promise;
  // Unsigned callers are not counted and do not wait.
  expect((await send(server.port, { target })).status).toBe(401);
  finishNext();
  await handlerCalled();
  finishNext();
  const answers: TestResponse[] = await Promise.all([first, second]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.headers['server-timing']).toMatch(/queue;dur=(?!0\.0)/);
});

test('a Tenancy above its burst gets its rate and Retry-After, before the body is parsed', async () => {
  const keyRing = keyRingOfTwoTenancies();
  server = await startTestServer(
    { handlers: {}, rateLimiter: new RateLimiter(stopped), defaultBounds: bounds },
    keyRing,
  );
  const signer = addKey(keyRing);
  const other = addKey(keyRing, { tenantId: 'vivid' });
  for (let at = 0; at < 5; at += 1) await send(server.port, { target });
  for (let at = 0; at < 3; at += 1) expect((await send(server.port, { target, signer })).status).toBe(404);
  const response = await send(server.port, { method: 'POST', target: '/v1/tenants/acme/receipts', body: '{', signer });
  expect(response.status).toBe(429);
  expect(response.headers['retry-after']).toBe('1');
  expect(response.json).toMatchObject({
    code: 'rate_exceeded',
    retry: 'as_is',
    retry_after: 1,
    details: { bound: 50 },
  });
  expect((await send(server.port, { target: '/v1/tenants/vivid/loans', signer: other })).status).toBe(404);
});

test('a caller reads the bounds that apply to it and where they come from', async () => {
  const keyRing = keyRingOfTwoTenancies();
  server = await startTestServer({ handlers: {} }, keyRing);
  const signer = addKey(keyRing);
  const request = { target: '/v1/tenants/acme/bounds', signer };
  expect((await send(server.port, request)).json).toEqual({
    concurrent: 16,
    patience_ms: 2000,
    per_second: 50,
    burst: 100,
    source: 'default',
  });
  const own = { maxConcurrent: 2, maxWaitMs: 100, requestsPerSecond: 5, burst: 5 };
  keyRing.putTenancy({ id: 'acme', live: false, jurisdiction: 'MX', timeZone: 'UTC', bounds: own });
  expect((await send(server.port, request)).json).toEqual({
    concurrent: 2,
    patience_ms: 100,
    per_second: 5,
    burst: 5,
    source: 'tenancy',
  });
});

test('an answer that is read while it is sent holds its permit until its end', async () => {
  const end = Promise.withResolvers<void>();
  async function* chunks(): AsyncGenerator<string> {
    yield 'first\n';
    await end.promise;
  }
  const stream = { chunks: chunks(), stopSignal: new AbortController().signal, isActive: true } as const;
  const handlers: RouteHandlers = { ...controlledHandlers().handlers, streamFeed: () => ({ status: 200, stream }) };
  const keyRing = keyRingOfTwoTenancies();
  server = await startTestServer({ handlers, defaultBounds: { ...bounds, maxWaitMs: 1, burst: 100 } }, keyRing);
  const { port } = server;
  const signer = addKey(keyRing);
  const statusOf = async (): Promise<number> =>
    (await send(port, { target: '/v1/tenants/acme/bounds', signer })).status;
  await send(port, { target: '/v1/tenants/acme/loan-events/stream', signer });
  expect(await statusOf()).toBe(429);
  end.resolve();
  while ((await statusOf()) === 429) await new Promise(setImmediate);
  expect(await statusOf()).toBe(200);
});

test('a streamed answer holds no permit', async () => {
  const keyRing = keyRingOfTwoTenancies();
  const { handlers } = controlledHandlers();
  server = await startTestServer({ handlers, defaultBounds: { ...bounds, burst: 100 } }, keyRing);
  const signer = addKey(keyRing);
  const response = await send(server.port, { target: '/v1/tenants/acme/loan-events/stream', signer });
  expect(response.headers['content-type']).toBe('text/event-stream');
  expect((await send(server.port, { target: '/v1/tenants/acme/bounds', signer })).status).toBe(200);
});

test('the submission timeout starts when the request has its permit, however long the body or the queue took', async () => {
  let now = Date.now();
  const receivedAt = now;
  const clockRead = Promise.withResolvers<void>();
  const permitRequested = Promise.withResolvers<void>();
  const permit = Promise.withResolvers<Permit>();
  const received: { receivedAt: number; admittedAt: number }[] = [];
  const keyRing = keyRingOfTwoTenancies();
  const handlers: RouteHandlers = {
    registerClient: ({ receivedAt, admittedAt }) => {
      received.push({ receivedAt, admittedAt });
      return { status: 201, body: {} };
    },
  };
  const rateLimiter = {
    acquire() {
      permitRequested.resolve();
      return permit.promise;
    },
  };
  const clock = (): number => {
    clockRead.resolve();
    return now;
  };
  server = await startTestServer({ handlers, rateLimiter, now: clock }, keyRing);
  const bytes = requestBytes({
    method: 'PUT',
    target: '/v1/tenants/acme/clients/ana',
    headers: ['Content-Type: application/json'],
    body: '{"actor":"ana","basis":"walked in"}',
    signer: addKey(keyRing),
  });
  const connection = connect(server.port, '127.0.0.1');
  const answered = once(connection, 'data');
  connection.write(bytes.subarray(0, -1));
  await clockRead.promise;
  now += 3_000;
  connection.write(bytes.subarray(-1));
  await permitRequested.promise;
  now += 10_000;
  permit.resolve({ release: () => undefined });
  await answered;
  connection.destroy();
  expect(received).toEqual([{ receivedAt, admittedAt: receivedAt + 13_000 }]);
});
