import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { addKey, keyRingOfTwoTenancies, send, startTestServer, type TestServer } from '#libs/http/testing/server.ts';

const bounds = { maxConcurrent: 1, maxWaitMs: 60_000, requestsPerSecond: 1_000, burst: 1_000 };
const pending = new Promise<never>(() => undefined);

let server: TestServer;
afterEach(() => server.close());

async function openServer(handlers: RouteHandlers, options: object = {}) {
  const keyRing = keyRingOfTwoTenancies();
  const observations: AnsweredRequest[] = [];
  server = await startTestServer(
    {
      handlers,
      defaultBounds: bounds,
      handlerTimeoutMs: 50,
      observe: (answered) => observations.push(answered),
      ...options,
    },
    keyRing,
  );
  const signer = addKey(keyRing);
  const headers = ['Content-Type: application/json'];
  return {
    observations,
    read: () => send(server.port, { target: '/v1/tenants/acme/loans', signer }),
    bounds: () => send(server.port, { target: '/v1/tenants/acme/bounds', signer }),
    write: () =>
      send(server.port, {
        method: 'POST',
        target: '/v1/tenants/acme/product-configurations',
        headers,
        body: '{"archetype":"bnpl","values":{}}',
        idempotencyKey: 'k',
        signer,
      }),
  };
}

test('a request whose handler never settles gets 503 and releases its permit', async () => {
  const { read, bounds, observations } = await openServer({ listLoans: () => pending });
  const response = await read();
  expect([response.status, response.json.code, response.json.retry, response.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    'as_is',
    '5',
  ]);
  expect(observations[0]?.context.cause).toBeInstanceOf(Error);
  expect((await bounds()).status).toBe(200);
});

test('a request waiting for an idempotency record gets 503 at the deadline', async () => {
  const { write, bounds } = await openServer({ createConfiguration: () => pending }, { idempotency: () => pending });
  expect(await write()).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect((await bounds()).status).toBe(200);
});

test('a handler that fails after the deadline is ignored', async () => {
  const rejections: ((cause: Error) => void)[] = [];
  const { read } = await openServer({ listLoans: () => new Promise((_, fail) => rejections.push(fail)) });
  expect((await read()).status).toBe(503);
  rejections[0]?.(new Error('late failure'));
  await new Promise((later) => setTimeout(later, 20));
  expect((await read()).status).toBe(503);
});
