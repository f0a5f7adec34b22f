import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorize } from '#libs/auth/sign.ts';
import { type House, json, loan, openHouse } from '#libs/http/testing/pipeline.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.served.close());

test('what a service fails with is told to nobody but its own log', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const failed = await house.post({ target: `${target}/preview`, body });
  expect(failed.status).toBe(500);
  expect(failed.text).not.toContain('hunter2');
  expect(failed.json).toEqual({
    error: 'The service failed.',
    code: 'internal_error',
    retry: 'as_is',
    request_id: failed.headers['request-id'],
  });
  expect(String(house.seen.at(-1)?.asked.cause)).toContain('hunter2');
  const keyed = await house.post({ target, body, idempotencyKey: 'break' });
  expect(`${keyed.status} ${keyed.json.retry}`).toBe('500 after_change');
});

test('a store that is away is said to be, with when to come again', async () => {
  const got = await house.ask({ target: '/v1/tenants/acme/company-profile', signer: house.writer });
  expect(got.status).toBe(503);
  expect(got.headers['retry-after']).toBe('5');
  expect(got.json).toMatchObject({ code: 'unavailable', retry: 'as_is', retry_after: 5 });
});

test('a caller that has the answer already is told so in headers alone', async () => {
  const target = '/v1/tenants/acme/clients/c-1/payment-options?on=2026-11-05';
  const first = await house.ask({ target, signer: house.writer });
  const again = await house.ask({ target, signer: house.writer, headers: [`If-None-Match: ${first.headers['etag']}`] });
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.headers['etag']).toBe('"tag"');
  expect(again.headers['server-timing']).toMatch(/derive;dur=3\.[23]$/);
  expect(again.headers).toHaveProperty('request-id');
  expect(again.headers).not.toHaveProperty('content-type');
});

test('what a read answers is asked for anew each time, and kept for the version it was asked under', async () => {
  const fresh = { 'cache-control': 'private, no-cache', vary: 'Contract-Version' };
  const target = '/v1/tenants/acme/clients/c-1/payment-options?on=2026-11-05';
  expect((await house.ask({ target, signer: house.writer })).headers).toMatchObject(fresh);
  const held = await house.ask({ target, signer: house.writer, headers: ['If-None-Match: "tag"'] });
  expect(held).toMatchObject({ status: 304, headers: fresh });
  expect((await house.ask({ method: 'HEAD', target: loan, signer: house.writer })).headers).toMatchObject(fresh);
  expect((await house.ask({ target: '/v1/openapi.json' })).headers).toMatchObject(fresh);
});

test('a write, a refusal and the health of the service are kept by nobody', async () => {
  const kept = [
    await house.post(),
    await house.ask({ target: loan }),
    await house.ask({ target: '/v1/tenants/acme/nothing', signer: house.writer }),
    await house.ask({ target: '/v1/tenants/acme/company-profile', signer: house.writer }),
    await house.ask({ target: '/livez' }),
  ];
  expect(kept.map(({ status }) => status)).toEqual([201, 401, 404, 503, 200]);
  for (const { headers } of kept) {
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('vary');
  }
});

test.each([
  ['2026-10-15', 200, '2026-10-15'],
  ['2026-10-16', 200, '2026-10-16'],
  ['2026-10-17', 400, '2026-10-15'],
  ['', 400, '2026-10-15'],
])('Contract-Version %j is answered %i under %s', async (stated, status, rendered) => {
  const got = await house.ask({ target: loan, signer: house.writer, headers: [`Contract-Version: ${stated}`] });
  expect(got.status).toBe(status);
  expect(got.headers['contract-version']).toBe(rendered);
});

test('a version stated twice is refused though both are the same', async () => {
  const headers = ['Contract-Version: 2026-10-16', 'contract-version: 2026-10-16'];
  expect((await house.ask({ target: loan, signer: house.writer, headers })).json.code).toBe('invalid_contract_version');
});

