import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseSigner } from '../../auth/signer.ts';
import { parseAuthorization } from '../../auth/signing-scheme.ts';
import { createKeyObject, isValidSignature } from '../../auth/verify.ts';
import {
  closeConnection,
  instantClock,
  refuseWith,
  replyWith,
  type ScriptedReply,
  type ScriptedService,
  startScriptedService,
} from '../testing/scripted-service.ts';
import { LendingError, type RefusalError, type UnreachableError } from './errors.ts';
import { HttpClient, type HttpClientOptions, type OutgoingRequest } from './http-client.ts';
import { requestTarget } from './route-arguments.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const publicKey = createKeyObject(there(parseSigner(key)).publicKey);

let service: ScriptedService;
afterEach(() => service.close());

async function lineTo(script: readonly ScriptedReply[], options: Partial<HttpClientOptions> = {}) {
  service = await startScriptedService(...script);
  const clock = instantClock();
  return { clock, line: new HttpClient({ baseUrl: service.baseUrl, key, clock: clock, ...options }, '2026-10-16') };
}

const receipt: OutgoingRequest = { method: 'POST', target: '/v1/tenants/t/receipts', body: '{"reference":"r"}' };
const read: OutgoingRequest = { method: 'GET', target: '/v1/tenants/t/bounds' };
const recorded = replyWith(201, { receipt: {} });

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it is not there');
  return value;
}

async function failed(sending: Promise<unknown>): Promise<RefusalError & UnreachableError> {
  return sending.then(
    () => Promise.reject(new Error('it did not fail')),
    (cause) => cause,
  );
}

describe('a request', () => {
  test('is signed over exactly its request line', async () => {
    const { line } = await lineTo([replyWith(200, {})]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }), async (a, b) => {
        fc.pre(a !== '.' && a !== '..' && a.isWellFormed() && b.isWellFormed());
        const parameters = { receipt_reference: a, cursor: b };
        const addressed = { path: '/v1/tenants/t/receipts/{receipt_reference}', query: ['cursor'] };
        await line.send({ method: 'GET', target: requestTarget(addressed, parameters) });
        const { method, target, headers } = there(service.sent.at(-1));
        const presented = there(parseAuthorization(String(headers.authorization)));
        const canonical = [method, target, presented.ts, createHash('sha256').digest('hex')].join('\n');
        expect(isValidSignature(publicKey, canonical, presented.signature)).toBe(true);
        const url = new URL(target, service.baseUrl);
        expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(a);
        expect(url.searchParams.get('cursor')).toBe(b);
      }),
    );
  });

  test('requests the version of the contract of its types', async () => {
    const { line } = await lineTo([replyWith(200, { concurrent: 16 })]);
    expect(await line.send(read)).toMatchObject({ status: 200, body: { concurrent: 16 }, requestId: 'r-1' });
    expect(service.sent[0]?.headers['contract-version']).toBe('2026-10-16');
  });

  test('refuses path parameters that a URL parser would resolve', () => {
    const reading = { path: '/v1/tenants/t/receipts/{receipt_reference}', query: [] };
    for (const reference of ['', '.', '..'])
      expect(() => requestTarget(reading, { receipt_reference: reference })).toThrow(TypeError);
  });

  test('needs a baseUrl without a path', () => {
    expect(() => new HttpClient({ baseUrl: 'https://lending.example/v1', key }, '2026-10-16')).toThrow(
      'has a path or a query',
    );
  });
});

