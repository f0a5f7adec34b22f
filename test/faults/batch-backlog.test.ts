/**
 * A backlog of batches, so that the processor decides batches before the previous one is committed. Batches repeat some
 * Receipts; each must be recorded once, and every batch that contains it is answered with that record.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireProcess, sendSignal } from '#deploy/dev/process-control.ts';
import { killService, startService } from '#deploy/dev/services.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { Random } from '#libs/runtime/random.ts';
import { databaseCount } from '#test/stack/database-count.ts';
import { partitionOf } from '#test/support/partitions.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { findViolations } from './invariants.ts';
import { type AcknowledgedWrite, registerWithRetries } from './workload.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const testTimeoutMs = 60_000 + 60_000 * rounds;
const clients = 12;
/** Enough for at least two batches of the processor in each database. */
const batchCount = 10 * databaseCount;
const receiptsPerBatch = 500;
/** These batches choose among the same references, so that about half of their Receipts are repeated. */
const overlappingBatches = 4;
const sharedReferences = 1_400;
const reportTimeoutMs = 45_000;

let here: TestEnvironment;
let tenant: Tenant;
let kafka: KafkaClient;
let random: Random;
let round = 0;

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  kafka = connectKafka(here.stack.kafkaBrokers, 'batch-backlog');
  random = new Random(seed);
  for (let index = 0; index < clients; index += 1) await registerWithRetries(tenant, `b${index}`);
  console.log(`backlog with seed ${seed}`);
});
afterAll(() => tenant.close());

interface Receipt {
  readonly reference: string;
  readonly client_id: string;
  readonly amount: { readonly minor_units: number; readonly currency: string };
  readonly value_date: string;
}

interface ReceiptOutcome {
  readonly reference: string;
  readonly status: number;
  readonly code?: string;
  readonly retry?: string;
  readonly details?: { readonly recorded_id: string };
  readonly receipt?: { readonly receipt: { readonly id: string } };
}

/**
 * The first batches contain the same Receipts, sometimes with another amount and rarely for another Client in another
 * partition. The others have Receipts of their own, because a batch with repeated references is not decided ahead.
 */
function receipt(batch: number, item: number): Receipt {
  const number =
    batch < overlappingBatches
      ? random.integer(0, sharedReferences - 1)
      : sharedReferences + batch * receiptsPerBatch + item;
  const client = (number + (random.chance(0.001) ? 1 : 0)) % clients;
  const amount = { minor_units: 100 + (number % 7) + (random.chance(0.04) ? 1 : 0), currency: 'MXN' };
  return { reference: `b-${seed}-${round}-${number}`, client_id: `b${client}`, amount, value_date: '2026-03-01' };
}

/** Repeats the batch until every Receipt has a definite outcome. */
async function report(receipts: readonly Receipt[]): Promise<ReceiptOutcome[]> {
  const deadline = performance.now() + reportTimeoutMs;
  for (;;) {
    const response = await tenant.post('/receipts/batch', { receipts }).catch(() => undefined);
    const outcomes = response?.body?.outcomes as ReceiptOutcome[] | undefined;
    if (outcomes?.every(({ retry }) => retry !== 'as_is')) return outcomes;
    if (performance.now() > deadline) {
      throw new Error(`no definite outcomes after ${reportTimeoutMs} ms: ${JSON.stringify(response?.body)}`);
    }
    await sleep(100);
  }
}

