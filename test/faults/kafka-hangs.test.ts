/** The memory of a gateway while Kafka hangs and callers repeat large requests. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { receiptBody } from '#test/support/lender.ts';
import { partitionCount, partitionOf } from '#test/support/partitions.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let here: TestEnvironment;
let tenant: Tenant;
beforeAll(async () => {
  here = testEnvironment();
  // With the default bounds.
  tenant = await Tenant.open(here, null);
});
afterAll(() => tenant.close());

const mebibyte = 1024 * 1024;

async function residentBytes(): Promise<number> {
  const answer = await fetch(`${here.services.operations.gateway}/metrics`);
  const value = /^process_resident_memory_bytes\S* (\S+)$/m.exec(await answer.text())?.[1];
  if (value === undefined) throw new Error('the gateway has no metric process_resident_memory_bytes');
  return Number(value);
}

/** Nearly 8 MiB that compress badly, for Clients in twelve partitions: ten times as much as records of the topic. */
function largeBatch() {
  const clients = Array.from({ length: 500 * partitionCount }, (_, index) => `c${index}`)
    .filter((client) => partitionOf(bookKey(tenant.id, clientBookId(client))) < 12)
    .slice(0, 500);
  return clients.map((client) =>
    receiptBody(client, 1_00, '2026-03-01', { context: { note: randomBytes(11_500).toString('base64') } }),
  );
}

test('the memory of a gateway stays bounded when callers repeat large batches', async () => {
  const batches = Array.from({ length: 16 }, largeBatch);
  const before = await residentBytes();
  const statuses = new Set<number>();
  here.stack.pause('kafka');
  try {
    const callers = batches.map(async (receipts) => {
      for (let attempt = 0; attempt < 4; attempt += 1)
        statuses.add((await tenant.post('/receipts/batch', { receipts })).status);
    });
    await Promise.all(callers);
    expect(statuses).toEqual(new Set([503]));
    expect(Math.round(((await residentBytes()) - before) / mebibyte)).toBeLessThan(1_000);
  } finally {
    here.stack.resume('kafka');
  }
  const single = receiptBody('unknown-client', 1_00, '2026-03-01');
  await eventually(async () => (await tenant.post('/receipts', single)).status === 422, 40_000);
});
