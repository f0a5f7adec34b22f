import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addKey, requestBytes, sendBytes, type TestRequest, type TestResponse } from '#libs/http/testing/server.ts';
import { json, loan, receipt, startTestService, type TestService } from '#libs/http/testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.server.close());

test('a signed request reaches its handler as sent, and the answer carries the id of the request', async () => {
  const response = await service.postReceipt({ headers: [...json, 'Request-Id: mine-1'] });
  expect(response.status).toBe(201);
  expect(response.json).toEqual({
    body: JSON.parse(receipt),
    requestId: response.headers['request-id'],
    callerRequestId: 'mine-1',
    tenancy: 'acme',
    bytes: receipt.length,
    fp: service.writer.fp,
  });
  expect(response.headers['request-id']).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(response.headers['caller-request-id']).toBe('mine-1');
  expect(response.headers['contract-version']).toBe('2026-10-15');
  expect(response.headers['server-timing']).toMatch(
    /^total;dur=\d+\.\d, queue;dur=0\.0, conn;dur=0\.0, db;dur=0\.0, derive;dur=0\.0, submit;dur=0\.0, app;dur=\d+\.\d$/,
  );
  expect(response.headers).not.toHaveProperty('x-powered-by');
});

test('every refusal has the same envelope', async () => {
  const body = JSON.stringify({ on: '2026-11-05', reference: 'w-2', actor: 'ana', basis: 'lost' });
  const response = await service.postReceipt({ target: `${loan}/write-off`, body });
  expect(response.status).toBe(409);
  expect(response.json).toEqual({
    error: 'A write-off is already in force.',
    code: 'already_written_off',
    retry: 'never',
    details: { bound: ['active'], observed: 'written_off' },
    request_id: response.headers['request-id'],
  });
});

/** Each check in its order, with a request that fails it and every later one. */
const failsEveryCheck = {
  method: 'PATCH',
  target: '/v1/tenants/vivid/nowhere?x=1',
  body: '{',
  headers: ['Content-Encoding: gzip'],
};
const checks: readonly (readonly [string, () => TestRequest])[] = [
  [
    '400 invalid_contract_version',
    () => ({ ...failsEveryCheck, headers: [...failsEveryCheck.headers, 'Contract-Version: 2020-01-01'] }),
  ],
  ['401 unauthenticated', () => failsEveryCheck],
  ['401 unauthenticated', () => ({ ...failsEveryCheck, signer: service.unknownKey })],
  ['403 not_permitted_tenant', () => ({ ...failsEveryCheck, signer: service.reader })],
  [
    '403 not_permitted_scope',
    () => ({ ...failsEveryCheck, target: '/v1/tenants/acme/nowhere?x=1', signer: service.reader }),
  ],
  ['404 no_route', () => ({ ...failsEveryCheck, target: '/v1/tenants/acme/nowhere?x=1', signer: service.writer })],
  [
    '405 method_not_allowed',
    () => ({ ...failsEveryCheck, target: '/v1/tenants/acme/receipts?x=1', signer: service.writer }),
  ],
  [
    '415 unsupported_media_type',
    () => service.receiptRequest({ target: '/v1/tenants/acme/receipts?x=1', headers: [], body: '{' }),
  ],
  [
    '413 body_too_large',
    () => service.receiptRequest({ target: '/v1/tenants/acme/receipts?x=1', body: `{${' '.repeat(1024 * 1024)}` }),
  ],
  ['400 invalid_body', () => service.receiptRequest({ target: '/v1/tenants/acme/receipts?x=1', body: '{' })],
  ['400 invalid_query', () => service.receiptRequest({ target: '/v1/tenants/acme/receipts?x=1', body: '{}' })],
  ['422 missing_field', () => service.receiptRequest({ body: '{}' })],
];

test.each(checks)('the checks run in their order: %s', async (refused, sent) => {
  const response = await service.send(sent());
  expect(`${response.status} ${response.json.code}`).toBe(refused);
});

test('all unusable credentials get the same answer except for the request id', async () => {
  const old = Date.now() - 301_000;
  const get = { target: loan };
  const signed = requestBytes({ ...get, signer: service.writer }).toString('latin1');
  const line = /Authorization: .*\r\n/.exec(signed)?.[0] ?? '';
  const raw = (text: string): Promise<TestResponse> => sendBytes(service.server.port, Buffer.from(text, 'latin1'));
  const revoked = addKey(service.server.keyRing);
  expect((await service.send({ ...get, signer: revoked })).status).toBe(200);
  service.server.keyRing.revoke(revoked.fp);
  const answers = await Promise.all([
    service.send(get),
    service.send({ ...get, headers: ['Authorization: Bearer abc'] }),
    service.send({ ...get, headers: ['Authorization:'] }),
    service.send({ ...get, signer: service.unknownKey }),
    service.send({ ...get, signer: revoked }),
    service.send({ ...get, signer: service.writer, nowMs: old }),
    service.send({ ...get, signer: service.writer, nowMs: Date.now() + 302_000 }),
    raw(signed.replace('GET', 'HEAD').replace('HEAD', 'GET').replace('/loans', '/loans%2F')),
    raw(signed.replace(line, line + line)),
    raw(signed.replace(line, `${line}authorization: x\r\n`)),
    raw(signed.replace(line, `${line}Idempotency-Key: k\r\n`)),
    raw(signed.replace(line, line.replace(',ts', ', ts'))),
    service.postReceipt({ signer: undefined, headers: [...json, line.trim()] }),
    service.send({ target: '/', signer: undefined }),
    service.send({ target: '/v1/nowhere' }),
  ]);
  const shapes = answers.map(({ status, headers, json: { request_id, ...rest } }) => {
    expect(request_id).toBe(headers['request-id']);
    const { date, 'request-id': _, 'server-timing': timing, ...same } = headers;
    expect(timing).toMatch(/^total;dur=\d+\.\d$/);
    return JSON.stringify({ status, same, rest });
  });
  expect(new Set(shapes).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, json: { code: 'unauthenticated', retry: 'after_change' } });
  expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(answers.length);
});

test('a signature is valid for five minutes', async () => {
  const frozen = Date.now();
  service.setClock(frozen);
  expect((await service.send({ target: loan, signer: service.writer, nowMs: frozen - 300_000 })).status).toBe(200);
  expect((await service.send({ target: loan, signer: service.writer, nowMs: frozen - 301_000 })).status).toBe(401);
  service.setClock(undefined);
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 403],
  ['DELETE', 403],
  ['OPTIONS', 403],
])('a key with read scope: %s gets %i', async (method, status) => {
  expect((await service.send({ method, target: loan, signer: service.reader })).status).toBe(status);
});
