/** The memory limits of request bodies. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Signer } from '#libs/auth/signer.ts';
import {
  addKey,
  keyRingOfTwoTenancies,
  requestBytes,
  send,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';

const maxIncompleteBytes = 512 * 1024;
const keyRing = keyRingOfTwoTenancies();
const unknownSigner = addKey(keyRingOfTwoTenancies());
let server: TestServer;
let writer: Signer;
beforeAll(async () => {
  server = await startTestServer(
    {
      bodyMemoryLimits: { maxIncompleteBytes: maxIncompleteBytes },
      handlers: { registerClient: () => ({ status: 201, body: {} }) },
    },
    keyRing,
  );
  writer = addKey(keyRing);
});
afterAll(() => server.close());

const connections: Socket[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy();
});

const small = '{"actor":"ana","basis":"walked in"}';
const large = small + ' '.repeat(128 * 1024);

function registration(body: string, signer: Signer): TestRequest {
  const target = '/v1/tenants/acme/clients/ana';
  return { method: 'PUT', target, headers: ['Content-Type: application/json'], body, signer };
}

const register = (body: string, signer = writer, port = server.port): Promise<TestResponse> =>
  send(port, registration(body, signer));
const pause = (): Promise<void> => new Promise((passed) => setTimeout(passed, 10));

/** Sends a request except its last byte. */
async function sendAllButLastByte(
  body: string,
  signer: Signer,
  port = server.port,
): Promise<{ readonly connection: Socket; readonly answered: Promise<Buffer> }> {
  const connection = connect(port, '127.0.0.1');
  connection.on('error', () => undefined);
  connections.push(connection);
  await once(connection, 'connect');
  const answered = once(connection, 'data').then(([chunk]) => chunk as Buffer);
  await new Promise<void>((sent) =>
    connection.write(requestBytes(registration(body, signer)).subarray(0, -1), () => sent()),
  );
  return { connection, answered };
}

async function waitUntil(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await pause();
}

test('large bodies get 503 while incomplete requests use the whole budget; small bodies are accepted', async () => {
  for (let nth = 0; nth < 4; nth += 1)
    void (await sendAllButLastByte(large, unknownSigner)).answered.catch(() => undefined);
  await waitUntil(async () => (await register(large)).status === 503);
  const refused = await register(large);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'unavailable' } });
  // Also for an unknown key.
  expect((await register(large, unknownSigner)).status).toBe(503);
  for (let nth = 0; nth < 20; nth += 1) expect((await register(small)).status).toBe(201);
  for (const connection of connections.splice(0)) connection.destroy();
  await waitUntil(async () => (await register(large)).status === 201);
});

