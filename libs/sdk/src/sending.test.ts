import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAuthorization } from '../../auth/header.ts';
import { signerFromText } from '../../auth/sign.ts';
import { keyObject, verifies } from '../../auth/verify.ts';
import { answer, breakLine, quickWorld, type Reply, refusal, type Scripted, scripted } from '../testing/scripted.ts';
import type { LendingError, LendingUnreachable } from './errors.ts';
import { Line, type LineOptions, type Outgoing } from './sending.ts';
import { targetOf } from './targets.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const publicKey = keyObject(there(signerFromText(key)).publicKey);

let service: Scripted;
afterEach(() => service.close());

async function lineTo(script: readonly Reply[], options: Partial<LineOptions> = {}) {
  service = await scripted(...script);
  const world = quickWorld();
  return { world, line: new Line({ baseUrl: service.baseUrl, key, world, ...options }, '2026-10-16') };
}

const receipt: Outgoing = { method: 'POST', target: '/v1/tenants/t/receipts', body: '{"reference":"r"}' };
const read: Outgoing = { method: 'GET', target: '/v1/tenants/t/bounds' };
const recorded = answer(201, { receipt: {} });

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it is not there');
  return value;
}

async function failed(sending: Promise<unknown>): Promise<LendingError & LendingUnreachable> {
  return sending.then(
    () => Promise.reject(new Error('it did not fail')),
    (cause) => cause,
  );
}

describe('a request', () => {
  test('is signed over exactly what is on its request line', async () => {
    const { line } = await lineTo([answer(200, {})]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }), async (a, b) => {
        fc.pre(a !== '.' && a !== '..' && a.isWellFormed() && b.isWellFormed());
        const parameters = { receipt_reference: a, cursor: b };
        const addressed = { path: '/v1/tenants/t/receipts/{receipt_reference}', query: ['cursor'] };
        await line.send({ method: 'GET', target: targetOf(addressed, parameters) });
        const { method, target, headers } = there(service.sent.at(-1));
        const presented = there(parseAuthorization(String(headers.authorization)));
        const canonical = [method, target, presented.ts, createHash('sha256').digest('hex')].join('\n');
        expect(verifies(publicKey, canonical, presented.signature)).toBe(true);
        const url = new URL(target, service.baseUrl);
        expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(a);
        expect(url.searchParams.get('cursor')).toBe(b);
      }),
    );
  });

  test('states the version of the contract its types are of', async () => {
    const { line } = await lineTo([answer(200, { concurrent: 16 })]);
    expect(await line.send(read)).toMatchObject({ status: 200, body: { concurrent: 16 }, requestId: 'r-1' });
    expect(service.sent[0]?.headers['contract-version']).toBe('2026-10-16');
  });

  test('names no segment an address parser would walk by', () => {
    const reading = { path: '/v1/tenants/t/receipts/{receipt_reference}', query: [] };
    for (const reference of ['', '.', '..'])
      expect(() => targetOf(reading, { receipt_reference: reference })).toThrow(TypeError);
  });

  test('goes to a host, not to a path of one', () => {
    expect(() => new Line({ baseUrl: 'https://lending.example/v1', key }, '2026-10-16')).toThrow('the host alone');
  });
});

