import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { inProcessCommands } from '../testing/in-process-commands.ts';

/** Only `ada` is registered, and no Receipt is recorded. */
const service = createServer(({ url = '' }, response) => {
  const path = url.replace(/^\/v1\/tenants\/demo/, '').replace(/\?.*/, '');
  const isFound = path === '/clients/ada' || path.endsWith('/receipts');
  const refusal = { error: 'It does not exist.', code: 'not_found', retry: 'after_change' };
  response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isFound ? { receipts: [] } : refusal));
});
const folder = mkdtempSync(join(tmpdir(), 'lending-receipts-'));
let address = '';
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

const { run } = inProcessCommands(() => {
  process.env['LENDING_URL'] = address;
  process.env['LENDING_KEY'] = generateKey('test').secret;
  process.env['LENDING_TENANT'] = 'demo';
});

test.each([
  ['CSV', []],
  ['JSON', ['--json']],
])('no %s is written for a Client that is not registered', async (_form, words) => {
  const output = join(folder, 'typo.csv');
  const refused = await run(['receipts', 'export', '--client', 'typo', '--output', output, ...words]);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no Client typo in the Tenancy demo'),
  });
  expect(existsSync(output)).toBe(false);
});

test('the file of a Client without Receipts has the columns alone', async () => {
  const output = join(folder, 'ada.csv');
  expect(await run(['receipts', 'export', '--client', 'ada', '--output', output])).toMatchObject({ code: undefined });
  expect(readFileSync(output, 'utf8')).toMatch(/^reference,client_id,[a-z_,]+\n$/);
});
