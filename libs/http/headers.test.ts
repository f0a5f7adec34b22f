import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizationHeader } from '#libs/auth/signer.ts';
import { json, loan, startTestService, type TestService } from '#libs/http/testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.server.close());

test('the cause of a 500 is logged and not sent', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const failed = await service.postReceipt({ target: `${target}/preview`, body });
  expect(failed.status).toBe(500);
  expect(failed.text).not.toContain('hunter2');
  expect(failed.json).toEqual({
    error: 'The service failed.',
    code: 'internal_error',
    retry: 'as_is',
    request_id: failed.headers['request-id'],
  });
  expect(String(service.observations.at(-1)?.context.cause)).toContain('hunter2');
  const keyed = await service.postReceipt({ target, body, idempotencyKey: 'break' });
  expect(`${keyed.status} ${keyed.json.retry}`).toBe('500 after_change');
});

test('an unavailable dependency gets 503 with Retry-After', async () => {
  const response = await service.send({ target: '/v1/tenants/acme/company-profile', signer: service.writer });
  expect(response.status).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json).toMatchObject({ code: 'unavailable', retry: 'as_is', retry_after: 5 });
});

test('a caller that has the current answer gets 304 without a body', async () => {
  const target = '/v1/tenants/acme/clients/c-1/payment-options?on=2026-11-05';
  const first = await service.send({ target, signer: service.writer });
  const again = await service.send({
    target,
    signer: service.writer,
    headers: [`If-None-Match: ${first.headers['etag']}`],
  });
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.headers['etag']).toBe('"tag"');
  expect(again.headers['server-timing']).toMatch(/derive;dur=3\.[23],/);
  expect(again.headers).toHaveProperty('request-id');
  expect(again.headers).not.toHaveProperty('content-type');
});

test('answers of reads may be stored for revalidation, per contract version', async () => {
  const fresh = { 'cache-control': 'private, no-cache', vary: 'Contract-Version' };
  const target = '/v1/tenants/acme/clients/c-1/payment-options?on=2026-11-05';
  expect((await service.send({ target, signer: service.writer })).headers).toMatchObject(fresh);
  const revalidated = await service.send({ target, signer: service.writer, headers: ['If-None-Match: "tag"'] });
  expect(revalidated).toMatchObject({ status: 304, headers: fresh });
  expect((await service.send({ method: 'HEAD', target: loan, signer: service.writer })).headers).toMatchObject(fresh);
  expect((await service.send({ target: '/v1/openapi.json' })).headers).toMatchObject(fresh);
});

