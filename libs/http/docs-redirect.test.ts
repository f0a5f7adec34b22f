import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send, startTestServer, type TestServer } from '#libs/http/testing/server.ts';

const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ handlers: { readDocs: () => ({ status: 200, body: {} }) } });
});
afterAll(() => server.close());

test.each(['/', '/?from=mail'])('a browser that opens %s is led to the documentation', async (target) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await send(server.port, { method, target, headers: [browser] });
    expect(answer.status).toBe(302);
    expect(answer.headers).toMatchObject({ location: '/docs', vary: 'Accept', 'cache-control': 'no-store' });
    expect(answer.text).toBe('');
  }
});

test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
  'a program that accepts %s gets the refusal of an unsigned request',
  async (accept) => {
    const headers = accept === undefined ? [] : [`Accept: ${accept}`];
    const answer = await send(server.port, { target: '/', headers });
    expect(`${answer.status} ${answer.json.code}`).toBe('401 unauthenticated');
  },
);

test('no other path and no other method is redirected', async () => {
  for (const [method, target] of [
    ['GET', '/v1/'],
    ['GET', '/changelog/x'],
    ['POST', '/'],
  ] as const) {
    expect((await send(server.port, { method, target, headers: [browser] })).status).toBe(401);
  }
});

test.each(['/docs', '/docs/', '/docs/guide/signing', '/docs/guide/signing/', '/docs/schemas/facts/issued.json'])(
  '%s needs no key',
  async (target) => {
    expect((await send(server.port, { target, headers: [browser] })).status).toBe(200);
  },
);
