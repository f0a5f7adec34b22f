import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizationHeader, type Signer } from '#libs/auth/signer.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { answerBrokenRequest } from '#libs/http/send-response.ts';
import {
  addKey,
  keyRingOfTwoTenancies,
  requestBytes,
  send,
  sendBytes,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';

const handlers: RouteHandlers = {
  reportReceipt: ({ body }) => ({ status: 201, body }),
  reportReceipts: ({ body }) => ({ status: 200, body: { count: body.receipts.length } }),
  readReceipt: ({ params }) => ({ status: 200, body: params }),
  listLoans: ({ query }) => ({ status: 200, body: query }),
  removeLookupKey: ({ evidence }) => ({ status: 200, body: { bytes: evidence.body.length } }),
  readChangelog: () => ({ status: 200, text: '<p>', type: 'text/html' }),
};

let server: TestServer;
let writer: Signer;
const keyRing = keyRingOfTwoTenancies();

beforeAll(async () => {
  server = await startTestServer(
    { handlers, defaultBounds: { maxConcurrent: 16, maxWaitMs: 2000, requestsPerSecond: 1e6, burst: 1e6 } },
    keyRing,
  );
  writer = addKey(keyRing);
});
afterAll(() => server.close());

const sendRequest = (sent: TestRequest): Promise<TestResponse> => send(server.port, sent);
const sendText = (text: string): Promise<TestResponse> => sendBytes(server.port, Buffer.from(text, 'latin1'));
const json = ['Content-Type: application/json'];
const receipt =
  '{"reference":"r-1","client_id":"c-1","amount":{"minor_units":100,"currency":"MXN"},"value_date":"2026-11-05"}';
const post = (overrides: Partial<TestRequest> = {}): TestRequest => ({
  method: 'POST',
  target: '/v1/tenants/acme/receipts',
  headers: json,
  body: receipt,
  signer: writer,
  ...overrides,
});
const outcome = ({ status, json: body }: TestResponse): string =>
  body?.code === undefined ? `${status}` : `${status} ${body.code}`;

test.each([
  [[], '415'],
  [['Content-Type:'], '415'],
  [['Content-Type: text/plain'], '415'],
  [['Content-Type: application/json; charset=latin1'], '415'],
  [['Content-Type: application/jsonp'], '415'],
  [['Content-Type: application/json', 'Content-Type: application/json'], '415'],
  [['Content-Type: application/json', 'Content-Encoding: identity'], '415'],
  [['Content-Type: application/json', 'Content-Encoding:'], '415'],
  [['Content-Type: application/json; charset=utf-8'], '201'],
  [['content-type: Application/JSON;charset="UTF-8"'], '201'],
])('a body with the headers %j gets %s', async (headers, status) => {
  expect(String((await sendRequest(post({ headers }))).status)).toBe(status);
});

test.each([
  ['without bytes', '', '400 invalid_body'],
  ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), '400 invalid_body'],
  ['with a duplicate name', receipt.replace('{', '{"reference":"r-1",'), '400 invalid_body'],
  ['that starts with a byte order mark', `\ufeff${receipt}`, '400 invalid_body'],
  [
    'with an amount above the largest exact number',
    receipt.replace('100', '9007199254740993'),
    '422 amount_out_of_range',
  ],
  ['with a fractional amount', receipt.replace('100', '100.5'), '422 invalid_field'],
  [
    'with an amount that only rounds to a whole number',
    receipt.replace('100', '1.00000000000000000001'),
    '422 invalid_field',
  ],
  ['with a whole amount written with a decimal point', receipt.replace('100', '100.0'), '201'],
  ['with a member __proto__', receipt.replace('{', '{"__proto__":{"x":1},'), '422 unknown_field'],
  ['without a required member', receipt.replace('"client_id":"c-1",', ''), '422 missing_field'],
])('a body %s gets %s', async (_, body, answered) => {
  expect(outcome(await sendRequest(post({ body })))).toBe(answered);
});

test('a route accepts bodies up to 1 MiB, the batch route up to 8 MiB', async () => {
  const padded = (bytes: number): string => receipt + ' '.repeat(bytes - receipt.length);
  expect(outcome(await sendRequest(post({ body: padded(1024 * 1024) })))).toBe('201');
  const over = await sendRequest(post({ body: padded(1024 * 1024 + 1) }));
  expect(outcome(over)).toBe('413 body_too_large');
  expect(over.json.details.bound).toBe(1024 * 1024);
  const batch = `{"receipts":[${receipt}]}`;
  const target = '/v1/tenants/acme/receipts/batch';
  expect(outcome(await sendRequest(post({ target, body: batch + ' '.repeat(8 * 1024 * 1024 - batch.length) })))).toBe(
    '200',
  );
});

test('a body declared longer than 8 MiB is refused unread, before the credentials are checked', async () => {
  const headers = [...json, `Content-Length: ${8 * 1024 * 1024 + 1}`];
  const response = await sendRequest({ method: 'POST', target: '/v1/tenants/acme/receipts/batch', headers });
  expect(outcome(response)).toBe('413 body_too_large');
  expect(response.headers['connection']).toBe('close');
  expect(response.headers['server-timing']).toMatch(/^total;dur=[\d.]+$/);
});

test('a body that turns out longer than 8 MiB is refused, and the answer arrives although the rest is not read', async () => {
  const chunk = 'x'.repeat(64 * 1024);
  const framed = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  const head = requestBytes(post({ headers: [...json, 'Transfer-Encoding: chunked'], body: '' }));
  const response = await sendBytes(
    server.port,
    Buffer.concat([head, Buffer.from(framed.repeat(200)), Buffer.from('0\r\n\r\n')]),
  );
  expect(outcome(response)).toBe('413 body_too_large');
});

