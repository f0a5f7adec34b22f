/** Who finds no room is told so before he is read in full; nobody can tell by the answer. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { authorize, type Signer } from '#libs/auth/sign.ts';
import type { Passage } from '#libs/http/request-pipeline.ts';
import { addKey, type Served, serve, twoTenancies } from '#libs/http/testing/server.ts';

const target = '/v1/tenants/acme/loans';
const intake = { mostInRound: 8, mostInside: 1, mostHeld: 1, longestWaitMs: 60_000 };

let served: Served | undefined;
const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await served?.close();
});

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
  readonly json: any;
}

/** All that is asked of it goes over one line. */
function line(port: number): (path: string, headers?: { [name: string]: string }) => Promise<Got> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const asking = request({ agent, port, path, headers }, async (response) => {
        let text = '';
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json: JSON.parse(text) });
      });
      asking.on('error', reject).end();
    });
}

/** A door with room for one, who is inside until he is let go. */
async function full() {
  const ring = twoTenancies();
  const seen: Passage[] = [];
  let enter = (): void => undefined;
  let letGo = (): void => undefined;
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const listLoans = async () => {
    enter();
    await gone;
    return { status: 200, body: {} };
  };
  const readLiveness = () => ({ status: 200, body: { status: 'alive' } });
  const observe = (passage: Passage): number => seen.push(passage);
  served = await serve({ handlers: { listLoans, readLiveness }, intake, observe }, ring);
  const { port } = served;
  const signer = addKey(ring);
  const inside = line(port)(target, signed(signer));
  await entered;
  return { port, seen, signer, inside, letGo };
}

const signed = (signer: Signer) => ({
  Authorization: authorize(signer, { method: 'GET', target, nowMs: Date.now() }),
  'Request-Id': 'mine',
});

test('and it is the answer of who was read in full', async () => {
  const { port, seen, signer, inside, letGo } = await full();
  const ask = line(port);
  const answers: Got[] = [];
  for (let times = 0; times < 4; times += 1) answers.push(await ask(target, signed(signer)));
  // Without a response of Node's there is no exchange: the last two were told by what came over the line alone.
  expect(seen.map(({ asked }) => 'response' in asked)).toEqual([true, true, false, false]);
  expect(seen.map(({ status, code }) => [status, code])).toEqual(Array(4).fill([503, 'unavailable']));
  const [first, , , last] = answers as [Got, Got, Got, Got];
  const own = { 'request-id': expect.any(String), 'server-timing': expect.any(String), date: expect.any(String) };
  expect(last.status).toBe(503);
  expect(last.headers).toEqual({ ...first.headers, ...own });
  expect(last.headers).toMatchObject({ 'caller-request-id': 'mine', 'retry-after': expect.any(String) });
  expect(last.json).toEqual({ ...first.json, request_id: last.headers['request-id'] });
  expect(new Set(answers.map(({ json }) => json.request_id)).size).toBe(4);
  letGo();
  expect((await inside).status).toBe(200);
  expect((await ask(target, signed(signer))).status).toBe(200);
});

test('whoever would be told something else is told that', async () => {
  const { port, signer, inside, letGo } = await full();
  const ask = line(port);
  for (let times = 0; times < 2; times += 1) await ask(target, signed(signer));
  expect((await ask(target)).status).toBe(401);
  expect((await ask(target, { Authorization: 'Basic eDp5' })).status).toBe(401);
  const unknown = { ...signed(signer), 'Contract-Version': '1999-01-01' };
  expect((await ask(target, unknown)).json.code).toBe('invalid_contract_version');
  expect((await ask('/livez')).json).toEqual({ status: 'alive' });
  expect((await ask(target, signed(signer))).json.code).toBe('unavailable');
  letGo();
  await inside;
});
