import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refuse } from '#libs/contract/refusals.ts';
import type { Passage } from '#libs/door/door.ts';
import type { Handlers, Once, Outcome } from '#libs/door/handler.ts';
import {
  addKey,
  exchange,
  type Got,
  type Sent,
  type Served,
  send,
  serve,
  twoTenancies,
  written,
} from '#libs/door/testing/served.ts';
import { authorize, type Signer } from '#libs/signing/sign.ts';
import { StoreUnavailable } from '#libs/store/unavailable.ts';

const seen: Passage[] = [];
const handlers: Handlers = {
  readLoan: ({ params }) => ({ status: 200, body: { id: params['loan_id'] } }),
  previewLoan: () => ({ status: 200, body: {} }),
  listLoans: ({ query }) => ({ status: 200, body: query }),
  reportReceipt: ({ body, evidence, requestId, callerRequestId, tenancy }) => ({
    status: 201,
    body: { body, requestId, callerRequestId, tenancy: tenancy.id, bytes: evidence.body.length, fp: evidence.fp },
  }),
  reportReceipts: ({ body }) => ({ status: 200, body: { count: body.receipts.length } }),
  readReceipt: ({ params }) => ({ status: 200, body: params }),
  writeOffLoan: () => refuse('already_written_off', { recorded_id: 'w-1' }),
  createConfiguration: ({ idempotencyKey }) => {
    if (idempotencyKey === 'break') throw new Error('the password is hunter2');
    return { status: 201, body: { idempotencyKey: idempotencyKey ?? null } };
  },
  previewConfiguration: () => {
    throw new Error('the password is hunter2');
  },
  registerClient: ({ params }) => ({ status: 201, body: params }),
  readClient: ({ params }) => ({ status: 200, body: params }),
  pointLookupKey: ({ params }) => ({ status: 201, body: params }),
  readLookupKey: ({ params }) => ({ status: 200, body: params }),
  putCompanyProfile: ({ body }) => ({ status: 200, body }),
  readCompanyProfile: () => {
    throw new StoreUnavailable('profile');
  },
  readPaymentOptions: ({ timing, header }) => {
    timing.derive += 3.25;
    const headers = { ETag: '"tag"' };
    return header('If-None-Match') === '"tag"'
      ? { status: 304, headers }
      : { status: 200, headers, body: { loans: [] } };
  },
  readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
  readOpenApi: () => ({ status: 200, text: '{"openapi":"3.1.0"}' }),
};

let served: Served;
let writer: Signer;
let reader: Signer;
let agent: Signer;
let stranger: Signer;
const ring = twoTenancies();
let now: (() => number) | undefined;

beforeAll(async () => {
  served = await serve({ handlers, observe: (passage) => seen.push(passage), now: () => now?.() ?? Date.now() }, ring);
  writer = addKey(ring);
  reader = addKey(ring, { scope: 'read' });
  agent = addKey(ring, { tenantId: 'vivid', holder: 'agent' });
  stranger = addKey(twoTenancies());
});
afterAll(() => served.close());

const ask = (sent: Sent): Promise<Got> => send(served.port, sent);
const json = ['Content-Type: application/json'];
const receipt = JSON.stringify({
  reference: 'r-1',
  client_id: 'c-1',
  amount: { minor_units: 100, currency: 'MXN' },
  value_date: '2026-11-05',
});
const post = (more: Partial<Sent> = {}): Sent => ({
  method: 'POST',
  target: '/v1/tenants/acme/receipts',
  headers: json,
  body: receipt,
  signer: writer,
  ...more,
});
const loan = '/v1/tenants/acme/loans/0192f0c1-2345-7abc-8def-0123456789ab';

