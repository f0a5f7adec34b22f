import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { call, sendCall } from './call.ts';

const secret = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;
const before = { ...process.env };

beforeEach(() => {
  process.env['LENDING_URL'] = 'http://127.0.0.1:1';
  process.env['LENDING_KEY'] = secret;
});

afterEach(() => {
  process.env = { ...before };
});

test('a path that does not begin at the root is told before anything is sent', async () => {
  await expect(sendCall.run({ positionals: ['GET', 'v1/tenants/demo/bounds'], options: {} })).rejects.toThrow(
    'PATH begins with /, as in /v1/tenants/demo/bounds: not "v1/tenants/demo/bounds"',
  );
});

test('where nobody listens, the address is told and why', async () => {
  const baseUrl = `http://127.0.0.1:${await portNobodyListensOn()}`;
  const asked = { baseUrl, secret, method: 'GET', target: '/livez', body: undefined, nowMs: Date.now() };
  await expect(call(asked)).rejects.toThrow(`${baseUrl} does not answer: ECONNREFUSED`);
});

async function portNobodyListensOn(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  await new Promise((closed) => server.close(closed));
  return address.port;
}
