/** Bytes of those who have not proved who they are, and of those who wait to be answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Signer } from '#libs/auth/sign.ts';
import {
  addKey,
  type Got,
  type Sent,
  type Served,
  send,
  serve,
  twoTenancies,
  written,
} from '#libs/http/testing/server.ts';

const mostHeld = 256 * 1024;
const ring = twoTenancies();
const stranger = addKey(twoTenancies());
let served: Served;
let writer: Signer;
beforeAll(async () => {
  served = await serve(
    { mostUnproven: mostHeld, handlers: { registerClient: () => ({ status: 201, body: {} }) } },
    ring,
  );
  writer = addKey(ring);
});
afterAll(() => served.close());

const lines: Socket[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy();
});

const small = '{"actor":"ana","basis":"walked in"}';
const large = small + ' '.repeat(128 * 1024);

function registration(body: string, signer: Signer): Sent {
  const target = '/v1/tenants/acme/clients/ana';
  return { method: 'PUT', target, headers: ['Content-Type: application/json'], body, signer };
}

const ask = (body: string, signer = writer, port = served.port): Promise<Got> => send(port, registration(body, signer));
const later = (): Promise<void> => new Promise((passed) => setTimeout(passed, 10));

/** All of a request but its last byte; what it is answered resolves `told`. */
async function unfinished(
  body: string,
  signer: Signer,
): Promise<{ readonly line: Socket; readonly told: Promise<Buffer> }> {
  const line = connect(served.port, '127.0.0.1');
  line.on('error', () => undefined);
  lines.push(line);
  await once(line, 'connect');
  const told = once(line, 'data').then(([chunk]) => chunk as Buffer);
  await new Promise<void>((sent) => line.write(written(registration(body, signer)).subarray(0, -1), () => sent()));
  return { line, told };
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await later();
}

test('a body is refused where those not yet known to be callers hold all that is kept for them, and nothing small is', async () => {
  for (let nth = 0; nth < 4; nth += 1) void (await unfinished(large, stranger)).told.catch(() => undefined);
  await until(async () => (await ask(large)).status === 503);
  const refused = await ask(large);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'unavailable' } });
  // Whether the key is known makes no difference.
  expect((await ask(large, stranger)).status).toBe(503);
  for (let nth = 0; nth < 20; nth += 1) expect((await ask(small)).status).toBe(201);
  for (const line of lines.splice(0)) line.destroy();
  await until(async () => (await ask(large)).status === 201);
});

test('what was held is given back by those who were answered', async () => {
  for (let nth = 0; nth < 10; nth += 1) {
    expect((await ask(large)).status).toBe(201);
    expect((await ask(large, stranger)).status).toBe(401);
  }
});

test('who was refused in the middle of its body asks again on the same line', async () => {
  const held = [await unfinished(large, stranger), await unfinished(large, stranger)];
  await until(async () => (await ask(large)).status === 503);
  const { line, told } = await unfinished(large, writer);
  expect((await told).toString()).toMatch(/^HTTP\/1.1 503 /);
  for (const { line: other } of held) other.destroy();
  await until(async () => (await ask(large)).status === 201);
  const again = once(line, 'data');
  line.write(Buffer.concat([Buffer.from(' '), written(registration(small, writer))]));
  expect(String((await again)[0])).toMatch(/^HTTP\/1.1 201 /);
});

/** Room for one large body, and an answer for whoever waits when the test says so. */
async function serveNarrowly() {
  const waiting: (() => void)[] = [];
  const registerClient = async () => {
    await new Promise<void>((go) => waiting.push(go));
    return { status: 201, body: {} };
  };
  const narrow = await serve({ mostWhole: 200 * 1024, handlers: { registerClient } }, ring);
  return { narrow, waiting };
}

test('a whole body is held until it is answered or left, and beyond what there is room for refused', async () => {
  const { narrow, waiting } = await serveNarrowly();
  const asked = (body: string): Promise<Got> => ask(body, writer, narrow.port);
  const first = asked(large);
  await until(async () => waiting.length === 1);
  expect(await asked(large)).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  const little = asked(small);
  await until(async () => waiting.length === 2);
  for (const go of waiting.splice(0)) go();
  expect((await little).status).toBe(201);
  expect((await first).status).toBe(201);
  const again = asked(large);
  await until(async () => waiting.length === 1);
  for (const go of waiting.splice(0)) go();
  expect((await again).status).toBe(201);
  await narrow.close();
});

test('what a request held that stood behind another is given back where their line was cut', async () => {
  const { narrow, waiting } = await serveNarrowly();
  const line = connect(narrow.port, '127.0.0.1');
  line.on('error', () => undefined);
  await once(line, 'connect');
  line.write(Buffer.concat([written(registration(small, writer)), written(registration(large, writer))]));
  await until(async () => waiting.length === 2);
  line.destroy();
  for (const go of waiting.splice(0)) go();
  await until(async () => {
    const asked = ask(large, writer, narrow.port);
    const told = asked.then(() => true);
    while (waiting.length === 0 && !(await Promise.race([told, later()])));
    for (const go of waiting.splice(0)) go();
    return (await asked).status === 201;
  });
  await narrow.close();
});
