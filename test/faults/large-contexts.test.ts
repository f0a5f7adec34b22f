/** Receipts with the largest contexts: a processor with a small heap records them all and is not ended by them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killService, serviceEnvironment, startService } from '#deploy/dev/services.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { findViolations } from './invariants.ts';
import { type AcknowledgedWrite, registerWithRetries } from './workload.ts';

const heapMebibytes = 192;
const clientCount = 24;
const receiptsPerBatch = 480;
/** Their facts together take more than the heap. */
const batchCount = 14;
/** Close to the 16 KiB that a context may have. As parsed objects it takes twenty times its text. */
const context = { items: Array.from({ length: 5_400 }, () => ({})) };

interface Outcome {
  readonly reference: string;
  readonly status: number;
  readonly receipt?: { readonly receipt: { readonly id: string } };
}

let here: TestEnvironment;
let tenant: Tenant;
let processor: ServiceProcess;

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  await Promise.all(Array.from({ length: clientCount }, (_, index) => registerWithRetries(tenant, clientOf(index))));
  await killService(here.services, 'processor');
  const NODE_OPTIONS = `--max-old-space-size=${heapMebibytes} --max-semi-space-size=16`;
  processor = await ServiceProcess.start('processor', { ...serviceEnvironment(here.stack), NODE_OPTIONS });
  await processor.waitUntilReady();
}, 60_000);

afterAll(async () => {
  await processor.stop();
  await startService(here.services, 'processor');
  await tenant.close();
}, 60_000);

function clientOf(index: number): string {
  return `large-${index % clientCount}`;
}

/** Sent again while an outcome is unknown. */
async function report(batch: number): Promise<readonly Outcome[]> {
  const receipts = Array.from({ length: receiptsPerBatch }, (_, item) => ({
    reference: `large-${batch}-${item}`,
    client_id: clientOf(item),
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
    context,
  }));
  let outcomes: readonly Outcome[] | undefined;
  await eventually(async () => {
    if (!processor.isRunning()) throw new Error(`the processor ended in batch ${batch} of ${batchCount}`);
    const response = await tenant.post('/receipts/batch', { receipts });
    outcomes = response.body?.outcomes;
    return outcomes?.every(({ status }) => status === 200 || status === 201) === true;
  }, 20_000);
  return outcomes ?? [];
}

test('a processor records more Receipts with large contexts than its heap could hold', async () => {
  const acknowledged = new Map<string, AcknowledgedWrite>();
  for (let batch = 0; batch < batchCount; batch += 1) {
    for (const [item, { reference, status, receipt }] of (await report(batch)).entries()) {
      const id = receipt?.receipt.id as string;
      acknowledged.set(reference, { namespace: 'receipts', bookId: clientBookId(clientOf(item)), id, status });
    }
  }
  expect(processor.isRunning()).toBe(true);
  expect(acknowledged.size).toBe(batchCount * receiptsPerBatch);
  expect(await findViolations(here, tenant.id, acknowledged)).toEqual([]);
}, 120_000);
