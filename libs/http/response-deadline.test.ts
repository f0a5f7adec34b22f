import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { Passage } from '#libs/http/request-pipeline.ts';
import { addKey, type Served, send, serve, twoTenancies } from '#libs/http/testing/server.ts';

const bounds = { concurrent: 1, patienceMs: 60_000, perSecond: 1_000, burst: 1_000 };
const never = new Promise<never>(() => undefined);

let served: Served;
afterEach(() => served.close());

async function opened(handlers: RouteHandlers, more: object = {}) {
  const ring = twoTenancies();
  const seen: Passage[] = [];
  served = await serve(
    { handlers, bounds, answerWithinMs: 50, observe: (passage) => seen.push(passage), ...more },
    ring,
  );
  const signer = addKey(ring);
  const headers = ['Content-Type: application/json'];
  return {
    seen,
    read: () => send(served.port, { target: '/v1/tenants/acme/loans', signer }),
    bounds: () => send(served.port, { target: '/v1/tenants/acme/bounds', signer }),
    write: () =>
      send(served.port, {
        method: 'POST',
        target: '/v1/tenants/acme/product-configurations',
        headers,
        body: '{"archetype":"bnpl","values":{}}',
        idempotencyKey: 'k',
        signer,
      }),
  };
}

test('who is told nothing by what it waits for is answered all the same, and gives its place back', async () => {
  const { read, bounds, seen } = await opened({ listLoans: () => never });
  const got = await read();
  expect([got.status, got.json.code, got.json.retry, got.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    'as_is',
    '5',
  ]);
  expect(seen[0]?.asked.cause).toBeInstanceOf(Error);
  expect((await bounds()).status).toBe(200);
});

test('who waits for what is kept under its key is answered too', async () => {
  const { write, bounds } = await opened({ createConfiguration: () => never }, { once: () => never });
  expect(await write()).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect((await bounds()).status).toBe(200);
});

test('what comes of it afterwards is told to nobody and breaks nothing', async () => {
  const late: ((cause: Error) => void)[] = [];
  const { read } = await opened({ listLoans: () => new Promise((_, fail) => late.push(fail)) });
  expect((await read()).status).toBe(503);
  late[0]?.(new Error('the store is back'));
  await new Promise((later) => setTimeout(later, 20));
  expect((await read()).status).toBe(503);
});
