import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainRequest } from './plain-request.ts';

const posted = 'POST /v1/x?a=b HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody';
const asked = 'GET /v1/x HTTP/1.1\r\nHost: h\r\n\r\n';

test.each([
  [posted, { method: 'POST', url: '/v1/x?a=b', rawHeaders: ['Host', 'h', 'Content-Length', '4'] }],
  [asked, { method: 'GET', url: '/v1/x', rawHeaders: ['Host', 'h'] }],
  [asked.replace('Host: h', 'Host:\t h \t'), { method: 'GET', url: '/v1/x', rawHeaders: ['Host', 'h'] }],
  [
    asked.replace('Host: h', 'A:\r\nA: a:b\r\nConnection: Keep-Alive'),
    { method: 'GET', url: '/v1/x', rawHeaders: ['A', '', 'A', 'a:b', 'Connection', 'Keep-Alive'] },
  ],
])('%j is plain', (text, request) => {
  expect(plainRequest(Buffer.from(text, 'latin1'))).toEqual(request);
});

test.each([
  ['its end is missing', posted.slice(0, -1)],
  ['another begins behind it', posted + asked],
  ['its head has no end', asked.slice(0, -1)],
  ['it is the end of another', `x${asked}`],
  ['a method no route has', asked.replace('GET', 'PATCH')],
  ['a head is asked for alone', asked.replace('GET', 'HEAD')],
  ['a tunnel', asked.replace('GET /v1/x', 'CONNECT h:1')],
  ['a target of another form', asked.replace(' /', ' ')],
  ['another HTTP', asked.replace('1.1', '1.0')],
  ['no header', 'GET /v1/x HTTP/1.1\r\n\r\n'],
  ['it closes the line', asked.replace('Host: h', 'Connection: close')],
  ['it wants another protocol', asked.replace('Host: h', 'Upgrade: h2c')],
  ['it waits to be told to go on', posted.replace('Host: h', 'Expect: 100-continue')],
  ['its body comes in chunks', asked.replace('Host: h', 'transfer-encoding: chunked')],
  ['two lengths', posted.replace('Host: h', 'content-length: 4')],
  ['a length that is none', posted.replace(': 4', ': +4')],
  ['a folded header', asked.replace('Host: h', 'Host: h\r\n more')],
  ['a name with a space', asked.replace('Host', 'Host ')],
  ['a character no header has', asked.replace(': h', ': h\0')],
  ['a lone end of line', asked.replace(': h', ': h\nA: b')],
  ['letters of no alphabet', asked.replace(': h', ': é')],
  ['more headers than Node reads', asked.replace('Host: h', `${'A:\r\n'.repeat(1_000)}A:`)],
  ['a long head', asked.replace(': h', `: ${'h'.repeat(9_000)}`)],
])('%s: for who reads HTTP in full', (_, text) => {
  expect(plainRequest(Buffer.from(text, 'latin1'))).toBeUndefined();
});

type Heard = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> & { readonly body: string };

let server: Server;
let heard: Heard[] = [];
beforeAll(async () => {
  server = createServer({ requireHostHeader: false }, async (request, response) => {
    const { method, url, rawHeaders } = request;
    let body = '';
    for await (const piece of request.setEncoding('latin1')) body += piece;
    heard.push({ method, url, rawHeaders, body });
    response.end();
  });
  server.on('connect', (_, socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
});

/** All that Node reads of the bytes. */
async function readInFull(bytes: Buffer): Promise<readonly Heard[]> {
  heard = [];
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.resume().end(bytes);
  await once(socket, 'close');
  return heard;
}

const parts: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    posted,
    asked,
    'A: b\r\n',
    '\r\n',
    'body',
    'Content-Length: 4\r\n',
    'Content-Length: 31\r\n',
    'GET / HTTP/1.1\r\n',
  ],
  ...['Connection: close\r\n', 'Upgrade: x\r\n', 'Transfer-Encoding: chunked\r\n', 'Expect: x\r\n'],
);
const assembled = fc.array(parts, { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
const any: fc.Arbitrary<string> = fc.oneof(
  fc.nat(255).map((code) => String.fromCharCode(code)),
  parts,
);
/** A request with a character here or there that is another, or is more than one. */
const altered = fc
  .tuple(fc.constantFrom(posted, asked), fc.array(fc.tuple(fc.nat(80), any, fc.nat(1)), { maxLength: 3 }))
  .map(([whole, changes]) =>
    changes.reduce<string>((text, [at, other, out]) => text.slice(0, at) + other + text.slice(at + out), whole),
  );

test('what is read as plain is what Node reads, all of it and nothing else', async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(assembled, altered), async (text) => {
      const bytes = Buffer.from(text, 'latin1');
      const request = plainRequest(bytes);
      if (request === undefined) return;
      plain += 1;
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      expect(await readInFull(bytes)).toEqual([{ ...request, body }]);
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(500);
});
