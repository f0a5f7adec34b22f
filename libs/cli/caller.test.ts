import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { Caller, RetryNotice } from './caller.ts';

const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => void err.mockReset());

test('the notice of a slow request is printed once', async () => {
  const notice = new RetryNotice('http://127.0.0.1:9', 5);
  await notice.during(sleep(40));
  await Promise.all([notice.during(sleep(40)), notice.during(sleep(40))]);
  expect(err.mock.calls).toEqual([['Still waiting for http://127.0.0.1:9']]);
});

test('no notice is printed for a request that ends soon', async () => {
  const notice = new RetryNotice('http://127.0.0.1:9', 20);
  await notice.during(Promise.resolve());
  await expect(notice.during(Promise.reject(new Error('no')))).rejects.toThrow('no');
  await sleep(40);
  expect(err.mock.calls).toEqual([]);
});

test('a caller prints after two seconds that the service has not answered', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const signer = parseSigner(generateKey('test').secret) as Signer;
  const response = new Caller({ baseUrl, signer, tenantId: 'demo', retryTimeoutMs: 0 })
    .request('GET', '/bounds')
    .catch(String);
  await sleep(1_500);
  expect(err.mock.calls).toEqual([]);
  await sleep(1_000);
  expect(err.mock.calls).toEqual([[`Still waiting for ${baseUrl}`]]);
  for (const socket of sockets) socket.destroy();
  silent.close();
  expect(await response).toContain(`${baseUrl} does not answer: `);
  expect(err.mock.calls.length).toBe(1);
});
