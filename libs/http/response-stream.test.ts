import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import {
  addKey,
  keyRingOfTwoTenancies,
  requestBytes,
  send,
  startTestServer,
  type TestServer,
} from '#libs/http/testing/server.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';

const target = '/v1/tenants/acme/loan-events/stream';
const largeChunk = 'x'.repeat(64 * 1024);

let server: TestServer;
let connection: Socket;
afterEach(async () => {
  connection?.destroy();
  await server.close();
});

/** A stream that yields chunks as long as it is read, and counts them. */
function endlessStream(stopSignal: AbortSignal) {
  const produced = { chunks: 0, isOver: false };
  async function* chunks(): AsyncGenerator<string> {
    try {
      while (!stopSignal.aborted) {
        produced.chunks += 1;
        yield largeChunk;
      }
    } finally {
      produced.isOver = true;
    }
  }
  const handlers: RouteHandlers = {
    streamFeed: () => ({ status: 200, stream: { chunks: chunks(), stopSignal } }),
  };
  return { produced, handlers };
}

async function openStream(handlers: RouteHandlers, observe?: (answered: AnsweredRequest) => void): Promise<Socket> {
  const keyRing = keyRingOfTwoTenancies();
  server = await startTestServer({ handlers, ...(observe === undefined ? {} : { observe }) }, keyRing);
  connection = connect(server.port, '127.0.0.1');
  connection.on('error', () => undefined);
  await once(connection, 'connect');
  connection.write(requestBytes({ target, signer: addKey(keyRing) }));
  return connection;
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The value once it no longer changes. */
async function whenSteady(read: () => number): Promise<number> {
  for (let before = -1; before !== read(); ) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return read();
}

test('a stream produces no more than a caller reads and the connection buffers', async () => {
  const { produced, handlers } = endlessStream(new AbortController().signal);
  const socket = await openStream(handlers);
  await once(socket, 'data');
  socket.pause();
  const before = await whenSteady(() => produced.chunks);
  socket.resume();
  await waitUntil(() => produced.chunks > before);
  socket.destroy();
  await waitUntil(() => produced.isOver);
});

test('a stopped stream ends although the caller does not read', async () => {
  const stop = new AbortController();
  const { produced, handlers } = endlessStream(stop.signal);
  const observations: AnsweredRequest[] = [];
  const socket = await openStream(handlers, (answered) => observations.push(answered));
  await once(socket, 'data');
  socket.pause();
  await whenSteady(() => produced.chunks);
  stop.abort();
  await waitUntil(() => produced.isOver && observations.length === 1);
  expect(observations[0]).toMatchObject({ status: 200, code: undefined });
});

test('the duration of a streamed answer is the time until it began', async () => {
  const stop = new AbortController();
  const { handlers } = endlessStream(stop.signal);
  const observations: AnsweredRequest[] = [];
  const socket = await openStream(handlers, (answered) => observations.push(answered));
  const [head] = (await once(socket, 'data')) as [Buffer];
  const announcedMs = Number(/total;dur=([\d.]+)/.exec(String(head))?.[1]);
  stop.abort();
  socket.resume();
  await waitUntil(() => observations.length === 1);
  expect(observations[0]?.context.timing.total()).toBeCloseTo(announcedMs, 0);
});

test('HEAD gets the headers of a stream without a body', async () => {
  const { produced, handlers } = endlessStream(new AbortController().signal);
  const keyRing = keyRingOfTwoTenancies();
  server = await startTestServer({ handlers }, keyRing);
  const response = await send(server.port, { method: 'HEAD', target, signer: addKey(keyRing) });
  expect(response).toMatchObject({ status: 200, text: '' });
  expect(response.headers['content-type']).toBe('text/event-stream');
  expect(produced.chunks).toBe(0);
});

test('an active stream that fails ends the connection, and is observed as what failed', async () => {
  const failing = Promise.withResolvers<void>();
  async function* chunks(): AsyncGenerator<string> {
    yield '[1';
    await failing.promise;
    throw new DependencyUnavailableError('Postgres');
  }
  const stream = { chunks: chunks(), stopSignal: new AbortController().signal, isActive: true } as const;
  const observations: AnsweredRequest[] = [];
  const handlers: RouteHandlers = { streamFeed: () => ({ status: 200, type: 'application/json', stream }) };
  const socket = await openStream(handlers, (answered) => observations.push(answered));
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  await waitUntil(() => received.includes('[1'));
  expect(observations).toEqual([]);
  failing.resolve();
  await once(socket, 'close');
  await waitUntil(() => observations.length === 1);
  expect(observations[0]).toMatchObject({ status: 503, code: 'unavailable' });
  expect(received).not.toContain('0\r\n\r\n');
});
