/** Pages that anyone may read: prepared once, revalidated by their tag, and no burden for other callers. */
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { exchange, send, startTestServer, type TestServer } from '#libs/http/testing/server.ts';
import { StaticContent, staticHandler } from './static-content.ts';

const text = '<p>ñandú</p>'.repeat(80_000);
const answered: AnsweredRequest[] = [];
const connections: Socket[] = [];
let server: TestServer;

beforeEach(async () => {
  const handlers = {
    readDocs: staticHandler(text, { type: 'text/html' }),
    readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
  };
  server = await startTestServer({ handlers, observe: (each) => answered.push(each) });
});
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy();
  answered.length = 0;
  await server.close();
});

async function read(...headers: string[]) {
  const lines = ['GET /docs HTTP/1.1', 'Host: x', ...headers, 'Connection: close'];
  const answer = await exchange(server.port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), 'latin1');
  const [head = '', body = ''] = splitOnce(answer, '\r\n\r\n');
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1]?.trim();
  return { status: Number(head.split(' ')[1]), field, body: Buffer.from(body, 'latin1') };
}

function splitOnce(whole: string, separator: string): readonly string[] {
  const at = whole.indexOf(separator);
  return [whole.slice(0, at), whole.slice(at + separator.length)];
}

test.each([
  ['no encoding', [], undefined, (bytes: Buffer) => bytes],
  ['gzip', ['Accept-Encoding: gzip, deflate'], 'gzip', gunzipSync],
  ['Brotli', ['Accept-Encoding: gzip, deflate, br, zstd'], 'br', brotliDecompressSync],
  ['gzip but not Brotli', ['Accept-Encoding: br;q=0, *;q=0.5'], 'gzip', gunzipSync],
  ['only an unknown encoding', ['Accept-Encoding: zstd'], undefined, (bytes: Buffer) => bytes],
])(
  'a caller that accepts %s gets the page in that form, and 304 while its tag is current',
  async (_, headers, encoding, decode) => {
    const first = await read(...headers);
    expect(first.status).toBe(200);
    expect(decode(first.body).toString()).toBe(text);
    expect(first.field('Content-Encoding')).toBe(encoding);
    expect(first.field('Vary')).toBe('Contract-Version, Accept-Encoding');
    const tag = first.field('ETag') as string;
    expect(tag).toMatch(/^"[\w-]+"$/);
    const again = await read(...headers, `If-None-Match: ${tag}`);
    expect([again.status, again.body.length, again.field('ETag')]).toEqual([304, 0, tag]);
    expect((await read('If-None-Match: "other"')).status).toBe(200);
  },
);

test('each encoding has a tag of its own and is prepared once', async () => {
  const content = new StaticContent(text);
  expect(new Set((['br', 'gzip', 'identity'] as const).map((encoding) => content.tag(encoding))).size).toBe(3);
  for (const encoding of ['br', 'gzip', 'identity'] as const) {
    expect(await content.bytes(encoding)).toBe(await content.bytes(encoding));
  }
});

test('callers that request the page again and again and read nothing do not delay others', async () => {
  const requests = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const connection = connect(server.port, '127.0.0.1').on('error', () => undefined);
      connections.push(connection);
      await new Promise((written) => connection.write(requests, written));
    }),
  );
  while (answered.length === 0) await new Promise(setImmediate);
  expect((await send(server.port, { target: '/livez' })).status).toBe(200);
  expect(answered.length).toBeLessThan(8 * 20);
});