describe('while others hold incomplete bodies', () => {
  const limits = {
    maxIncompleteBytes: 1_280 * 1024,
    maxIncompleteBytesOfUnknownKeys: 192 * 1024,
  };
  let sharedServer: TestServer;
  beforeAll(async () => {
    const handlers = { registerClient: () => ({ status: 201, body: {} }) };
    sharedServer = await startTestServer({ bodyMemoryLimits: limits, handlers }, keyRing);
  });
  afterAll(() => sharedServer.close());

  async function holdIncompleteBodies(signer: Signer): Promise<void> {
    for (let nth = 0; nth < 10; nth += 1)
      void (await sendAllButLastByte(large, signer, sharedServer.port)).answered.catch(() => undefined);
    await waitUntil(async () => (await register(large, signer, sharedServer.port)).status === 503);
  }

  test('unknown keys leave large bodies of known keys alone', async () => {
    await holdIncompleteBodies(unknownSigner);
    for (let nth = 0; nth < 5; nth += 1) expect((await register(large, writer, sharedServer.port)).status).toBe(201);
  });

  test('the keys of two Tenancies leave large bodies of a third alone', async () => {
    keyRing.putTenancy({ id: 'third', live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' });
    const third = addKey(keyRing, { tenantId: 'third' });
    await holdIncompleteBodies(addKey(keyRing));
    await holdIncompleteBodies(addKey(keyRing, { tenantId: 'vivid' }));
    expect((await register(large, writer, sharedServer.port)).status).toBe(503);
    const request = { ...registration(large, third), target: '/v1/tenants/third/clients/ana' };
    expect((await send(sharedServer.port, request)).status).toBe(201);
  });
});

test('answered requests return their share of the budget', async () => {
  for (let nth = 0; nth < 10; nth += 1) {
    expect((await register(large)).status).toBe(201);
    expect((await register(large, unknownSigner)).status).toBe(401);
  }
});

test('a request refused in the middle of its body can be followed by another on the same connection', async () => {
  const incomplete = await Promise.all([1, 2, 3].map(() => sendAllButLastByte(large, unknownSigner)));
  await waitUntil(async () => (await register(large)).status === 503);
  const { connection, answered } = await sendAllButLastByte(large, writer);
  expect((await answered).toString()).toMatch(/^HTTP\/1.1 503 /);
  for (const { connection: other } of incomplete) other.destroy();
  await waitUntil(async () => (await register(large)).status === 201);
  const again = once(connection, 'data');
  connection.write(Buffer.concat([Buffer.from(' '), requestBytes(registration(small, writer))]));
  expect(String((await again)[0])).toMatch(/^HTTP\/1.1 201 /);
});

/** A server with memory for one large body of a Tenancy, whose handler answers when the test says so. */
async function startSmallServer() {
  const waiting: (() => void)[] = [];
  const registerClient = async () => {
    await new Promise<void>((finish) => waiting.push(finish));
    return { status: 201, body: {} };
  };
  const smallServer = await startTestServer(
    { bodyMemoryLimits: { maxCompleteBytes: 400 * 1024 }, handlers: { registerClient } },
    keyRing,
  );
  return { smallServer, waiting };
}

test('a complete body counts until its request is answered; above the budget requests get 503', async () => {
  const { smallServer, waiting } = await startSmallServer();
  const request = (body: string): Promise<TestResponse> => register(body, writer, smallServer.port);
  const first = request(large);
  await waitUntil(async () => waiting.length === 1);
  expect(await request(large)).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  const smallRequest = request(small);
  await waitUntil(async () => waiting.length === 2);
  for (const finish of waiting.splice(0)) finish();
  expect((await smallRequest).status).toBe(201);
  expect((await first).status).toBe(201);
  const again = request(large);
  await waitUntil(async () => waiting.length === 1);
  for (const finish of waiting.splice(0)) finish();
  expect((await again).status).toBe(201);
  await smallServer.close();
});

test('complete bodies of one Tenancy leave memory for those of another', async () => {
  const { smallServer, waiting } = await startSmallServer();
  const ofWriter = register(large, writer, smallServer.port);
  await waitUntil(async () => waiting.length === 1);
  expect((await register(large, writer, smallServer.port)).status).toBe(503);
  const target = '/v1/tenants/vivid/clients/ana';
  const other = addKey(keyRing, { tenantId: 'vivid' });
  const ofOther = send(smallServer.port, { ...registration(large, other), target });
  await waitUntil(async () => waiting.length === 2);
  for (const finish of waiting.splice(0)) finish();
  expect([(await ofWriter).status, (await ofOther).status]).toEqual([201, 201]);
  await smallServer.close();
});

test('a pipelined request returns its share of the budget when the connection is cut', async () => {
  const { smallServer, waiting } = await startSmallServer();
  const connection = connect(smallServer.port, '127.0.0.1');
  connection.on('error', () => undefined);
  await once(connection, 'connect');
  connection.write(
    Buffer.concat([requestBytes(registration(small, writer)), requestBytes(registration(large, writer))]),
  );
  await waitUntil(async () => waiting.length === 2);
  connection.destroy();
  for (const finish of waiting.splice(0)) finish();
  await waitUntil(async () => {
    const request = register(large, writer, smallServer.port);
    const answered = request.then(() => true);
    while (waiting.length === 0 && !(await Promise.race([answered, pause()])));
    for (const finish of waiting.splice(0)) finish();
    return (await request).status === 201;
  });
  await smallServer.close();
});
