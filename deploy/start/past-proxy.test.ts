import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pastProxy } from './past-proxy.ts';

const service = createServer((_request, response) => response.end('answered'));
let url: string;
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

const source = `
import { pastProxy } from '${join(import.meta.dirname, 'past-proxy.ts')}';
Object.assign(process.env, pastProxy(process.env, '%'));
console.log(await (await fetch('%')).text());
`;

/** Asked by a process that takes the proxy of its environment; nobody listens at that one. */
async function asked(noProxy: Record<string, string>): Promise<string> {
  const { NO_PROXY: _one, no_proxy: _other, ...rest } = process.env;
  const env = { ...rest, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', ...noProxy };
  const args = ['--input-type=module-typescript', '-e', source.replaceAll('%', url)];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
}

test.each([{}, { NO_PROXY: '*' }, { no_proxy: 'inside.example' }])(
  'what runs on this machine is asked itself, whatever else is with %p',
  async (noProxy) => {
    expect(await asked(noProxy)).toBe('answered');
  },
);

test('what was excepted before stays so', () => {
  expect(pastProxy({ NO_PROXY: 'inside.example' }, url)['NO_PROXY']).toBe('inside.example,127.0.0.1');
});
