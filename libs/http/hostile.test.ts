import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorize, type Signer } from '#libs/auth/sign.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
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
} from '#libs/http/testing/server.ts';

const handlers: RouteHandlers = {
  reportReceipt: ({ body }) => ({ status: 201, body }),
  reportReceipts: ({ body }) => ({ status: 200, body: { count: body.receipts.length } }),
  readReceipt: ({ params }) => ({ status: 200, body: params }),
  listLoans: ({ query }) => ({ status: 200, body: query }),
  removeLookupKey: ({ evidence }) => ({ status: 200, body: { bytes: evidence.body.length } }),
  readChangelog: () => ({ status: 200, text: '<p>', type: 'text/html' }),
};

let served: Served;
let writer: Signer;
const ring = twoTenancies();

beforeAll(async () => {
  served = await serve({ handlers, bounds: { concurrent: 16, patienceMs: 2000, perSecond: 1e6, burst: 1e6 } }, ring);
  writer = addKey(ring);
});
afterAll(() => served.close());

const ask = (sent: Sent): Promise<Got> => send(served.port, sent);
const raw = (text: string): Promise<Got> => exchange(served.port, Buffer.from(text, 'latin1'));
const json = ['Content-Type: application/json'];
const receipt =
  '{"reference":"r-1","client_id":"c-1","amount":{"minor_units":100,"currency":"MXN"},"value_date":"2026-11-05"}';
const post = (more: Partial<Sent> = {}): Sent => ({
  method: 'POST',
  target: '/v1/tenants/acme/receipts',
  headers: json,
  body: receipt,
  signer: writer,
  ...more,
});
const verdict = ({ status, json: told }: Got): string =>
  told?.code === undefined ? `${status}` : `${status} ${told.code}`;

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
])('a body under the headers %j is answered %s', async (headers, status) => {
  expect(String((await ask(post({ headers }))).status)).toBe(status);
});

