/** Limits of posted forms, answered before anything of the service is read. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { csrfToken, newToken } from '#libs/people/secret-tokens.ts';
import { consoleApp } from '#test/browser/console-routes.ts';
import { maxListedSubmissions } from './health/parked-book-page.ts';

const token = newToken();
let server: Server;
beforeAll(async () => {
  server = consoleApp().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function post(path: string, fields: readonly (readonly [string, string])[], language = 'en', type = 'utf-8') {
  const headers = {
    Cookie: `lending_visitor=${token}`,
    'Accept-Language': language,
    'Content-Type': `application/x-www-form-urlencoded; charset=${type}`,
  };
  const body = new URLSearchParams([['_csrf', csrfToken(token)], ...fields.map(([name, value]) => [name, value])]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: body.toString(), redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const boxes = (count: number) => Array.from({ length: count }, (_, index) => ['drop', `11/0/${index}`] as const);

test('a form with too many bytes or fields is answered with a page that says so, in the language of the browser', async () => {
  const forms = [[['email', 'x'.repeat(70_000)] as const], boxes(100)];
  for (const form of forms) {
    const english = await post('/sign-in', form);
    expect([english.status, english.text]).toEqual([413, expect.stringContaining('The form is too large.')]);
    const spanish = await post('/sign-in', form, 'es');
    expect([spanish.status, spanish.text]).toEqual([
      413,
      expect.stringContaining('El formulario es demasiado grande.'),
    ]);
  }
});

test('a form in an unknown character set is answered with a page that says so', async () => {
  const { status, text } = await post('/sign-in', [], 'en', 'klingon');
  expect([status, text]).toEqual([415, expect.stringContaining('The address or the form cannot be read.')]);
});

test('a release with a box for every listed submission is read', async () => {
  const page = '/health/parked/lender/c%2F1';
  const rest = Object.entries({ basis: 'mended', confirmation: 'lender/c/1', password: 'four unrelated words here' });
  // Its token is accepted, so the form was read; the person is not signed in.
  expect(await post(page, [...rest, ...boxes(maxListedSubmissions)])).toMatchObject({
    status: 303,
    location: '/sign-in',
  });
  expect((await post(page, [...rest, ...boxes(maxListedSubmissions + 1)])).status).toBe(413);
});
