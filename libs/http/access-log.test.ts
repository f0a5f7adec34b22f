import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessLog } from '#libs/http/access-log.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { startTestService, type TestService } from '#libs/http/testing/service.ts';
import { createLogger } from '#libs/runtime/logging.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.server.close());

/** An access log and the lines it has written. */
function openLog({ sample = 1, random = (): number => 0.5, now = (): number => 0 } = {}) {
  const lines: Record<string, unknown>[] = [];
  const output = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { lines, observe: accessLog({ logger: createLogger('gateway', 'info', output), sample, random, now }) };
}

/** The request that was answered last. */
function answered(status?: number): AnsweredRequest {
  const last = service.observations.at(-1) as AnsweredRequest;
  return { ...last, status: status ?? last.status };
}

describe('a line of the access log', () => {
  test('states who asked for what and how it was answered, without body, key or names in the path', async () => {
    const headers = ['Content-Type: application/json', `traceparent: 00-${traceId}-b7ad6b7169203331-01`];
    const { text } = await service.postReceipt({ headers });
    const { lines, observe } = openLog();
    observe(answered());

    expect(lines[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      service: 'gateway',
      pid: process.pid,
      event: 'http.request',
      request_id: answered().context.requestId,
      trace_id: traceId,
      tenant_id: 'acme',
      method: 'POST',
      route: '/v1/tenants/{tenant_id}/receipts',
      status: 201,
      duration_ms: expect.any(Number),
      request_bytes: answered().context.body?.length,
      response_bytes: text.length,
      msg: 'request',
    });
  });

  test('names neither Tenancy nor route of an unknown sender', async () => {
    await service.postReceipt({ signer: service.unknownKey });
    const { lines, observe } = openLog();
    observe(answered());

    expect(lines[0]).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(Object.keys(lines[0] ?? {})).not.toEqual(expect.arrayContaining(['tenant_id']));
    expect(Object.keys(lines[0] ?? {})).not.toEqual(expect.arrayContaining(['route']));
  });
});

describe('the access log', () => {
  beforeAll(async () => {
    await service.postReceipt();
  });

  test('writes the share of requests that the setting states', () => {
    let next = 0;
    const { lines, observe } = openLog({ sample: 0.25, random: () => (next++ % 100) / 100 });
    for (let count = 0; count < 100; count += 1) observe(answered());

    expect(lines).toHaveLength(25);
  });

  test('always writes requests answered 5xx, and no others where nothing is sampled', () => {
    const { lines, observe } = openLog({ sample: 0 });
    for (const status of [200, 422, 429, 500, 503]) observe(answered(status));

    expect(lines.map(({ status }) => status)).toEqual([500, 503]);
  });

  test('writes at most 50 requests answered 5xx per second, and counts those it left out', () => {
    let now = 1_000;
    const { lines, observe } = openLog({ sample: 0, now: () => now });
    for (let count = 0; count < 80; count += 1) observe(answered(503));
    expect(lines).toHaveLength(50);

    now = 2_000;
    observe(answered(503));
    observe(answered(503));
    expect(lines.slice(50).map(({ skipped }) => skipped)).toEqual([30, undefined]);
  });
});