test.each([
  ['of no bytes', '', '400 invalid_body'],
  ['of bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), '400 invalid_body'],
  ['with a name stated twice', receipt.replace('{', '{"reference":"r-1",'), '400 invalid_body'],
  ['with a mark before it', `\ufeff${receipt}`, '400 invalid_body'],
  ['of too long an amount', receipt.replace('100', '9007199254740993'), '422 amount_out_of_range'],
  ['of an amount with a fraction', receipt.replace('100', '100.5'), '422 invalid_field'],
  [
    'of an amount that only rounds to a whole one',
    receipt.replace('100', '1.00000000000000000001'),
    '422 invalid_field',
  ],
  ['of a whole amount written with a point', receipt.replace('100', '100.0'), '201'],
  ['of a prototype', receipt.replace('{', '{"__proto__":{"x":1},'), '422 unknown_field'],
  ['of an inherited name in place of a member', receipt.replace('"client_id":"c-1",', ''), '422 missing_field'],
])('a body %s is answered %s', async (_, body, answered) => {
  expect(verdict(await ask(post({ body })))).toBe(answered);
});

test('a route takes a mebibyte and not a byte more, the batch eight', async () => {
  const padded = (bytes: number): string => receipt + ' '.repeat(bytes - receipt.length);
  expect(verdict(await ask(post({ body: padded(1024 * 1024) })))).toBe('201');
  const over = await ask(post({ body: padded(1024 * 1024 + 1) }));
  expect(verdict(over)).toBe('413 body_too_large');
  expect(over.json.details.bound).toBe(1024 * 1024);
  const batch = `{"receipts":[${receipt}]}`;
  const target = '/v1/tenants/acme/receipts/batch';
  expect(verdict(await ask(post({ target, body: batch + ' '.repeat(8 * 1024 * 1024 - batch.length) })))).toBe('200');
});

test('a body declared longer than eight mebibytes is refused at once, unread and unsigned', async () => {
  const headers = [...json, `Content-Length: ${8 * 1024 * 1024 + 1}`];
  const got = await ask({ method: 'POST', target: '/v1/tenants/acme/receipts/batch', headers });
  expect(verdict(got)).toBe('413 body_too_large');
  expect(got.headers['connection']).toBe('close');
  expect(got.headers['server-timing']).toMatch(/^total;dur=[\d.]+$/);
});

test('a body found longer than eight mebibytes is refused, and the answer arrives though the rest was never read', async () => {
  const chunk = 'x'.repeat(64 * 1024);
  const framed = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  const head = written(post({ headers: [...json, 'Transfer-Encoding: chunked'], body: '' }));
  const got = await exchange(
    served.port,
    Buffer.concat([head, Buffer.from(framed.repeat(200)), Buffer.from('0\r\n\r\n')]),
  );
  expect(verdict(got)).toBe('413 body_too_large');
});

test('chunks are signed as the bytes they carry', async () => {
  const target = '/v1/tenants/acme/receipts';
  const credential = authorize(writer, { method: 'POST', target, body: receipt, nowMs: Date.now() });
  const headers = ['POST /v1/tenants/acme/receipts HTTP/1.1', 'Host: x', ...json, 'Transfer-Encoding: chunked'];
  const chunks = [...receipt].map((character) => `1\r\n${character}\r\n`).join('');
  expect(verdict(await raw(`${headers.join('\r\n')}\r\nAuthorization: ${credential}\r\n\r\n${chunks}0\r\n\r\n`))).toBe(
    '201',
  );
});

test('a body where none is read is signed and otherwise ignored', async () => {
  const target = '/v1/tenants/acme/product-lookup-keys/summer';
  const got = await ask({ method: 'DELETE', target, body: 'no JSON at all', signer: writer });
  expect(got.json).toEqual({ bytes: 14 });
  const tampered = written({ method: 'DELETE', target, body: 'no JSON at all', signer: writer });
  tampered[tampered.length - 1] = 33;
  expect((await exchange(served.port, tampered)).status).toBe(401);
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
])('bytes that are no request are answered in the one form: %j', async (bytes) => {
  const got = await raw(bytes);
  expect(got.status).toBe(400);
  expect(got.json.request_id).toBe(got.headers['request-id']);
  expect(got.headers['contract-version']).toBe('2026-10-15');
  expect(got.headers['connection']).toBe('close');
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
  // Of these Express can tell no path.
  'foo://?x',
  'http://[/x',
  'http://',
])('a target as strange as %s is answered by the door, in the one form', async (target) => {
  const got = await ask({ method: target === '*' ? 'OPTIONS' : 'GET', target });
  expect(verdict(got)).toMatch(/^40[01] /);
  expect(got.headers).toHaveProperty('request-id');
  expect(got.headers).toHaveProperty('server-timing');
});

test('a signature covers the target byte for byte, so that an encoding changed on the way is refused', async () => {
  const signed = written({ target: '/v1/tenants/acme/loans?client_id=c%2D1', signer: writer }).toString('latin1');
  expect((await raw(signed)).status).toBe(200);
  expect((await raw(signed.replace('c%2D1', 'c-1'))).status).toBe(401);
  expect((await raw(signed.replace('?client_id', '?&client_id'))).status).toBe(401);
});

test('requests on one line are answered in their order, a refused one between them', async () => {
  const three = Buffer.concat([
    written(post()),
    written(post({ signer: undefined })),
    written(post({ body: receipt.replace('r-1', 'r-3') })),
  ]);
  const statuses = await new Promise<string[]>((resolve, reject) => {
    let text = '';
    const socket = connect(served.port, '127.0.0.1', () => socket.write(three));
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

test('who goes away in the middle of a body leaves nothing behind', async () => {
  const bytes = written(post());
  await new Promise<void>((gone) => {
    const socket = connect(served.port, '127.0.0.1', () => {
      socket.write(bytes.subarray(0, bytes.length - 10), () => socket.destroy());
    });
    socket.on('close', () => gone());
  });
  expect(verdict(await ask(post()))).toBe('201');
});

test('text that is not JSON keeps its own type', async () => {
  const got = await ask({ target: '/changelog' });
  expect(got.headers['content-type']).toBe('text/html');
  expect(got.text).toBe('<p>');
});

test('a request with a cursor of twenty kilobytes reaches whoever reads cursors', async () => {
  const target = `/v1/tenants/acme/loans?cursor=${'a'.repeat(20_000)}`;
  expect((await ask({ target, signer: writer })).json.cursor).toHaveLength(20_000);
});

test('a request is served without a Host, and whatever it expects beside an answer', async () => {
  const expecting = await ask({ headers: ['Expect: foo'], signer: writer });
  expect(expecting.status).toBe(200);
  const target = '/v1/tenants/acme/bounds';
  const signed = authorize(writer, { method: 'GET', target, nowMs: Date.now() });
  const got = await raw(`GET ${target} HTTP/1.1\r\nAuthorization: ${signed}\r\n\r\n`);
  expect(got.status).toBe(200);
});