test.each(['a b', 'ñ', '', 'x'.repeat(129)])(
  'the identifier %j of a caller is neither kept nor returned',
  async (mine) => {
    const got = await house.ask({ target: loan, signer: house.writer, headers: [`Request-Id: ${mine}`] });
    expect(got.status).toBe(200);
    expect(got.headers).not.toHaveProperty('caller-request-id');
  },
);

test('the open routes ask for no credential, and the probes for no version', async () => {
  const alive = await house.ask({ target: '/livez', headers: ['Contract-Version: nonsense'] });
  expect(alive.status).toBe(200);
  expect(alive.headers['server-timing']).toMatch(/^total;dur=\d+\.\d$/);
  expect(alive.headers).toHaveProperty('request-id');
  expect((await house.ask({ target: '/v1/openapi.json' })).json).toEqual({ openapi: '3.1.0' });
  expect((await house.ask({ target: '/v1/openapi.json', headers: ['Contract-Version: nonsense'] })).status).toBe(400);
  expect((await house.ask({ method: 'POST', target: '/livez' })).headers['allow']).toBe('GET, HEAD');
  expect((await house.ask({ method: 'HEAD', target: '/livez' })).status).toBe(200);
  expect((await house.ask({ target: '/livez/' })).status).toBe(401);
});

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['repeated', 'a', ['Idempotency-Key: a', 'Idempotency-Key: a']],
  ['repeated in another case', 'a', ['Idempotency-Key: a', 'idempotency-key: b']],
  ['empty', '', ['Idempotency-Key:']],
  ['too long', 'k'.repeat(256), [`Idempotency-Key: ${'k'.repeat(256)}`]],
  ['not ASCII', 'ñ', [`Idempotency-Key: ${bytesOf('ñ')}`]],
  ['of a tab', 'a\tb', ['Idempotency-Key: a\tb']],
])(
  'an Idempotency-Key that is %s is judged after the signature over its first value',
  async (_, idempotencyKey, lines) => {
    const method = 'POST';
    const body = '{"archetype":"bnpl","values":{}}';
    const target = '/v1/tenants/acme/product-configurations';
    const credential = `Authorization: ${authorize(house.writer, { method, target, body, idempotencyKey, nowMs: Date.now() })}`;
    const got = await house.ask({ method, target, body, headers: [...json, ...lines, credential] });
    expect(`${got.status} ${got.json.code} ${got.json.details?.field}`).toBe('400 invalid_query Idempotency-Key');
    expect((await house.ask({ method, target, body, headers: [...json, ...lines] })).status).toBe(401);
  },
);

test('a usable Idempotency-Key reaches the route that reads it, and is only signed on others', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const idempotencyKey = 'order 1: spaces kept';
  expect((await house.post({ target, body, idempotencyKey })).json).toEqual({ idempotencyKey });
  expect((await house.post({ target, body })).json).toEqual({ idempotencyKey: null });
  expect((await house.post({ idempotencyKey: 'k'.repeat(300) })).status).toBe(201);
});

test('a deprecated field is announced while it is taken, and refused by name from its day on', async () => {
  const put = house.posting({
    method: 'PUT',
    target: '/v1/tenants/acme/company-profile',
    body: '{"legal_name":"P","vat_rate_bps":1600}',
  });
  const before = await house.ask(put);
  expect(before.status).toBe(200);
  expect(before.headers).toMatchObject({
    deprecation: '@1799971200',
    sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
    link: '</changelog#vat_rate_bps>; rel="deprecation"',
  });
  expect((await house.ask({ ...put, body: '{"legal_name":"P"}' })).headers).not.toHaveProperty('deprecation');
  const day = Date.parse('2027-01-15T00:00:00Z');
  house.setClock(day);
  const after = await house.ask({ ...put, nowMs: day });
  house.setClock(undefined);
  expect(`${after.status} ${after.json.code} ${after.json.details.field}`).toBe('400 invalid_body /vat_rate_bps');
});
