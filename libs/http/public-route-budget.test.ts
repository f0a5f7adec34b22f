import { afterEach, expect, test } from '@jest/globals';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { send, startTestServer, type TestServer } from '#libs/http/testing/server.ts';
import type { PublicRouteLimits } from './public-route-budget.ts';

let server: TestServer;
afterEach(() => server.close());

async function start(publicRouteLimits: PublicRouteLimits): Promise<AnsweredRequest[]> {
  const answered: AnsweredRequest[] = [];
  const handlers = {
    readDocs: () => ({ status: 200, body: {} }),
    readLiveness: () => ({ status: 200, body: { status: 'alive' } }),
  };
  server = await startTestServer({ handlers, publicRouteLimits, observe: (each) => answered.push(each) });
  return answered;
}

const readDocs = () => send(server.port, { target: '/docs' });

test('pages above the rate wait, pages above the queue get 503, health checks are answered', async () => {
  const answered = await start({ requestsPerSecond: 0.5, burst: 2, maxWaiting: 1 });
  expect((await readDocs()).status).toBe(200);
  expect((await readDocs()).status).toBe(200);
  const outcomes = Array.from({ length: 3 }, readDocs);
  while (answered.length < 4) await new Promise(setImmediate);
  expect(answered.slice(2).map(({ code }) => code)).toEqual(['unavailable', 'unavailable']);
  expect((await send(server.port, { target: '/livez' })).status).toBe(200);
  expect((await Promise.all(outcomes)).map(({ status }) => status).sort()).toEqual([200, 503, 503]);
});

test('waiting pages are answered as the rate allows', async () => {
  await start({ requestsPerSecond: 200, burst: 1, maxWaiting: 100 });
  const answers = await Promise.all(Array.from({ length: 20 }, readDocs));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});
