/** Which forms are those of the console itself, also behind a proxy that sends a Host of its own. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { csrfToken, newToken } from '#libs/people/secret-tokens.ts';
import type { ConsoleContext } from './console-context.ts';
import { checkForms } from './form-check.ts';
import { visitOfOperator } from './testing/rendered-page.ts';

const browserToken = newToken();

let server: Server;
beforeAll(async () => {
  const app = express();
  app.use(express.urlencoded({ extended: false }), (_request, response, next) => {
    response.locals['visit'] = visitOfOperator({ browserToken });
    next();
  });
  app.use(checkForms({ url: 'https://console.lender.example', isSecure: true } as ConsoleContext));
  app.post('/form', (_request, response) => response.send('done'));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const own = csrfToken(browserToken);

test.each([
  ['of the address that people open', 'https://console.lender.example', own, 200],
  ['of another site', 'https://attacker.example', own, 403],
  ['of a site whose name begins alike', 'https://console.lender.example.attacker.example', own, 403],
  ['of a page without an address', 'null', own, 403],
  ['with the token of another browser', 'https://console.lender.example', csrfToken(newToken()), 403],
])('a form %s is answered %4$d', async (_, origin, token, status) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/form`;
  const answer = await fetch(url, { method: 'POST', headers: { origin }, body: new URLSearchParams({ _csrf: token }) });
  expect(answer.status).toBe(status);
});