describe('a request is sent again', () => {
  test('as it is, signed anew, where the refusal says so, and not before it says', async () => {
    const { line, world } = await lineTo([
      refusal(429, 'rate_exceeded', 'as_is', { retry_after: 3 }),
      refusal(409, 'contended', 'as_is'),
      recorded,
    ]);
    expect((await line.send(receipt)).status).toBe(201);
    expect(service.sent.map(({ body }) => body)).toEqual([receipt.body, receipt.body, receipt.body]);
    expect(new Set(service.sent.map(({ headers }) => headers.authorization)).size).toBe(2);
    expect(world.pauses).toHaveLength(2);
    expect(world.pauses[0]).toBeGreaterThanOrEqual(3_000);
    expect(world.pauses[1]).toBeLessThan(3_000);
  });

  test.each([
    ['the line broke', breakLine],
    ['something between answered for the service', answer(502, 'Bad Gateway')],
    ['an answer is cut off', (_sent, response) => response.writeHead(201).end('{"receipt":{')],
    ['the door could not say what became of it', refusal(503, 'unavailable', 'as_is', { retry_after: 5 })],
  ] as readonly (readonly [string, Reply])[])('where %s: the reference asks for the truth', async (_, lost) => {
    const { line } = await lineTo([lost, answer(200, { receipt: { id: 'recorded the first time' } })]);
    expect(await line.send(receipt)).toMatchObject({
      status: 200,
      body: { receipt: { id: 'recorded the first time' } },
    });
  });

  test('where no answer came in time', async () => {
    const { line } = await lineTo([() => undefined, recorded], { answerWithinMs: 50 });
    expect((await line.send(receipt)).status).toBe(201);
  });

  test('after pauses that grow and end with patience', async () => {
    const told: number[] = [];
    const { line, world } = await lineTo([refusal(500, 'internal_error', 'as_is')], {
      patience: { withinMs: 10_000, firstPauseMs: 100, longestPauseMs: 2_000 },
      onRetry: (_, pauseMs) => told.push(pauseMs),
    });
    const error = await failed(line.send(receipt));
    expect(error).toMatchObject({ name: 'LendingError', code: 'internal_error', outcomeUnknown: true });
    expect(world.pauses.slice(0, 5)).toEqual([75, 150, 300, 600, 1_200]);
    expect(Math.max(...world.pauses)).toBe(1_500);
    expect(world.pauses.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(10_000);
    expect(told).toEqual(world.pauses);
  });

  test('under the same idempotency key', async () => {
    const { line } = await lineTo([breakLine, answer(201, {})]);
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
    const { line, world } = await lineTo([
      refusal(409, 'already_ceded', retry, { details: { recorded_id: 'e-1' } }),
      recorded,
    ]);
    const error = await failed(line.send(receipt));
    expect(error).toMatchObject({
      name: 'LendingError',
      status: 409,
      code: 'already_ceded',
      retry,
      details: { recorded_id: 'e-1' },
      requestId: 'r-1',
      outcomeUnknown: false,
    });
    expect(error.message).toContain('POST /v1/tenants/t/receipts: 409 already_ceded');
    expect(world.pauses).toEqual([]);
  });

  test('that asks for more patience than there is', async () => {
    const { line, world } = await lineTo([refusal(503, 'unavailable', 'as_is', { retry_after: 60 })]);
    expect(await failed(line.send(read))).toMatchObject({ code: 'unavailable', retryAfter: 60 });
    expect(world.pauses).toEqual([]);
  });
});

describe('whether it is recorded all the same', () => {
  const lost = refusal(503, 'unavailable', 'as_is');
  const barred = refusal(403, 'not_permitted_scope', 'after_change');
  const decided = refusal(409, 'reference_reused', 'after_change');
  const busy = refusal(429, 'rate_exceeded', 'as_is', { retry_after: 60 });

  test.each([
    ['is unknown where the line broke', [breakLine], true],
    ['stays unknown where the next attempt was not even looked at', [lost, barred], true],
    ['stays unknown where the next attempt was turned away', [breakLine, busy], true],
    ['is known where the next attempt was decided', [lost, decided], false],
    ['is known where nothing but a refusal came', [barred], false],
  ] as readonly (readonly [string, readonly Reply[], boolean])[])('%s', async (_, script, outcomeUnknown) => {
    const { line } = await lineTo(script, { patience: { withinMs: 1_000 } });
    expect(await failed(line.send(receipt))).toMatchObject({ outcomeUnknown });
  });

  test.each([
    ['no line', breakLine],
    ['an answer of something between', answer(502, 'Bad Gateway')],
  ])('%s to the service is told with the address that was asked, and no secret', async (_, lost) => {
    const { line } = await lineTo([lost], { patience: { withinMs: 0 } });
    for (const ask of [() => line.send(receipt), () => line.open(read)]) {
      const { name, message } = await failed(ask());
      expect(name).toBe('LendingUnreachable');
      expect(message).toContain(` ${service.baseUrl}/v1/tenants/t/`);
      expect(message).not.toContain('lsk_');
    }
  });

  test('is no question of a read', async () => {
    const { line } = await lineTo([breakLine], { patience: { withinMs: 0 } });
    expect(await failed(line.send(read))).toMatchObject({ name: 'LendingUnreachable', outcomeUnknown: false });
  });
});

test("the caller's own word ends it, whatever it is doing", async () => {
  const { line } = await lineTo([() => stop.abort(new Error('enough'))]);
  const stop = new AbortController();
  expect((await failed(line.send({ ...read, signal: stop.signal }))).message).toBe('enough');
});

test('a broken key is no fault of the line: it is told and not tried again', async () => {
  const { line, world } = await lineTo([answer(200, {})], { key: 'lsk_test_short' });
  expect(await failed(line.send(read))).toBeInstanceOf(TypeError);
  expect(world.pauses).toEqual([]);
});

test('an answer that nothing changed is an answer', async () => {
  const { line } = await lineTo([(_, response) => response.writeHead(304, { ETag: '"x"' }).end()]);
  expect(await line.send({ ...read, headers: { 'If-None-Match': '"x"' } })).toMatchObject({
    status: 304,
    body: undefined,
  });
  expect(service.sent[0]?.headers['if-none-match']).toBe('"x"');
});
