import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { sendSigned } from './caller.ts';
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

async function portOf(behaviour: 'closes' | 'refuses' | 'waits'): Promise<{ url: string; stop: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void (behaviour === 'waits' ? sockets.push(socket) : socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  if (behaviour === 'refuses') server.close();
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${address.port}`, stop };
}

const commands = [
  ['call', 'GET', '/v1/tenants/demo/bounds'],
  ['client', 'show', 'ada', '--on', '2026-03-20'],
  ['client', 'export'],
  ['loan', 'show', '--reference', 'loan-1', '--on', '2026-03-20'],
  ['receipts', 'export'],
  ['request', 'show', 'my-request'],
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

test.each(commands)('%s %s reports at once a port that is not the service', async (...args) => {
  const { url, stop } = await portOf('closes');
  process.env['LENDING_URL'] = url;
  await runCommandLine(args);
  stop();
  expect(err.mock.calls.join()).toContain('the connection was closed before an answer.\nCheck that the port');
});

const failureOf = (fields: object) =>
  explainFailure(
    new TypeError('fetch failed', { cause: new AggregateError([Object.assign(new Error('inner'), fields)]) }),
  );

test.each<[object, string]>([
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'no such host is known'],
  [{ code: 'ETIMEDOUT', syscall: 'connect' }, 'no reply came in time'],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'an authority that is not trusted here'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'has expired'],
])('%j inside of "fetch failed" is explained, and nothing was sent', (fields, reason) => {
  expect(failureOf(fields)).toMatchObject({
    isBeforeSending: true,
    reason: expect.stringContaining(reason),
    hint: expect.stringMatching(/\.$/),
  });
});

test.each<[object]>([
  [{ code: 'ETIMEDOUT', syscall: 'read' }],
  [{ code: 'EHOSTUNREACH', syscall: 'write' }],
  [{ code: 'ECONNRESET', syscall: 'read' }],
  [{ code: 'UND_ERR_SOCKET' }],
  [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
])('%j may come after the request was sent', (fields) => {
  expect(failureOf(fields)).toMatchObject({ isBeforeSending: false, hint: expect.stringMatching(/\.$/) });
});

test('an answer that does not come in time is reported with the limit, and something may have been recorded', async () => {
  const { url: baseUrl, stop } = await portOf('waits');
  const signer = parseSigner(generateKey('test').secret) as Signer;
  const failed = await sendSigned({ baseUrl, signer }, 'GET', '/livez', { timeoutMs: 50 }).catch((cause) => cause);
  stop();
  expect(failed.message).toBe(
    `${baseUrl} does not answer: no answer within 0.05 s.\nThe service may be overloaded: run the command again. What was sent may be recorded; the same reference keeps it from being recorded twice.`,
  );
  expect(failed.failure).toMatchObject({ isBeforeSending: false });
});

test('an unknown cause is given in its own words with a general hint, and something may have been sent', () => {
  const failure = explainFailure(new TypeError('fetch failed', { cause: new Error('bad port') }));
  const hint = 'Check the address, the network and the proxies in between, then run the command again.';
  expect(failure).toEqual({ code: undefined, reason: 'bad port', hint, isBeforeSending: false });
});