test('a signed request reaches its handler with what was sent, and the answer names its own identifier', async () => {
  const got = await ask(post({ headers: [...json, 'Request-Id: mine-1'] }));
  expect(got.status).toBe(201);
  expect(got.json).toEqual({
    body: JSON.parse(receipt),
    requestId: got.headers['request-id'],
    callerRequestId: 'mine-1',
    tenancy: 'acme',
    bytes: receipt.length,
    fp: writer.fp,
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
  const got = await ask(post({ target: `${loan}/write-off`, body }));
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
  ['401 unauthenticated', () => ({ ...everythingWrong, signer: stranger })],
  ['403 not_permitted_tenant', () => ({ ...everythingWrong, signer: reader })],
  ['403 not_permitted_scope', () => ({ ...everythingWrong, target: '/v1/tenants/acme/nowhere?x=1', signer: reader })],
  ['404 no_route', () => ({ ...everythingWrong, target: '/v1/tenants/acme/nowhere?x=1', signer: writer })],
  ['405 method_not_allowed', () => ({ ...everythingWrong, target: '/v1/tenants/acme/receipts?x=1', signer: writer })],
  ['415 unsupported_media_type', () => post({ target: '/v1/tenants/acme/receipts?x=1', headers: [], body: '{' })],
  ['413 body_too_large', () => post({ target: '/v1/tenants/acme/receipts?x=1', body: `{${' '.repeat(1024 * 1024)}` })],
  ['400 invalid_body', () => post({ target: '/v1/tenants/acme/receipts?x=1', body: '{' })],
  ['400 invalid_query', () => post({ target: '/v1/tenants/acme/receipts?x=1', body: '{}' })],
  ['422 missing_field', () => post({ body: '{}' })],
];

test.each(checks)('the checks stand in their order: %s', async (refused, sent) => {
  const got = await ask(sent());
  expect(`${got.status} ${got.json.code}`).toBe(refused);
});

test('every unusable presentation is answered alike, but for the identifier of the request', async () => {
  const old = Date.now() - 301_000;
  const get = { target: loan };
  const signed = written({ ...get, signer: writer }).toString('latin1');
  const line = /Authorization: .*\r\n/.exec(signed)?.[0] ?? '';
  const raw = (text: string): Promise<Got> => exchange(served.port, Buffer.from(text, 'latin1'));
  const revoked = addKey(ring);
  expect((await ask({ ...get, signer: revoked })).status).toBe(200);
  ring.revoke(revoked.fp);
  const answers = await Promise.all([
    ask(get),
    ask({ ...get, headers: ['Authorization: Bearer abc'] }),
    ask({ ...get, headers: ['Authorization:'] }),
    ask({ ...get, signer: stranger }),
    ask({ ...get, signer: revoked }),
    ask({ ...get, signer: writer, nowMs: old }),
    ask({ ...get, signer: writer, nowMs: Date.now() + 302_000 }),
    raw(signed.replace('GET', 'HEAD').replace('HEAD', 'GET').replace('/loans', '/loans%2F')),
    raw(signed.replace(line, line + line)),
    raw(signed.replace(line, `${line}authorization: x\r\n`)),
    raw(signed.replace(line, `${line}Idempotency-Key: k\r\n`)),
    raw(signed.replace(line, line.replace(',ts', ', ts'))),
    ask(post({ signer: undefined, headers: [...json, line.trim()] })),
    ask({ target: '/', signer: undefined }),
    ask({ target: '/v1/nowhere' }),
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
  now = () => frozen;
  expect((await ask({ target: loan, signer: writer, nowMs: frozen - 300_000 })).status).toBe(200);
  expect((await ask({ target: loan, signer: writer, nowMs: frozen - 301_000 })).status).toBe(401);
  now = undefined;
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 403],
  ['DELETE', 403],
  ['OPTIONS', 403],
])('a key that may only read: %s is answered %i', async (method, status) => {
  expect((await ask({ method, target: loan, signer: reader })).status).toBe(status);
});

test('a Tenancy that does not exist and one of others are refused alike', async () => {
  for (const tenantId of ['vivid', 'nobody', '%20', 'ACME']) {
    const got = await ask({ target: `/v1/tenants/${tenantId}/loans`, signer: writer });
    expect(`${got.status} ${got.json.code}`).toBe('403 not_permitted_tenant');
  }
});

test.each([
  '/',
  '/v1',
  '/v1/tenants',
  '/v1/tenants/',
  '/v1/tenants//loans',
  '//v1/tenants/acme/loans',
  '/v1/v1/tenants/acme/loans',
  '/v1/tenants/acme',
  '/v1/tenants/acme/',
  '/v1/tenants/acme/loans/',
  '/v1/tenants/acme/./loans',
  '/v1/tenants/acme/../acme/loans',
  '/v1/tenants/acme/Loans',
  '/v1/tenants/acme/receipts/%ff',
  '/v1/tenants/acme/receipts/%',
  '/v1/tenants/%zz/loans',
  '/v1/tenants/acme/loans%3Flimit=5',
  'http://localhost/v1/tenants/acme/loans',
])('no route is called %s', async (target) => {
  const got = await ask({ target, signer: writer });
  expect(`${got.status} ${got.json.code}`).toBe('404 no_route');
});

test.each([
  ['DELETE', '/loans', 'GET, HEAD'],
  ['OPTIONS', '/receipts', 'POST'],
  ['PUT', '/receipts/batch', 'GET, HEAD, POST'],
  ['GET', '/product-configurations/preview', 'POST'],
  ['PATCH', '/product-lookup-keys/summer', 'GET, HEAD, PUT'],
])('%s %s is refused with the methods there are: %s', async (method, path, allow) => {
  const got = await ask({ method, target: `/v1/tenants/acme${path}`, signer: writer });
  expect(`${got.status} ${got.json.code} ${got.headers['allow']}`).toBe(`405 method_not_allowed ${allow}`);
});

test('HEAD is answered as GET without the body', async () => {
  const got = await ask({ method: 'HEAD', target: loan, signer: writer });
  expect(got.status).toBe(200);
  expect(got.text).toBe('');
  expect(Number(got.headers['content-length'])).toBeGreaterThan(0);
});

test.each<[string, string, number, string | object]>([
  ['GET', '/receipts/batch', 200, { tenant_id: 'acme', receipt_reference: 'batch' }],
  ['GET', '/receipts/a%2Fb%20%C3%B1+', 200, { tenant_id: 'acme', receipt_reference: 'a/b ñ+' }],
  ['GET', '/receipts/%2E%2E', 404, 'no_receipt'],
  ['GET', '/receipts/%20a', 404, 'no_receipt'],
  ['GET', '/loans/preview', 405, 'method_not_allowed'],
  ['GET', '/loans/loan-1', 404, 'not_found'],
  ['GET', '/loans/0192F0C1-2345-7ABC-8DEF-0123456789AB', 200, { id: '0192f0c1-2345-7abc-8def-0123456789ab' }],
  ['GET', '/clients/c%201', 404, 'not_found'],
  ['GET', '/product-lookup-keys/ins-000001', 404, 'not_found'],
])('a name in a path: %s %s is %i %j', async (method, path, status, told) => {
  const got = await ask({ method, target: `/v1/tenants/acme${path}`, signer: writer });
  expect(got.status).toBe(status);
  expect(typeof told === 'string' ? got.json.code : got.json).toEqual(told);
});

test.each([
  ['/clients/c%201', '{"actor":"ana","basis":"new"}', 'invalid_identifier client_id'],
  [
    '/product-lookup-keys/INS-000001',
    '{"configuration_id":"ins-000001","configuration_version":1}',
    'invalid_identifier lookup_key',
  ],
  ['/product-lookup-keys/INS-000001', '{}', 'missing_field /configuration_id'],
])('a name that a mutation would give, against its grammar: %s', async (path, body, refused) => {
  const got = await ask(post({ method: 'PUT', target: `/v1/tenants/acme${path}`, body }));
  expect(`${got.json.code} ${got.json.details.field}`).toBe(refused);
});

test('an agent cannot point a lookup key on a live Tenancy, and may read it there', async () => {
  const target = '/v1/tenants/vivid/product-lookup-keys/summer';
  const pointed = await ask(post({ method: 'PUT', target, signer: agent, body: 'not even JSON', headers: [] }));
  expect(`${pointed.status} ${pointed.json.code}`).toBe('403 not_permitted_agent');
  expect((await ask({ target, signer: agent })).status).toBe(200);
  expect((await ask({ method: 'PATCH', target, signer: agent })).status).toBe(405);
});

test('what a service fails with is told to nobody but its own log', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const failed = await ask(post({ target: `${target}/preview`, body }));
  expect(failed.status).toBe(500);
  expect(failed.text).not.toContain('hunter2');
  expect(failed.json).toEqual({
    error: 'The service failed.',
    code: 'internal_error',
    retry: 'as_is',
    request_id: failed.headers['request-id'],
  });
  expect(String(seen.at(-1)?.exchange.cause)).toContain('hunter2');
  const keyed = await ask(post({ target, body, idempotencyKey: 'break' }));
  expect(`${keyed.status} ${keyed.json.retry}`).toBe('500 after_change');
});

test('a store that is away is said to be, with when to come again', async () => {
  const got = await ask({ target: '/v1/tenants/acme/company-profile', signer: writer });
  expect(got.status).toBe(503);
  expect(got.headers['retry-after']).toBe('5');
  expect(got.json).toMatchObject({ code: 'unavailable', retry: 'as_is', retry_after: 5 });
});

test('a caller that has the answer already is told so in headers alone', async () => {
  const target = '/v1/tenants/acme/clients/c-1/payment-options?on=2026-11-05';
  const first = await ask({ target, signer: writer });
  const again = await ask({ target, signer: writer, headers: [`If-None-Match: ${first.headers['etag']}`] });
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.headers['etag']).toBe('"tag"');
  expect(again.headers['server-timing']).toMatch(/derive;dur=3\.[23]$/);
  expect(again.headers).toHaveProperty('request-id');
  expect(again.headers).not.toHaveProperty('content-type');
});

test.each([
  ['2026-10-15', 200, '2026-10-15'],
  ['2026-10-16', 200, '2026-10-16'],
  ['2026-10-17', 400, '2026-10-15'],
  ['', 400, '2026-10-15'],
])('Contract-Version %j is answered %i under %s', async (stated, status, rendered) => {
  const got = await ask({ target: loan, signer: writer, headers: [`Contract-Version: ${stated}`] });
  expect(got.status).toBe(status);
  expect(got.headers['contract-version']).toBe(rendered);
});

test('a version stated twice is refused though both are the same', async () => {
  const headers = ['Contract-Version: 2026-10-16', 'contract-version: 2026-10-16'];
  expect((await ask({ target: loan, signer: writer, headers })).json.code).toBe('invalid_contract_version');
});

test.each(['a b', 'ñ', '', 'x'.repeat(129)])(
  'the identifier %j of a caller is neither kept nor returned',
  async (mine) => {
    const got = await ask({ target: loan, signer: writer, headers: [`Request-Id: ${mine}`] });
    expect(got.status).toBe(200);
    expect(got.headers).not.toHaveProperty('caller-request-id');
  },
);

test('the open routes ask for no credential, and the probes for no version', async () => {
  const alive = await ask({ target: '/livez', headers: ['Contract-Version: nonsense'] });
  expect(alive.status).toBe(200);
  expect(alive.headers['server-timing']).toMatch(/^total;dur=\d+\.\d$/);
  expect(alive.headers).toHaveProperty('request-id');
  expect((await ask({ target: '/v1/openapi.json' })).json).toEqual({ openapi: '3.1.0' });
  expect((await ask({ target: '/v1/openapi.json', headers: ['Contract-Version: nonsense'] })).status).toBe(400);
  expect((await ask({ method: 'POST', target: '/livez' })).headers['allow']).toBe('GET, HEAD');
  expect((await ask({ method: 'HEAD', target: '/livez' })).status).toBe(200);
  expect((await ask({ target: '/livez/' })).status).toBe(401);
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
    const credential = `Authorization: ${authorize(writer, { method, target, body, idempotencyKey, nowMs: Date.now() })}`;
    const got = await ask({ method, target, body, headers: [...json, ...lines, credential] });
    expect(`${got.status} ${got.json.code} ${got.json.details?.field}`).toBe('400 invalid_query Idempotency-Key');
    expect((await ask({ method, target, body, headers: [...json, ...lines] })).status).toBe(401);
  },
);

test('a usable Idempotency-Key reaches the route that reads it, and is only signed on others', async () => {
  const body = '{"archetype":"bnpl","values":{}}';
  const target = '/v1/tenants/acme/product-configurations';
  const idempotencyKey = 'order 1: spaces kept';
  expect((await ask(post({ target, body, idempotencyKey }))).json).toEqual({ idempotencyKey });
  expect((await ask(post({ target, body }))).json).toEqual({ idempotencyKey: null });
  expect((await ask(post({ idempotencyKey: 'k'.repeat(300) }))).status).toBe(201);
});

test('under a key even a body refused for its fields is an outcome, and our own fault is; a store away is none', async () => {
  const kept = new Map<string, Outcome>();
  const once: Once = async ({ admitted, act, header }) => {
    const replayed = kept.get(admitted.idempotencyKey);
    if (replayed) header('Idempotent-Replayed', 'true');
    const outcome = replayed ?? (await act());
    kept.set(admitted.idempotencyKey, outcome);
    return outcome;
  };
  let fault: Error = new Error('broken');
  const handlers: Handlers = {
    createConfiguration: () => {
      throw fault;
    },
  };
  const keyedRing = twoTenancies();
  const signer = addKey(keyedRing);
  const keyed = await serve({ handlers, once }, keyedRing);
  const target = '/v1/tenants/acme/product-configurations';
  const tell = async (idempotencyKey: string, body: string, more: object = {}): Promise<string> => {
    const got = await send(keyed.port, post({ target, body, signer, idempotencyKey, ...more }));
    return `${got.status} ${got.json.code} ${got.headers['idempotent-replayed'] ?? 'anew'}`;
  };
  const whole = '{"archetype":"bnpl","values":{}}';
  expect(await tell('a', '{}')).toBe('422 missing_field anew');
  expect(await tell('a', whole)).toBe('422 missing_field true');
  expect(await tell('b', '{')).toBe('400 invalid_body anew');
  expect(await tell('b', whole, { headers: [] })).toBe('415 unsupported_media_type anew');
  expect(await tell('b', whole)).toBe('500 internal_error anew');
  expect(await tell('b', whole)).toBe('500 internal_error true');
  fault = new StoreUnavailable('configurations');
  expect(await tell('c', whole)).toBe('503 unavailable anew');
  expect(await tell('c', whole)).toBe('503 unavailable anew');
  await keyed.close();
});

test('a deprecated field is announced while it is taken, and refused by name from its day on', async () => {
  const put = post({
    method: 'PUT',
    target: '/v1/tenants/acme/company-profile',
    body: '{"legal_name":"P","vat_rate_bps":1600}',
  });
  const before = await ask(put);
  expect(before.status).toBe(200);
  expect(before.headers).toMatchObject({
    deprecation: '@1799971200',
    sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
    link: '</changelog#vat_rate_bps>; rel="deprecation"',
  });
  expect((await ask({ ...put, body: '{"legal_name":"P"}' })).headers).not.toHaveProperty('deprecation');
  const day = Date.parse('2027-01-15T00:00:00Z');
  now = () => day;
  const after = await ask({ ...put, nowMs: day });
  now = undefined;
  expect(`${after.status} ${after.json.code} ${after.json.details.field}`).toBe('400 invalid_body /vat_rate_bps');
});
