/** What the console's own keys reach, over all routes of the contract. */
import { expect, test } from '@jest/globals';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { addKey, keyRingOfTwoTenancies, send } from '#libs/http/testing/server.ts';
import { listen } from '#libs/runtime/http-listener.ts';
import { createReadingApp } from './reading-app.ts';

const names = Object.keys(routes) as RouteName[];
const answer = () => ({ status: 200, body: {} });
const allHandlers: RouteHandlers = Object.fromEntries(names.map((name) => [name, answer]));

test('a key of the console reaches every read, and of all other routes only those that compute and record nothing', async () => {
  const keyRing = keyRingOfTwoTenancies();
  const signer = addKey(keyRing, { scope: 'write' });
  const http = await listen(createReadingApp({ handlers: allHandlers, keyRing }), { host: '127.0.0.1', port: 0 });
  const reached: RouteName[] = [];
  for (const name of names) {
    const { method, path } = routes[name];
    const target = path.replaceAll('{tenant_id}', 'acme').replace(/\{\w+\}/g, 'name');
    const { status, text } = await send(http.port, { method, target, signer });
    // Other refusals are about the names and the body: the route exists.
    if (status !== 405 && !text.includes('"no_route"')) reached.push(name);
  }
  await http.close();

  const isRead = (name: RouteName): boolean => routes[name].method === 'GET';
  expect(reached.filter(isRead)).toEqual(names.filter(isRead));
  expect(reached.filter((name) => !isRead(name))).toEqual(['simulate', 'rehearse']);
});
