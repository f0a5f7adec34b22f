/** Answers that last. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { Passage } from '#libs/http/request-pipeline.ts';
import { addKey, type Served, send, serve, twoTenancies, written } from '#libs/http/testing/server.ts';

const target = '/v1/tenants/acme/loan-events/stream';
const long = 'x'.repeat(64 * 1024);

let served: Served;
let line: Socket;
afterEach(async () => {
  line?.destroy();
  await served.close();
});

/** Says pieces for as long as it is asked for them, and tells how many it said and that it is over. */
function teller(ends: AbortSignal) {
  const told = { pieces: 0, over: false };
  async function* pieces(): AsyncGenerator<string> {
    try {
      while (!ends.aborted) {
        told.pieces += 1;
        yield long;
      }
    } finally {
      told.over = true;
    }
  }
  const handlers: RouteHandlers = { streamFeed: () => ({ status: 200, stream: { pieces: pieces(), ends } }) };
  return { told, handlers };
}

async function opened(handlers: RouteHandlers, observe?: (passage: Passage) => void): Promise<Socket> {
  const ring = twoTenancies();
  served = await serve({ handlers, ...(observe === undefined ? {} : { observe }) }, ring);
  line = connect(served.port, '127.0.0.1');
  line.on('error', () => undefined);
  await once(line, 'connect');
  line.write(written({ target, signer: addKey(ring) }));
  return line;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Nothing more is said though there is all the time for it. */
async function still(read: () => number): Promise<number> {
  for (let before = -1; before !== read(); ) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return read();
}

test('a caller that does not read is not told more than its line holds', async () => {
  const { told, handlers } = teller(new AbortController().signal);
  const socket = await opened(handlers);
  await once(socket, 'data');
  socket.pause();
  const before = await still(() => told.pieces);
  socket.resume();
  await until(() => told.pieces > before);
  socket.destroy();
  await until(() => told.over);
});

test('what is ended is over for a caller that does not read as well', async () => {
  const ending = new AbortController();
  const { told, handlers } = teller(ending.signal);
  const seen: Passage[] = [];
  const socket = await opened(handlers, (passage) => seen.push(passage));
  await once(socket, 'data');
  socket.pause();
  await still(() => told.pieces);
  ending.abort();
  await until(() => told.over && seen.length === 1);
  expect(seen[0]).toMatchObject({ status: 200, code: undefined });
});

test('what an answer took is told without the time it lasted', async () => {
  const ending = new AbortController();
  const { handlers } = teller(ending.signal);
  const seen: Passage[] = [];
  const socket = await opened(handlers, (passage) => seen.push(passage));
  const [head] = (await once(socket, 'data')) as [Buffer];
  const said = Number(/total;dur=([\d.]+)/.exec(String(head))?.[1]);
  ending.abort();
  socket.resume();
  await until(() => seen.length === 1);
  expect(seen[0]?.asked.timing.total()).toBeCloseTo(said, 0);
});

test('HEAD is answered with the head alone', async () => {
  const { told, handlers } = teller(new AbortController().signal);
  const ring = twoTenancies();
  served = await serve({ handlers }, ring);
  const got = await send(served.port, { method: 'HEAD', target, signer: addKey(ring) });
  expect(got).toMatchObject({ status: 200, text: '' });
  expect(got.headers['content-type']).toBe('text/event-stream');
  expect(told.pieces).toBe(0);
});
