/** What follows a request on its connection must not change its answer (RFC 9112, 9.3.2). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Signer } from '#libs/auth/signer.ts';
import {
  addKey,
  exchange,
  keyRingOfTwoTenancies,
  requestBytes,
  send,
  startTestServer,
  type TestServer,
} from '#libs/http/testing/server.ts';

const keyRing = keyRingOfTwoTenancies();
const waiting: (() => void)[] = [];
let server: TestServer;
let writer: Signer;

beforeAll(async () => {
  const registerClient = async () => {
    await new Promise<void>((finish) => waiting.push(finish));
    return { status: 201, body: {} };
  };
  server = await startTestServer({ handlers: { registerClient, readLiveness: () => ({ status: 200 }) } }, keyRing);
  writer = addKey(keyRing);
});
afterAll(() => server.close());

const body = '{"actor":"ana","basis":"walked in"}';
const registration = (name: string): Buffer =>
  requestBytes({
    method: 'PUT',
    target: `/v1/tenants/acme/clients/${name}`,
    headers: ['Content-Type: application/json'],
    body,
    signer: writer,
  });

const statusesIn = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);

async function finishAfter(count: number): Promise<void> {
  while (waiting.length < count) await send(server.port, { target: '/livez' });
  for (const finish of waiting.splice(0)) finish();
}

const chunkedHead = 'POST /v1/tenants/acme/receipts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';

test.each([
  ['an invalid byte', '\0'],
  ['a malformed request line', 'GARBAGE\r\n\r\n'],
  ['a header with an invalid name', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n'],
  ['a CONNECT request', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a write followed in the same segment by %s is answered, then the rest gets 400', async (_, followUp) => {
  const answers = exchange(server.port, Buffer.concat([registration('ana'), Buffer.from(followUp, 'latin1')]));
  await finishAfter(1);
  expect(statusesIn(await answers)).toEqual(['201', '400']);
  expect(await answers).toMatch(/Connection: close\r\n\r\n\{[^}]*"code":"invalid_query".*\}$/);
});

test('a request with a malformed body gets 400 after the answer of the write before it', async () => {
  const signed = requestBytes({
    method: 'PUT',
    target: '/v1/tenants/acme/clients/bea',
    headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    body: 'no chunk size\r\n',
    signer: writer,
  });
  const answers = exchange(server.port, Buffer.concat([registration('ana'), signed]));
  await finishAfter(1);
  expect(statusesIn(await answers)).toEqual(['201', '400']);
  expect(await answers).toContain('"code":"invalid_body"');
});

test('a request that was refused before its malformed body has one answer', async () => {
  const refused = Buffer.from(`${chunkedHead}\r\nno chunk size\r\n`);
  const answers = exchange(server.port, Buffer.concat([registration('ana'), refused]));
  await finishAfter(1);
  expect(statusesIn(await answers)).toEqual(['201', '401']);
});

test('several writes before a malformed request are all answered, in their order', async () => {
  const writes = ['ana', 'bea', 'cleo'].map(registration);
  const answers = exchange(server.port, Buffer.concat([...writes, Buffer.from('GARBAGE\r\n\r\n')]));
  await finishAfter(3);
  expect(statusesIn(await answers)).toEqual(['201', '201', '201', '400']);
});

test('more malformed bytes while the write is decided change nothing', async () => {
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
  let answers = '';
  socket.on('data', (chunk: string) => {
    answers += chunk;
  });
  socket.write(Buffer.concat([registration('ana'), Buffer.from('GARBAGE\r\n\r\n')]));
  while (waiting.length === 0) {
    socket.write('MORE\r\n\r\n');
    await send(server.port, { target: '/livez' });
  }
  await finishAfter(1);
  await once(socket, 'end');
  expect(statusesIn(answers)).toEqual(['201', '400']);
});
