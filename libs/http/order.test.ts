import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type House, json, loan, openHouse, receipt } from '#libs/http/testing/pipeline.ts';
import { addKey, exchange, type Got, type Sent, written } from '#libs/http/testing/server.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.served.close());

test('a signed request reaches its handler with what was sent, and the answer names its own identifier', async () => {
  const got = await house.post({ headers: [...json, 'Request-Id: mine-1'] });
  expect(got.status).toBe(201);
  expect(got.json).toEqual({
    body: JSON.parse(receipt),
    requestId: got.headers['request-id'],
    callerRequestId: 'mine-1',
    tenancy: 'acme',
    bytes: receipt.length,
    fp: house.writer.fp,
  });
  expect(got.headers['request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(got.headers['caller-request-id']).toBe('mine-1');
  expect(got.headers['contract-version']).toBe('2026-10-15');
  expect(got.headers['server-timing']).toMatch(
    /^total;dur=\d+\.\d, queue;dur=0\.0, conn;dur=0\.0, db;dur=0\.0, derive;dur=0\.0$/,
  );
  expect(got.headers).not.toHaveProperty('x-powered-by');
});

test('every refusal is the one envelope', async () => {
  const body = JSON.stringify({ on: '2026-11-05', reference: 'w-2', actor: 'ana', basis: 'lost' });
  const got = await house.post({ target: `${loan}/write-off`, body });
  expect(got.status).toBe(409);
  expect(got.json).toEqual({
    error: 'A write-off already stands.',
    code: 'already_written_off',
    retry: 'never',
    details: { recorded_id: 'w-1' },
    request_id: got.headers['request-id'],
  });
});

/** Each check of the door, in its order: a request that fails it and every later one is refused by it. */
const everythingWrong = {
  method: 'PATCH',
  target: '/v1/tenants/vivid/nowhere?x=1',
  body: '{',
  headers: ['Content-Encoding: gzip'],
};
const checks: readonly (readonly [string, () => Sent])[] = [
  [
    '400 invalid_contract_version',
    () => ({ ...everythingWrong, headers: [...everythingWrong.headers, 'Contract-Version: 2020-01-01'] }),
  ],
  ['401 unauthenticated', () => everythingWrong],
  ['401 unauthenticated', () => ({ ...everythingWrong, signer: house.stranger })],
  ['403 not_permitted_tenant', () => ({ ...everythingWrong, signer: house.reader })],
  [
    '403 not_permitted_scope',
    () => ({ ...everythingWrong, target: '/v1/tenants/acme/nowhere?x=1', signer: house.reader }),
  ],
  ['404 no_route', () => ({ ...everythingWrong, target: '/v1/tenants/acme/nowhere?x=1', signer: house.writer })],
  [
    '405 method_not_allowed',
    () => ({ ...everythingWrong, target: '/v1/tenants/acme/receipts?x=1', signer: house.writer }),
  ],
  [
    '415 unsupported_media_type',
    () => house.posting({ target: '/v1/tenants/acme/receipts?x=1', headers: [], body: '{' }),
  ],
  [
    '413 body_too_large',
    () => house.posting({ target: '/v1/tenants/acme/receipts?x=1', body: `{${' '.repeat(1024 * 1024)}` }),
  ],
  ['400 invalid_body', () => house.posting({ target: '/v1/tenants/acme/receipts?x=1', body: '{' })],
  ['400 invalid_query', () => house.posting({ target: '/v1/tenants/acme/receipts?x=1', body: '{}' })],
  ['422 missing_field', () => house.posting({ body: '{}' })],
];

test.each(checks)('the checks stand in their order: %s', async (refused, sent) => {
  const got = await house.ask(sent());
  expect(`${got.status} ${got.json.code}`).toBe(refused);
});

test('every unusable presentation is answered alike, but for the identifier of the request', async () => {
  const old = Date.now() - 301_000;
  const get = { target: loan };
  const signed = written({ ...get, signer: house.writer }).toString('latin1');
  const line = /Authorization: .*\r\n/.exec(signed)?.[0] ?? '';
  const raw = (text: string): Promise<Got> => exchange(house.served.port, Buffer.from(text, 'latin1'));
  const revoked = addKey(house.served.ring);
  expect((await house.ask({ ...get, signer: revoked })).status).toBe(200);
  house.served.ring.revoke(revoked.fp);
  const answers = await Promise.all([
    house.ask(get),
    house.ask({ ...get, headers: ['Authorization: Bearer abc'] }),
    house.ask({ ...get, headers: ['Authorization:'] }),
    house.ask({ ...get, signer: house.stranger }),
    house.ask({ ...get, signer: revoked }),
    house.ask({ ...get, signer: house.writer, nowMs: old }),
    house.ask({ ...get, signer: house.writer, nowMs: Date.now() + 302_000 }),
    raw(signed.replace('GET', 'HEAD').replace('HEAD', 'GET').replace('/loans', '/loans%2F')),
    raw(signed.replace(line, line + line)),
    raw(signed.replace(line, `${line}authorization: x\r\n`)),
    raw(signed.replace(line, `${line}Idempotency-Key: k\r\n`)),
    raw(signed.replace(line, line.replace(',ts', ', ts'))),
    house.post({ signer: undefined, headers: [...json, line.trim()] }),
    house.ask({ target: '/', signer: undefined }),
    house.ask({ target: '/v1/nowhere' }),
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

test('a signature five minutes old is usable', async () => {
  const frozen = Date.now();
  house.setClock(frozen);
  expect((await house.ask({ target: loan, signer: house.writer, nowMs: frozen - 300_000 })).status).toBe(200);
  expect((await house.ask({ target: loan, signer: house.writer, nowMs: frozen - 301_000 })).status).toBe(401);
  house.setClock(undefined);
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 403],
  ['DELETE', 403],
  ['OPTIONS', 403],
])('a key that may only read: %s is answered %i', async (method, status) => {
  expect((await house.ask({ method, target: loan, signer: house.reader })).status).toBe(status);
});