/** Stops the processor until all batches are in the topic, then runs `meanwhile` while it processes them. */
async function processBacklog(meanwhile: () => Promise<void>): Promise<void> {
  const entry = requireProcess(here.services.dir, 'processor');
  const batches = Array.from({ length: batchCount }, (_, batch) =>
    Array.from({ length: receiptsPerBatch }, (_, item) => receipt(batch, item)),
  );
  const recordsBefore = await submissionRecordCount();
  const expectedRecords = batches.reduce((sum, batch) => sum + partitionCountOf(batch), 0);
  sendSignal(entry, 'SIGSTOP');
  const reported = Promise.all(batches.map(report));
  // Awaited below.
  reported.catch(() => undefined);
  try {
    // Not longer than this, because the deadlines of the batches pass after two seconds.
    await eventually(async () => (await submissionRecordCount()) >= recordsBefore + expectedRecords, 1_500).catch(
      () => undefined,
    );
  } finally {
    sendSignal(entry, 'SIGCONT');
  }
  await meanwhile();
  const outcomes = (await reported).flatMap((each, batch) =>
    each.map((outcome, item) => ({ outcome, sent: batches[batch]?.[item] as Receipt })),
  );
  expect(outcomes.flatMap(unexpectedOutcome)).toEqual([]);
  const acknowledged = new Map<string, AcknowledgedWrite>();
  for (const { outcome, sent } of outcomes) {
    const receiptId = outcome.receipt?.receipt.id;
    if (receiptId === undefined) continue;
    const { reference, client_id: client } = sent;
    acknowledged.set(reference, {
      namespace: 'receipts',
      bookId: clientBookId(client),
      id: receiptId,
      status: outcome.status,
    });
  }
  const recorded = outcomes.map(({ outcome: { receipt: recordedReceipt, details, reference } }) => ({
    reference,
    id: recordedReceipt?.receipt.id ?? details?.recorded_id,
  }));
  expect(recorded.filter(({ reference, id }) => id !== acknowledged.get(reference)?.id)).toEqual([]);
  expect(outcomes.some(({ outcome }) => outcome.status === 200)).toBe(true);
  expect(outcomes.some(({ outcome }) => outcome.status === 409)).toBe(true);
  expect(await findViolations(here, tenant.id, acknowledged)).toEqual([]);
}

async function submissionRecordCount(): Promise<number> {
  const offsets = await topicOffsets(kafka, topics.submissions);
  return [...offsets.values()].reduce((sum, { high }) => sum + high, 0);
}

function partitionCountOf(batch: readonly Receipt[]): number {
  return new Set(batch.map(({ client_id }) => partitionOf(bookKey(tenant.id, clientBookId(client_id))))).size;
}

function unexpectedOutcome({ outcome, sent }: { outcome: ReceiptOutcome; sent: Receipt }): unknown[] {
  const { status, code, reference } = outcome;
  const isExpected = status === 200 || status === 201 || (status === 409 && code === 'reference_reused');
  return isExpected && reference === sent.reference ? [] : [outcome];
}

async function batchesDecidedAhead(): Promise<number> {
  const text = await (await fetch(`${here.services.operations.processor}/metrics`)).text();
  return Number(/^lending_batches_ahead_total\S* (\d+)$/m.exec(text)?.[1]);
}

async function processBacklogs(meanwhile: () => Promise<void>): Promise<void> {
  for (let repeat = 0; repeat < rounds; repeat += 1) {
    round += 1;
    await processBacklog(meanwhile);
  }
}

describe('every Receipt of a backlog of batches is recorded once', () => {
  test(
    'while batches are decided before the previous one is committed',
    async () => {
      const before = await batchesDecidedAhead();
      await processBacklogs(async () => undefined);
      // A busy machine may deliver the backlog in pieces too small to be decided ahead.
      for (let retries = 0; retries < 5 && (await batchesDecidedAhead()) === before; retries += 1)
        await processBacklogs(async () => undefined);
      expect(await batchesDecidedAhead()).toBeGreaterThan(before);
    },
    testTimeoutMs,
  );

  test(
    'when the processor is killed while it processes the backlog',
    () =>
      processBacklogs(async () => {
        await sleep(random.integer(0, 200));
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
      }),
    testTimeoutMs,
  );

  test(
    'when Postgres is killed while the backlog is processed',
    () =>
      processBacklogs(async () => {
        await sleep(random.integer(0, 200));
        await here.stack.kill('postgres');
        await here.stack.start('postgres');
      }),
    testTimeoutMs,
  );
});
