import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { Caller } from './caller.ts';
import { StillTrying } from './still-trying.ts';

const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => void err.mockReset());

test('who is asked is told once, however often and long it takes', async () => {
  const trying = new StillTrying('http://127.0.0.1:9', 5);
  await trying.during(sleep(40));
  await Promise.all([trying.during(sleep(40)), trying.during(sleep(40))]);
  expect(err.mock.calls).toEqual([['Still trying http://127.0.0.1:9']]);
});

test('nothing is told of what is answered soon, or fails soon', async () => {
  const trying = new StillTrying('http://127.0.0.1:9', 20);
  await trying.during(Promise.resolve());
  await expect(trying.during(Promise.reject(new Error('no')))).rejects.toThrow('no');
  await sleep(40);
  expect(err.mock.calls).toEqual([]);
});

test('a caller whose service takes a line and does not answer says after two seconds whom it still tries', async () => {
  const lines: Socket[] = [];
  const silent = createServer((line) => lines.push(line));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const signer = signerFromText(mintKey('test').secret) as Signer;
  const asked = new Caller({ baseUrl, signer, tenantId: 'demo', patienceMs: 0 }).ask('GET', '/bounds').catch(String);
  await sleep(1_500);
  expect(err.mock.calls).toEqual([]);
  await sleep(1_000);
  expect(err.mock.calls).toEqual([[`Still trying ${baseUrl}`]]);
  for (const line of lines) line.destroy();
  silent.close();
  expect(await asked).toContain(`${baseUrl} does not answer: `);
  expect(err.mock.calls.length).toBe(1);
});