test('chunks are signed as the bytes they carry', async () => {
  const target = '/v1/tenants/acme/receipts';
  const credential = authorizationHeader(writer, { method: 'POST', target, body: receipt, nowMs: Date.now() });
  const headers = ['POST /v1/tenants/acme/receipts HTTP/1.1', 'Host: x', ...json, 'Transfer-Encoding: chunked'];
  const chunks = [...receipt].map((character) => `1\r\n${character}\r\n`).join('');
  expect(
    outcome(await sendText(`${headers.join('\r\n')}\r\nAuthorization: ${credential}\r\n\r\n${chunks}0\r\n\r\n`)),
  ).toBe('201');
});

test('a body where none is read is signed and otherwise ignored', async () => {
  const target = '/v1/tenants/acme/product-lookup-keys/summer';
  const response = await sendRequest({ method: 'DELETE', target, body: 'no JSON at all', signer: writer });
  expect(response.json).toEqual({ bytes: 14 });
  const tampered = requestBytes({ method: 'DELETE', target, body: 'no JSON at all', signer: writer });
  tampered[tampered.length - 1] = 33;
  expect((await sendBytes(server.port, tampered)).status).toBe(401);
});

test.each([
  'GARBAGE\r\n\r\n',
  'FOO /v1/tenants/acme/bounds HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT lender.example:443 HTTP/1.1\r\nHost: lender.example:443\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /v1 x HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
])('bytes that are not HTTP get the usual refusal: %j', async (bytes) => {
  const response = await sendText(bytes);
  expect(response.status).toBe(400);
  expect(response.json.request_id).toBe(response.headers['request-id']);
  expect(response.headers['contract-version']).toBe('2026-10-15');
  expect(response.headers['connection']).toBe('close');
});

test('a request whose path, query and headers are too long is refused with the limit', async () => {
  const { json } = await sendText(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`);
  const bound = '65536 bytes of path, query and headers together';
  expect(json).toMatchObject({ code: 'invalid_query', details: { bound } });
});

test('a request that arrives too slowly is refused with the times', async () => {
  const socket = new PassThrough();
  answerBrokenRequest(Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  const [, body = ''] = (await readText(socket)).split('\r\n\r\n');
  const bound = 'headers within 20 seconds, the whole request within 60';
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_body', details: { bound } });
});

test.each([
  '*',
  'http://localhost/v1/tenants/acme/loans',
  '//',
  '/%',
  '/?%zz',
  '/\u00ff',
  '/#',
  '/v1/tenants/acme/loans#x',
  // Express cannot parse these.
  'foo://?x',
  'http://[/x',
  '//u@[#x',
  '//a@b:99999#',
  'http://',
])('the unusual request target %s gets the usual refusal', async (target) => {
  const response = await sendRequest({ method: target === '*' ? 'OPTIONS' : 'GET', target });
  expect(outcome(response)).toMatch(/^40[01] /);
  expect(response.headers).toHaveProperty('request-id');
  expect(response.headers).toHaveProperty('server-timing');
});

test('a signature covers the target byte for byte: a changed percent-encoding is refused', async () => {
  const signed = requestBytes({ target: '/v1/tenants/acme/loans?client_id=c%2D1', signer: writer }).toString('latin1');
  expect((await sendText(signed)).status).toBe(200);
  expect((await sendText(signed.replace('c%2D1', 'c-1'))).status).toBe(401);
  expect((await sendText(signed.replace('?client_id', '?&client_id'))).status).toBe(401);
});

test('pipelined requests are answered in order, including a refused one', async () => {
  const three = Buffer.concat([
    requestBytes(post()),
    requestBytes(post({ signer: undefined })),
    requestBytes(post({ body: receipt.replace('r-1', 'r-3') })),
  ]);
  const statuses = await new Promise<string[]>((resolve, reject) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(three));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const found = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);
      if (!text.includes('"r-3"')) return;
      socket.destroy();
      resolve(found);
    });
  });
  expect(statuses).toEqual(['201', '401', '201']);
});

test('a caller that disconnects in the middle of a body does not affect others', async () => {
  const bytes = requestBytes(post());
  await new Promise<void>((closed) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(bytes.subarray(0, bytes.length - 10), () => socket.destroy());
    });
    socket.on('close', () => closed());
  });
  expect(outcome(await sendRequest(post()))).toBe('201');
});

test('an answer that is not JSON keeps its media type', async () => {
  const response = await sendRequest({ target: '/changelog' });
  expect(response.headers['content-type']).toBe('text/html');
  expect(response.text).toBe('<p>');
});

test('a request with a cursor of 20 kB reaches its handler', async () => {
  const target = `/v1/tenants/acme/loans?cursor=${'a'.repeat(20_000)}`;
  expect((await sendRequest({ target, signer: writer })).json.cursor).toHaveLength(20_000);
});

test('a request without Host, or with an unknown expectation, is served', async () => {
  const expecting = await sendRequest({ headers: ['Expect: foo'], signer: writer });
  expect(expecting.status).toBe(200);
  const target = '/v1/tenants/acme/bounds';
  const signed = authorizationHeader(writer, { method: 'GET', target, nowMs: Date.now() });
  const response = await sendText(`GET ${target} HTTP/1.1\r\nAuthorization: ${signed}\r\n\r\n`);
  expect(response.status).toBe(200);
});
