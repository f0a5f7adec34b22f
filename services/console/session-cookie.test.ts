import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { identifyBrowser } from './session-cookie.ts';

let server: Server;
beforeAll(async () => {
  const app = express();
  app.use(identifyBrowser({ isSecure: false } as ConsoleContext));
  app.use((_request, response) => response.json(visitOf(response).target));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ['a page', 'GET', '/people?search=ana', undefined, '/people?search=ana'],
  ['an answer to a form', 'POST', '/account/password', 'http://console/account?done=x', '/account?done=x'],
  ['an answer to a form of an unknown page', 'POST', '/account/password', undefined, '/account/password'],
])('a change of language on %s leads back to it', async (_, method, path, referer, target) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const headers = referer === undefined ? {} : { referer };
  expect(await fetch(url, { method, headers }).then((answer) => answer.json())).toBe(target);
});
