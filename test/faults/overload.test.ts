/** Requests at twice the rate that the service can sustain. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BenchLender, createBenchLender } from '#test/load/bench-lender.ts';
import { runClosedLoop } from '#test/load/closed-loop.ts';
import { Connection } from '#test/load/connection.ts';
import { runOpenLoop } from '#test/load/open-loop.ts';
import { type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { findViolations } from './invariants.ts';
import type { AcknowledgedWrite } from './workload.ts';

const clients = 64;
// Short, because later tests audit every Receipt that is written here.
const seconds = 1;

let here: TestEnvironment;
let port: number;
let lender: BenchLender;
let receiptCount = 0;
let connection: Connection;

beforeAll(async () => {
  here = testEnvironment();
  port = Number(new URL(here.services.baseUrl).port);
  lender = await createBenchLender(here.stack, port, clients);
  connection = await Connection.open(port);
});
afterAll(() => connection.close());

function receipt(): Buffer {
  receiptCount += 1;
  return lender.receipt(lender.clients[receiptCount % clients] as string);
}

/** Receipts per second when each of 64 callers waits for its previous answer. */
async function sustainableRate(): Promise<number> {
  const connections = await Promise.all(Array.from({ length: 64 }, () => Connection.open(port)));
  const { perSecond } = await runClosedLoop({ connections, durationMs: seconds * 1_000, nextRequest: receipt });
  for (const each of connections) each.close();
  return perSecond;
}

test('at twice the sustainable rate the service accepts a good part, refuses the rest with proper codes, and recovers immediately', async () => {
  const rate = await sustainableRate();
  const acknowledged = new Map<string, AcknowledgedWrite>();
  const result = await runOpenLoop({
    port,
    perSecond: 2 * rate,
    requests: Array.from({ length: Math.ceil(2 * rate * seconds) }, receipt),
    onResponse({ status, body }) {
      if (status !== 201) return;
      const { id, reference, client_id } = JSON.parse(body).receipt;
      acknowledged.set(reference, { namespace: 'receipts', bookId: `c/${client_id}`, id, status });
    },
  });
  expect((await connection.send(receipt())).status).toBe(201);
  expect(result.unanswered).toBe(0);
  const unexpected = Object.keys(result.responseCounts).filter(
    (outcome) => !/^(201|409 contended|429 (too_many_concurrent|rate_exceeded)|503 unavailable)$/.test(outcome),
  );
  expect(unexpected).toEqual([]);
  // A low bar, because other test files run at the same time; `npm run bench:write` measures the exact share.
  expect(acknowledged.size).toBeGreaterThan((rate * seconds) / 5);
  expect(await findViolations(here, lender.tenantId, acknowledged)).toEqual([]);
});
