/** What a gateway holds of those who come again and again while the log hangs. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReceipt } from '#test/integration/desk.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';

let here: House;
let tenant: Tenant;
beforeAll(async () => {
  here = house();
  // In the bounds that every Tenancy has.
  tenant = await Tenant.open(here, null);
});
afterAll(() => tenant.close());

const mebibyte = 1024 * 1024;

async function residentBytes(): Promise<number> {
  const answer = await fetch(`${here.services.operations.gateway}/metrics`);
  const told = /^process_resident_memory_bytes\S* (\S+)$/m.exec(await answer.text())?.[1];
  if (told === undefined) throw new Error('the gateway does not tell what it holds');
  return Number(told);
}

/** Nearly eight mebibytes that do not deflate well, over Clients in every partition: ten times as much in the log. */
function batch() {
  return Array.from({ length: 500 }, (_, at) =>
    aReceipt(`c${at}`, 1_00, '2026-03-01', { context: { note: randomBytes(11_500).toString('base64') } }),
  );
}

test('a gateway holds no more of batches than it has room for, however often their callers come again', async () => {
  const batches = Array.from({ length: 16 }, batch);
  const before = await residentBytes();
  const statuses = new Set<number>();
  here.stack.pause('kafka');
  try {
    const callers = batches.map(async (receipts) => {
      for (let times = 0; times < 4; times += 1)
        statuses.add((await tenant.post('/receipts/batch', { receipts })).status);
    });
    await Promise.all(callers);
    expect(statuses).toEqual(new Set([503]));
    expect(Math.round(((await residentBytes()) - before) / mebibyte)).toBeLessThan(1_000);
  } finally {
    here.stack.resume('kafka');
  }
  const single = aReceipt('nobody', 1_00, '2026-03-01');
  await eventually(async () => (await tenant.post('/receipts', single)).status === 422, 40_000);
}, 120_000);
