import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Route } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { methodsWithBody } from './call.ts';
import { sendSigned } from './caller.ts';
import { runCommandLine } from './command-line.ts';
import { remedyOf } from './format-error.ts';

const secret = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;
const before = { ...process.env };

beforeEach(() => {
  process.env['LENDING_URL'] = 'http://127.0.0.1:1';
  process.env['LENDING_KEY'] = secret;
  process.env['LENDING_CONFIG'] = '/nowhere/lending.json';
});

afterEach(() => {
  process.env = { ...before };
});

test('a body is required for the methods whose routes read one', () => {
  for (const { method, path, body } of Object.values<Route>(routes)) {
    expect({ method, path, reads: body !== undefined }).toEqual({ method, path, reads: methodsWithBody.has(method) });
  }
});

test('a call to a closed port names the address and the reason', async () => {
  const baseUrl = `http://127.0.0.1:${await closedPort()}`;
  const signer = parseSigner(secret) as Signer;
  await expect(sendSigned({ baseUrl, signer }, 'GET', '/livez')).rejects.toThrow(
    `${baseUrl} does not answer: ECONNREFUSED`,
  );
});

describe('a response', () => {
  const responseBody = '{"code":"not_found","rate":1.50}';
  let received: IncomingMessage;
  let busy: readonly string[] = [];
  let refusal: string | undefined;
  const service = createHttpServer((request, response) => {
    received = request;
    const [retryAfter, ...rest] = busy;
    busy = rest;
    if (retryAfter !== undefined) response.writeHead(429, { 'Retry-After': retryAfter });
    if (refusal !== undefined) response.writeHead(404);
    response.end(refusal ?? responseBody);
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
    ['unchanged when piped', false, [], responseBody],
    ['indented on a terminal', true, [], indented],
    ['indented with --pretty', false, ['--pretty'], indented],
  ])('is printed %s', async (_how, isTerminal, options, printed) => {
    process.stdout.isTTY = isTerminal;
    await runCommandLine(['call', 'GET', '/v1/tenants/demo/bounds', ...options]);
    expect(out.mock.calls).toEqual([[printed]]);
    expect(status.mock.calls).toEqual([[200]]);
  });

  test.each(['0', new Date(0).toUTCString(), 'soon'])(
    'of a busy service is waited for with --patience, whatever its Retry-After says: %s',
    async (retryAfter) => {
      busy = [retryAfter, retryAfter];
      await runCommandLine(['call', 'GET', '/v1/tenants/demo/bounds', '--patience', '30s']);
      expect(status.mock.calls).toEqual([[200]]);
    },
  );

  test('of a service that is busy for longer than --patience is printed', async () => {
    busy = [new Date(Date.now() + 3_600_000).toUTCString()];
    await runCommandLine(['call', 'GET', '/v1/tenants/demo/bounds', '--patience', '30s']);
    expect(status.mock.calls).toEqual([[429]]);
  });

  test.each([
    [[], [[404], [remedyOf('no_receipt')]]],
    [['--json'], [[404]]],
  ])('that refuses is printed as it is, and beside it what to do: %j', async (options, printed) => {
    refusal = '{"error":"There is no such Receipt.","code":"no_receipt","retry":"after_record"}';
    await runCommandLine(['call', 'GET', '/v1/tenants/demo/receipts/r-1', ...options]);
    expect(out.mock.calls).toEqual([[refusal]]);
    expect(status.mock.calls).toEqual(printed);
    refusal = undefined;
  });

  test('belongs to a write whose Idempotency-Key is signed with it', async () => {
    const target = '/v1/tenants/demo/product-configurations';
    await runCommandLine(['call', 'POST', target, '{}', '--idempotency-key', 'product-7']);
    expect(received.headers['idempotency-key']).toBe('product-7');
    expectSignature({ method: 'POST', target, body: '{}', idempotencyKey: 'product-7' });
  });

  test('belongs to the signed method, also when it was typed in lower case', async () => {
    const target = '/v1/tenants/demo/product-lookup-keys/x';
    await runCommandLine(['call', 'delete', target]);
    expect(received.method).toBe('DELETE');
    expectSignature({ method: 'DELETE', target, body: undefined });
  });

  function expectSignature(request: Omit<Parameters<typeof authorizationHeader>[1], 'nowMs'>): void {
    const [, ts, signature] = /ts=(\d+),sig=(.+)$/.exec(String(received.headers.authorization)) ?? [];
    const signed = authorizationHeader(parseSigner(secret) as Signer, { ...request, nowMs: Number(ts) * 1_000 });
    expect(signed).toMatch(new RegExp(`sig=${signature}$`));
  }
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  await new Promise((closed) => server.close(closed));
  return address.port;
}
