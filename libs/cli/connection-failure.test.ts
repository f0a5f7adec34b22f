import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { runCommandLine } from './command-line.ts';
import { explainFailure } from './connection-failure.ts';

const environment = { ...process.env };
const { exitCode } = process;
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);

beforeEach(() => {
  Object.assign(process.env, {
    LENDING_KEY: generateKey('test').secret,
    LENDING_TENANT: 'demo',
    LENDING_CONFIG: '/nowhere/lending.json',
  });
});
afterEach(() => {
  process.env = { ...environment };
  process.exitCode = exitCode;
  err.mockReset();
});

async function portOf(behaviour: 'closes' | 'refuses'): Promise<{ url: string; stop: () => void }> {
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  if (behaviour === 'refuses') server.close();
  return { url: `http://127.0.0.1:${address.port}`, stop: () => void server.close() };
}

const commands = [
  ['call', 'GET', '/v1/tenants/demo/bounds'],
  ['client', 'show', 'ada', '--on', '2026-03-20'],
  ['client', 'export'],
  ['events', 'follow'],
  ['tail'],
];

test.each(commands)('%s %s says at once that nothing listens, where, and what to do', async (...args) => {
  const { url } = await portOf('refuses');
  process.env['LENDING_URL'] = url;
  await runCommandLine(args);
  expect(process.exitCode).toBe(1);
  expect(err.mock.calls).toEqual([
    [
      `${url} does not answer: ECONNREFUSED, the connection was refused: nothing listens there.\nCheck the address, or start the service; --patience 30s waits for it.`,
    ],
  ]);
});

test('a port that is not the service is reported at once', async () => {
  const { url, stop } = await portOf('closes');
  process.env['LENDING_URL'] = url;
  await runCommandLine(['client', 'show', 'ada', '--on', '2026-03-20']);
  stop();
  expect(err.mock.calls.join()).toContain('the connection was closed before an answer.\nCheck that the port');
});

test.each([
  ['ENOTFOUND', 'no such host is known'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'an authority that is not trusted here'],
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak HTTPS'],
])('%s inside of "fetch failed" is explained, and nothing was sent', (code, reason) => {
  const inner = Object.assign(new Error('inner'), { code });
  const failure = explainFailure(new TypeError('fetch failed', { cause: new AggregateError([inner]) }));
  expect(failure).toMatchObject({ code, isBeforeSending: true, hint: expect.stringMatching(/\.$/) });
  expect(failure.reason).toContain(reason);
});

test('an unknown cause is given in its own words, and something may have been sent', () => {
  const failure = explainFailure(new TypeError('fetch failed', { cause: new Error('bad port') }));
  expect(failure).toEqual({ code: undefined, reason: 'bad port', hint: undefined, isBeforeSending: false });
});