test('answers of writes, refusals and health checks are not stored', async () => {
  const responses = [
    await service.postReceipt(),
    await service.send({ target: loan }),
    await service.send({ target: '/v1/tenants/acme/nothing', signer: service.writer }),
    await service.send({ target: '/v1/tenants/acme/company-profile', signer: service.writer }),
    await service.send({ target: '/livez' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 401, 404, 503, 200]);
  for (const { headers } of responses) {
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('vary');
  }
});

test.each([
  ['2026-10-15', 200, '2026-10-15'],
  ['2026-10-16', 200, '2026-10-16'],
  ['2026-10-17', 400, '2026-10-15'],
  ['', 400, '2026-10-15'],
])('Contract-Version %j gets %i under version %s', async (stated, status, rendered) => {
  const response = await service.send({
    target: loan,
    signer: service.writer,
    headers: [`Contract-Version: ${stated}`],
  });
  expect(response.status).toBe(status);
  expect(response.headers['contract-version']).toBe(rendered);
});

test('a repeated Contract-Version is refused even if both are equal', async () => {
  const headers = ['Contract-Version: 2026-10-16', 'contract-version: 2026-10-16'];
  expect((await service.send({ target: loan, signer: service.writer, headers })).json.code).toBe(
    'invalid_contract_version',
  );
});

test.each(['a b', 'ñ', '', 'x'.repeat(129)])(
  'the malformed Request-Id %j of a caller is neither recorded nor returned',
  async (id) => {
    const response = await service.send({ target: loan, signer: service.writer, headers: [`Request-Id: ${id}`] });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('caller-request-id');
  },
);

test('public routes need no credentials, and health checks no contract version', async () => {
  const alive = await service.send({ target: '/livez', headers: ['Contract-Version: nonsense'] });
  expect(alive.status).toBe(200);
  expect(alive.headers['server-timing']).toMatch(/^total;dur=\d+\.\d$/);
  expect(alive.headers).toHaveProperty('request-id');
  expect((await service.send({ target: '/v1/openapi.json' })).json).toEqual({ openapi: '3.1.0' });
  expect((await service.send({ target: '/v1/openapi.json', headers: ['Contract-Version: nonsense'] })).status).toBe(
    400,
  );
  expect((await service.send({ method: 'POST', target: '/livez' })).headers['allow']).toBe('GET, HEAD');
  expect((await service.send({ method: 'HEAD', target: '/livez' })).status).toBe(200);
  expect((await service.send({ target: '/livez/' })).status).toBe(401);
});

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['repeated', 'a', ['Idempotency-Key: a', 'Idempotency-Key: a']],
  ['repeated in another case', 'a', ['Idempotency-Key: a', 'idempotency-key: b']],
  ['empty', '', ['Idempotency-Key:']],
  ['too long', 'k'.repeat(256), [`Idempotency-Key: ${'k'.repeat(256)}`]],
  ['not ASCII', 'ñ', [`Idempotency-Key: ${bytesOf('ñ')}`]],
  ['with a tab', 'a\tb', ['Idempotency-Key: a\tb']],
])(
  'an Idempotency-Key that is %s is refused after the signature over its first value was verified',
  async (_, idempotencyKey, lines) => {
    const method = 'POST';
    const body = '{"archetype":"bnpl","values":{}}';
    const target = '/v1/tenants/acme/product-configurations';
    const credential = `Authorization: ${authorizationHeader(service.writer, { method, target, body, idempotencyKey, nowMs: Date.now() })}`;
    const response = await service.send({ method, target, body, headers: [...json, ...lines, credential] });
    expect(`${response.status} ${response.json.code} ${response.json.details?.field}`).toBe(
      '400 invalid_query Idempotency-Key',
    );
    expect((await service.send({ method, target, body, headers: [...json, ...lines] })).status).toBe(401);
  },
);

test('a valid Idempotency-Key reaches the routes that read it; on others it is only signed', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const idempotencyKey = 'order 1: with spaces';
  expect((await service.postReceipt({ target, body, idempotencyKey })).json).toEqual({ idempotencyKey });
  expect((await service.postReceipt({ target, body })).json).toEqual({ idempotencyKey: null });
  expect((await service.postReceipt({ idempotencyKey: 'k'.repeat(300) })).status).toBe(201);
});

test('a deprecated field is announced until its last day and refused by name from then on', async () => {
  const put = service.receiptRequest({
    method: 'PUT',
    target: '/v1/tenants/acme/company-profile',
    body: '{"legal_name":"P","vat_rate_bps":1600}',
  });
  const before = await service.send(put);
  expect(before.status).toBe(200);
  expect(before.headers).toMatchObject({
    deprecation: '@1799971200',
    sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
    link: '</changelog#vat_rate_bps>; rel="deprecation"',
  });
  expect((await service.send({ ...put, body: '{"legal_name":"P"}' })).headers).not.toHaveProperty('deprecation');
  const day = Date.parse('2027-01-15T00:00:00Z');
  service.setClock(day);
  const after = await service.send({ ...put, nowMs: day });
  service.setClock(undefined);
  expect(`${after.status} ${after.json.code} ${after.json.details.field}`).toBe('400 invalid_body /vat_rate_bps');
});
