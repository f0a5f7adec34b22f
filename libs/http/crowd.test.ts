import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { Clock, Permit } from '#libs/http/rate-limits.ts';
import { Turnstiles } from '#libs/http/rate-limits.ts';
import { addKey, type Got, type Served, send, serve, twoTenancies, written } from '#libs/http/testing/server.ts';

const target = '/v1/tenants/acme/loans';
const stopped: Clock = { now: () => 0, after: () => () => undefined };
const bounds = { concurrent: 1, patienceMs: 2000, perSecond: 50, burst: 3 };

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
});

/** A handler that tells when it was entered and answers when it is let go. */
function gate(): {
  readonly handlers: RouteHandlers;
  readonly entered: () => Promise<void>;
  readonly letGo: () => void;
} {
  const inside: (() => void)[] = [];
  const arrivals: (() => void)[] = [];
  let waitingFor: (() => void) | undefined;
  return {
    handlers: {
      listLoans: () =>
        new Promise((answer) => {
          inside.push(() => answer({ status: 200, body: {} }));
          if (waitingFor === undefined) arrivals.push(() => undefined);
          else waitingFor();
          waitingFor = undefined;
        }),
      streamFeed: () => ({ status: 200, stream: { pieces: endless(), ends: new AbortController().signal } }),
    },
    entered: () => (arrivals.shift() === undefined ? new Promise((here) => (waitingFor = here)) : Promise.resolve()),
    letGo: () => inside.shift()?.(),
  };
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

async function* endless(): AsyncGenerator<string> {
  yield 'event: first\n\n';
  await new Promise(() => undefined);
}

test('the bounds count signed requests of a Tenancy together, and a request waiting says how long', async () => {
  const { handlers, entered, letGo } = gate();
  const ring = twoTenancies();
  let waits = (): void => undefined;
  const waiting = new Promise<void>((noticed) => {
    waits = noticed;
  });
  const patient: Clock = {
    now: () => 0,
    after() {
      waits();
      return () => undefined;
    },
  };
  served = await serve({ handlers, turnstiles: new Turnstiles(patient), bounds }, ring);
  const signers = [addKey(ring), addKey(ring, { scope: 'read' })];
  const first = send(served.port, { target, signer: signers[0] });
  await entered();
  const second = send(served.port, { target, signer: signers[1] });
  await waiting;
  // Unsigned callers are neither counted nor kept waiting.
  expect((await send(served.port, { target })).status).toBe(401);
  letGo();
  await entered();
  letGo();
  const answers: Got[] = await Promise.all([first, second]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.headers['server-timing']).toMatch(/queue;dur=(?!0\.0)/);
});

test('past the burst a Tenancy is told its rate and when to come again, before its body is looked at', async () => {
  const ring = twoTenancies();
  served = await serve({ handlers: {}, turnstiles: new Turnstiles(stopped), bounds }, ring);
  const signer = addKey(ring);
  const other = addKey(ring, { tenantId: 'vivid' });
  for (let at = 0; at < 5; at += 1) await send(served.port, { target });
  for (let at = 0; at < 3; at += 1) expect((await send(served.port, { target, signer })).status).toBe(404);
  const got = await send(served.port, { method: 'POST', target: '/v1/tenants/acme/receipts', body: '{', signer });
  expect(got.status).toBe(429);
  expect(got.headers['retry-after']).toBe('1');
  expect(got.json).toMatchObject({ code: 'rate_exceeded', retry: 'as_is', retry_after: 1, details: { bound: 50 } });
  expect((await send(served.port, { target: '/v1/tenants/vivid/loans', signer: other })).status).toBe(404);
});

test('a caller reads the bounds in force for it, and whose they are', async () => {
  const ring = twoTenancies();
  served = await serve({ handlers: {} }, ring);
  const signer = addKey(ring);
  const asked = { target: '/v1/tenants/acme/bounds', signer };
  expect((await send(served.port, asked)).json).toEqual({
    concurrent: 16,
    patience_ms: 2000,
    per_second: 50,
    burst: 100,
    source: 'default',
  });
  const own = { concurrent: 2, patienceMs: 100, perSecond: 5, burst: 5 };
  ring.putTenancy({ id: 'acme', live: false, jurisdiction: 'MX', timeZone: 'UTC', bounds: own });
  expect((await send(served.port, asked)).json).toEqual({
    concurrent: 2,
    patience_ms: 100,
    per_second: 5,
    burst: 5,
    source: 'tenancy',
  });
});

test('an answer that lasts keeps no place from others', async () => {
  const ring = twoTenancies();
  const { handlers } = gate();
  served = await serve({ handlers, bounds: { ...bounds, burst: 100 } }, ring);
  const signer = addKey(ring);
  const got = await send(served.port, { target: '/v1/tenants/acme/loan-events/stream', signer });
  expect(got.headers['content-type']).toBe('text/event-stream');
  expect((await send(served.port, { target: '/v1/tenants/acme/bounds', signer })).status).toBe(200);
});

test('patience begins when a request is let in, however long its body came or it stood in line', async () => {
  let now = Date.now();
  const receivedAt = now;
  const [met, inLine] = [signal(), signal()];
  const seen: { receivedAt: number; admittedAt: number }[] = [];
  const ring = twoTenancies();
  const handlers: RouteHandlers = {
    registerClient: ({ receivedAt, admittedAt }) => {
      seen.push({ receivedAt, admittedAt });
      return { status: 201, body: {} };
    },
  };
  let letIn = (): void => undefined;
  const turnstiles = {
    enter: () =>
      new Promise<Permit>((admit) => {
        letIn = () => admit({ leave: () => undefined });
        inLine.give();
      }),
  } as unknown as Turnstiles;
  const clock = (): number => {
    met.give();
    return now;
  };
  served = await serve({ handlers, turnstiles, now: clock }, ring);
  const bytes = written({
    method: 'PUT',
    target: '/v1/tenants/acme/clients/ana',
    headers: ['Content-Type: application/json'],
    body: '{"actor":"ana","basis":"walked in"}',
    signer: addKey(ring),
  });
  const line = connect(served.port, '127.0.0.1');
  const answered = new Promise((told) => line.once('data', told));
  line.write(bytes.subarray(0, -1));
  await met.given;
  now += 3_000;
  line.write(bytes.subarray(-1));
  await inLine.given;
  now += 10_000;
  letIn();
  await answered;
  line.destroy();
  expect(seen).toEqual([{ receivedAt, admittedAt: receivedAt + 13_000 }]);
});
