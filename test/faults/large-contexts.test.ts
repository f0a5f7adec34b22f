/** Receipts with the largest contexts: a processor with a small heap records them all and is not ended by them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceEnvironment, startService } from '#deploy/dev/services.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { ServiceProcess, stopService } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { findViolations } from './invariants.ts';
import { type AcknowledgedWrite, registerWithRetries } from './workload.ts';

const heapMebibytes = 128;
const clientCount = 24;
const receiptsPerBatch = 120;
/** The contexts of all batches together, parsed, take three times the heap, and in `npm run test:faults` eight times. */
const batchCount = process.env['FAULT_ROUNDS'] === undefined ? 8 : 20;
/** Close to the 16 KiB that a context may have. As parsed objects it takes twenty times its text. */
const context = { items: Array.from({ length: 5_400 }, () => ({})) };

interface Outcome {
  readonly status: number;
  readonly receipt?: { readonly receipt: { readonly id: string } };
}

let here: TestEnvironment;
let tenant: Tenant;
let processor: ServiceProcess;
const acknowledged = new Map<string, AcknowledgedWrite>();

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  await Promise.all(Array.from({ length: clientCount }, (_, index) => registerWithRetries(tenant, clientOf(index))));
  await stopService(here.services, 'processor');
  const NODE_OPTIONS = `--max-old-space-size=${heapMebibytes} --max-semi-space-size=16`;
  processor = await ServiceProcess.start('processor', { ...serviceEnvironment(here.stack), NODE_OPTIONS });
  await processor.waitUntilReady();
});

afterAll(async () => {
  await processor.stop();
  await startService(here.services, 'processor');
  await tenant.close();
});

function clientOf(index: number): string {
  return `large-${index % clientCount}`;
}

/** Sent again while an outcome is unknown: a batch of this size may be decided after its deadline. */
async function report(name: string, count: number, client: (item: number) => string): Promise<void> {
  const receipts = Array.from({ length: count }, (_, item) => ({
    reference: `${name}-${item}`,
    client_id: client(item),
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
    context,
  }));
  let outcomes: readonly Outcome[] = [];
  await eventually(async () => {
    if (!processor.isRunning()) throw new Error(`the processor ended while it decided ${name}`);
    outcomes = (await tenant.post('/receipts/batch', { receipts })).body?.outcomes ?? [];
    return outcomes.length > 0 && outcomes.every(({ status }) => status === 200 || status === 201);
  });
  for (const [item, { status, receipt }] of outcomes.entries()) {
    const id = receipt?.receipt.id as string;
    acknowledged.set(`${name}-${item}`, { namespace: 'receipts', bookId: clientBookId(client(item)), id, status });
  }
}

test('a processor records the longest batch for one Client, and more contexts than its heap could hold', async () => {
  await report('longest', 480, () => clientOf(0));
  for (let batch = 0; batch < batchCount; batch += 1) await report(`batch-${batch}`, receiptsPerBatch, clientOf);
  expect(processor.isRunning()).toBe(true);
  expect(await findViolations(here, tenant.id, acknowledged)).toEqual([]);
});
