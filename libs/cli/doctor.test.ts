import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { runCommandLine } from './command-line.ts';

const environment = { ...process.env };
const { exitCode } = process;
const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);

beforeEach(() => {
  process.exitCode = undefined;
  for (const name of ['URL', 'KEY', 'KEY_FILE', 'TENANT', 'PROFILE']) delete process.env[`LENDING_${name}`];
  process.env['LENDING_CONFIG'] = '/nowhere/lending.json';
});
afterEach(() => {
  process.env = { ...environment };
  process.exitCode = exitCode;
  out.mockReset();
});

async function checks(env: Record<string, string>): Promise<string[][]> {
  Object.assign(process.env, env);
  await runCommandLine(['doctor', '--json']);
  expect(process.exitCode).toBe(1);
  const printed: { check: string; ok: boolean; found: string }[] = JSON.parse(String(out.mock.calls[0]?.[0]));
  return printed.map(({ check, ok, found }) => [check, ok ? 'ok' : found]);
}

const caller = { LENDING_KEY: generateKey('test').secret, LENDING_TENANT: 'demo' };

test('every check reports where nothing is given', async () => {
  expect(await checks({})).toEqual([
    ['Address', 'none is given'],
    ['Service', 'not checked, because of Address'],
    ['Clock', 'not checked, because of Address'],
    ['Key', 'none is given'],
    ['Tenancy', 'none is given'],
    ['Signed read', 'not checked, because of Service and Key and Tenancy'],
    ['Contract', 'not checked, because of Service and Key and Tenancy'],
  ]);
});

test('a Tenancy id that cannot exist is a fault', async () => {
  const found = await checks({ ...caller, LENDING_TENANT: 'a/b' });
  expect(found[4]).toEqual(['Tenancy', '"a/b"']);
});

test('every check reports where the key cannot be read and nothing listens', async () => {
  const closed = createServer();
  await once(closed.listen(0, '127.0.0.1'), 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const found = await checks({
    ...caller,
    LENDING_URL: `http://127.0.0.1:${port}`,
    LENDING_KEY: '',
    LENDING_KEY_FILE: '/gone',
  });
  expect(found.slice(1, 4)).toEqual([
    ['Service', expect.stringContaining('ECONNREFUSED')],
    ['Clock', 'not checked, because of Service'],
    ['Key', expect.stringContaining('LENDING_KEY_FILE is "/gone", which cannot be read')],
  ]);
});

test('every check reports where the service closes each connection of a signed request', async () => {
  const service = createServer((request, response) => {
    if (request.url === '/livez') response.end();
    // The head arrives, the body does not.
    else response.writeHead(200, { 'Content-Length': 10 }).write('{', () => request.socket.destroy());
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const found = await checks({ ...caller, LENDING_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
  service.close();
  expect(found.slice(1, 5).map(([, state]) => state)).toEqual([expect.anything(), 'ok', 'ok', 'ok']);
  expect(found.slice(5)).toEqual([
    ['Signed read', 'the connection was closed before an answer'],
    ['Contract', 'the connection was closed before an answer'],
  ]);
});
