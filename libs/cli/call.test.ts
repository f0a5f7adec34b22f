import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Route } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import { authorize, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { call, mustHaveBody, sendCall } from './call.ts';
import { UsageError } from './command.ts';

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

test.each([
  [['fetch', '/livez'], 'METHOD is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS: not "fetch"'],
  [['POST', '/v1/tenants/demo/receipts'], 'BODY is missing'],
  [['put', '/v1/tenants/demo/clients/ada'], 'BODY is missing'],
  [['GET', '/livez', '{}'], 'GET takes no BODY'],
])('%j is told what is wrong with it before anything is sent', async (positionals, said) => {
  await expect(sendCall.run({ positionals, options: {} })).rejects.toThrow(new UsageError(said));
});

test('the methods that must have a body are those of the routes that read one', () => {
  for (const { method, path, body } of Object.values<Route>(routes)) {
    expect({ method, path, reads: body !== undefined }).toEqual({ method, path, reads: mustHaveBody.has(method) });
  }
});

test('where nobody listens, the address is told and why', async () => {
  const baseUrl = `http://127.0.0.1:${await portNobodyListensOn()}`;
  const asked = { baseUrl, secret, method: 'GET', target: '/livez', body: undefined, nowMs: Date.now() };
  await expect(call(asked)).rejects.toThrow(`${baseUrl} does not answer: ECONNREFUSED`);
});

describe('an answer', () => {
  const sent = '{"code":"not_found","rate":1.50}';
  let asked: IncomingMessage;
  const service = createHttpServer((request, response) => {
    asked = request;
    response.end(sent);
  });
  const { isTTY } = process.stdout;
  const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const status = jest.spyOn(console, 'error').mockImplementation(() => undefined);

  beforeEach(async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
    process.env['LENDING_URL'] = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    process.stdout.isTTY = isTTY;
    out.mockReset();
    status.mockReset();
    service.closeAllConnections();
    await new Promise((closed) => service.close(closed));
  });

  const indented = '{\n  "code": "not_found",\n  "rate": 1.50\n}';
  test.each([
    ['as it came where a program reads it', false, {}, sent],
    ['indented where a person reads it', true, {}, indented],
    ['indented where somebody asks for it', false, { pretty: true }, indented],
  ])('is printed %s', async (_how, isTerminal, options, printed) => {
    process.stdout.isTTY = isTerminal;
    await sendCall.run({ positionals: ['GET', '/v1/tenants/demo/bounds'], options });
    expect(out.mock.calls).toEqual([[printed]]);
    expect(status.mock.calls).toEqual([[200]]);
  });

  test('is to the method as it was signed, however it was typed', async () => {
    const target = '/v1/tenants/demo/product-lookup-keys/x';
    await sendCall.run({ positionals: ['delete', target], options: {} });
    expect(asked.method).toBe('DELETE');
    const [, ts, signed] = /ts=(\d+),sig=(.+)$/.exec(String(asked.headers.authorization)) ?? [];
    const signer = signerFromText(secret) as Signer;
    const again = authorize(signer, { method: 'DELETE', target, body: undefined, nowMs: Number(ts) * 1_000 });
    expect(again).toMatch(new RegExp(`sig=${signed}$`));
  });
});

async function portNobodyListensOn(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  await new Promise((closed) => server.close(closed));
  return address.port;
}
