/** More is asked than the service can carry, by callers who do not wait for each other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type House, house } from '#test/integration/tenant.ts';
import { Line } from '#test/load/caller.ts';
import { type Lender, openLender } from '#test/load/lender.ts';
import { measure } from '#test/load/measure.ts';
import { offer } from '#test/load/open-loop.ts';
import { findings } from './findings.ts';
import type { Acknowledged } from './lenders.ts';

const clients = 64;
// What is written here is audited with the rest of the house, a signature each.
const seconds = 1;

let here: House;
let port: number;
let lender: Lender;
let nth = 0;
let quiet: Line;

beforeAll(async () => {
  here = house();
  port = Number(new URL(here.services.baseUrl).port);
  lender = await openLender(here.stack, port, clients);
  quiet = await Line.open(port);
}, 60_000);
afterAll(() => quiet.close());

function receipt(): Buffer {
  nth += 1;
  return lender.receipt(lender.clients[nth % clients] as string);
}

/** Receipts a second, each caller waiting for the answer to its last. */
async function carried(): Promise<number> {
  const lines = await Promise.all(Array.from({ length: 64 }, () => Line.open(port)));
  const { perSecond } = await measure({ lines, ms: seconds * 1_000, next: receipt });
  for (const each of lines) each.close();
  return perSecond;
}

test('of twice what it can carry it takes a good part, refuses the rest by its name, and is well straight after', async () => {
  const best = await carried();
  const acknowledged = new Map<string, Acknowledged>();
  const offered = await offer({
    port,
    perSecond: 2 * best,
    requests: Array.from({ length: Math.ceil(2 * best * seconds) }, receipt),
    seen({ status, body }) {
      if (status !== 201) return;
      const { id, reference, client_id } = JSON.parse(body).receipt;
      acknowledged.set(reference, { namespace: 'receipts', bookId: `c/${client_id}`, id, status });
    },
  });
  expect((await quiet.send(receipt())).status).toBe(201);
  expect(offered.unanswered).toBe(0);
  const unexpected = Object.keys(offered.answers).filter(
    (said) => !/^(201|409 contended|429 (too_many_concurrent|rate_exceeded)|503 unavailable)$/.test(said),
  );
  expect(unexpected).toEqual([]);
  // How much of the best is measured by `npm run bench:write`: here others run beside it.
  expect(acknowledged.size).toBeGreaterThan((best * seconds) / 5);
  expect(await findings(here, lender.tenantId, acknowledged)).toEqual([]);
}, 120_000);