describe('a request is sent again', () => {
  test('unchanged and signed again where the refusal says as_is, and not before its Retry-After', async () => {
    const { line, clock } = await lineTo([
      refuseWith(429, 'rate_exceeded', 'as_is', { retry_after: 3 }),
      refuseWith(409, 'contended', 'as_is'),
      recorded,
    ]);
    expect((await line.send(receipt)).status).toBe(201);
    expect(service.sent.map(({ body }) => body)).toEqual([receipt.body, receipt.body, receipt.body]);
    expect(new Set(service.sent.map(({ headers }) => headers.authorization)).size).toBe(2);
    expect(clock.pauses).toHaveLength(2);
    expect(clock.pauses[0]).toBeGreaterThanOrEqual(3_000);
    expect(clock.pauses[1]).toBeLessThan(3_000);
  });

  test.each([
    ['the line broke', closeConnection],
    ['something between answered for the service', replyWith(502, 'Bad Gateway')],
    ['an answer is cut off', (_sent, response) => response.writeHead(201).end('{"receipt":{')],
    ['the door could not say what became of it', refuseWith(503, 'unavailable', 'as_is', { retry_after: 5 })],
  ] as readonly (readonly [string, ScriptedReply])[])(
    'where %s, so that its reference shows the outcome',
    async (_, lost) => {
      const { line } = await lineTo([lost, replyWith(200, { receipt: { id: 'recorded the first time' } })]);
      expect(await line.send(receipt)).toMatchObject({
        status: 200,
        body: { receipt: { id: 'recorded the first time' } },
      });
    },
  );

  test('where no response came in time', async () => {
    const failures: string[] = [];
    const { line } = await lineTo([() => undefined, recorded], {
      // The second answer is in time on a busy machine, too.
      answerTimeoutMs: 1_000,
      onRetry: ({ message }) => failures.push(message),
    });
    expect((await line.send(receipt)).status).toBe(201);
    expect(failures).toEqual([
      expect.stringMatching(/no answer of the service: nothing within 1000 ms \(answerTimeoutMs\)$/),
    ]);
  });

  test('after growing pauses until the retry time has passed', async () => {
    const pauses: number[] = [];
    const { line, clock } = await lineTo([refuseWith(500, 'internal_error', 'as_is')], {
      patience: { withinMs: 10_000, firstPauseMs: 100, longestPauseMs: 2_000 },
      onRetry: (_, pauseMs) => pauses.push(pauseMs),
    });
    const error = await failed(line.send(receipt));
    expect(error).toMatchObject({ name: 'RefusalError', code: 'internal_error', outcomeUnknown: true });
    expect(clock.pauses.slice(0, 5)).toEqual([75, 150, 300, 600, 1_200]);
    expect(Math.max(...clock.pauses)).toBe(1_500);
    expect(clock.pauses.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(10_000);
    expect(pauses).toEqual(clock.pauses);
  });

  test('with the same idempotency key', async () => {
    const { line } = await lineTo([closeConnection, replyWith(201, {})]);
    await line.send({
      method: 'POST',
      target: '/v1/tenants/t/product-configurations',
      body: '{}',
      idempotencyKey: 'k',
    });
    expect(service.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k']);
  });
});

describe('a refusal is thrown at once', () => {
  test.each(['after_change', 'after_record', 'never'])('that says %s', async (retry) => {
    const { line, clock } = await lineTo([
      refuseWith(409, 'already_ceded', retry, { details: { recorded_id: 'e-1' } }),
      recorded,
    ]);
    const error = await failed(line.send(receipt));
    expect(error).toBeInstanceOf(LendingError);
    expect(error).toMatchObject({
      name: 'RefusalError',
      status: 409,
      code: 'already_ceded',
      retry,
      details: { recorded_id: 'e-1' },
      requestId: 'r-1',
      outcomeUnknown: false,
    });
    expect(error.message).toContain('POST /v1/tenants/t/receipts: 409 already_ceded');
    expect(clock.pauses).toEqual([]);
  });

  test('with a Retry-After beyond the retry time', async () => {
    const { line, clock } = await lineTo([refuseWith(503, 'unavailable', 'as_is', { retry_after: 60 })]);
    expect(await failed(line.send(read))).toMatchObject({ code: 'unavailable', retryAfter: 60 });
    expect(clock.pauses).toEqual([]);
  });
});

describe('whether a failed write may be recorded', () => {
  const lost = refuseWith(503, 'unavailable', 'as_is');
  const barred = refuseWith(403, 'not_permitted_scope', 'after_change');
  const decided = refuseWith(409, 'reference_reused', 'after_change');
  const busy = refuseWith(429, 'rate_exceeded', 'as_is', { retry_after: 60 });

  test.each([
    ['is unknown where the line broke', [closeConnection], true],
    ['stays unknown where the next attempt was not even looked at', [lost, barred], true],
    ['stays unknown where the next attempt was turned away', [closeConnection, busy], true],
    ['is known where the next attempt was decided', [lost, decided], false],
    ['is known where nothing but a refusal came', [barred], false],
  ] as readonly (readonly [string, readonly ScriptedReply[], boolean])[])('%s', async (_, script, outcomeUnknown) => {
    const { line } = await lineTo(script, { patience: { withinMs: 1_000 } });
    expect(await failed(line.send(receipt))).toMatchObject({ outcomeUnknown });
  });

  test.each([
    ['no line', closeConnection],
    ['an answer of something between', replyWith(502, 'Bad Gateway')],
  ])('%s is reported with the URL and without the secret', async (_, lost) => {
    const { line } = await lineTo([lost], { patience: { withinMs: 0 } });
    for (const ask of [() => line.send(receipt), () => line.open(read)]) {
      const { name, message } = await failed(ask());
      expect(name).toBe('UnreachableError');
      expect(message).toContain(` ${service.baseUrl}/v1/tenants/t/`);
      expect(message).not.toContain('lsk_');
    }
  });

  test('names why the connection failed, and not only that the fetch failed', async () => {
    const { line } = await lineTo([], { patience: { withinMs: 0 } });
    await service.close();
    for (const ask of [() => line.send(read), () => line.open(read)]) {
      const failure = await failed(ask());
      expect(failure).toMatchObject({ name: 'UnreachableError', code: 'ECONNREFUSED' });
      expect(failure.message).toMatch(/ECONNREFUSED 127\.0\.0\.1:\d+$/);
      expect(failure.cause).toMatchObject({ message: 'fetch failed' });
    }
  });

  test('is known for a read', async () => {
    const { line } = await lineTo([closeConnection], { patience: { withinMs: 0 } });
    expect(await failed(line.send(read))).toMatchObject({ name: 'UnreachableError', outcomeUnknown: false });
  });
});

test('every response is reported with its headers, refusals and streams included', async () => {
  const seen: string[] = [];
  const sunset = (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'Request-Id': 'r-2', Sunset: 'Fri, 15 Jan 2027 00:00:00 GMT' }).end('{}');
  };
  const { line } = await lineTo([refuseWith(429, 'rate_exceeded', 'as_is'), sunset], {
    onAnswer: ({ method, target, status, requestId, headers }) =>
      seen.push([method, target, status, requestId, headers.get('Sunset')].join(' ')),
  });
  await line.send(receipt);
  await (await line.open(read)).text();
  expect(seen).toEqual([
    'POST /v1/tenants/t/receipts 429 r-1 ',
    'POST /v1/tenants/t/receipts 200 r-2 Fri, 15 Jan 2027 00:00:00 GMT',
    'GET /v1/tenants/t/bounds 200 r-2 Fri, 15 Jan 2027 00:00:00 GMT',
  ]);
});

test('an abort by the caller ends a request at any time', async () => {
  const { line } = await lineTo([() => stop.abort(new Error('enough'))]);
  const stop = new AbortController();
  expect((await failed(line.send({ ...read, signal: stop.signal }))).message).toBe('enough');
});

test('an invalid key is refused before anything is sent', async () => {
  expect(await failed(lineTo([replyWith(200, {})], { key: 'lsk_test_short' }))).toBeInstanceOf(TypeError);
});

test('a 304 is an answer', async () => {
  const { line } = await lineTo([(_, response) => response.writeHead(304, { ETag: '"x"' }).end()]);
  expect(await line.send({ ...read, headers: { 'If-None-Match': '"x"' } })).toMatchObject({
    status: 304,
    body: undefined,
  });
  expect(service.sent[0]?.headers['if-none-match']).toBe('"x"');
});
