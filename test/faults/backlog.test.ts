/**
 * A backlog of batches, which the processor decides ahead of their commits: whatever meets it meanwhile, every Receipt
 * is recorded once, by the first that told of it, and everybody who told of it is answered with that one.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signal } from '#deploy/stack/processes.ts';
import { killService, mustEntry, startService } from '#deploy/start/house.ts';
import { type House, house, Tenant } from '#test/integration/tenant.ts';
import { findings } from './findings.ts';
import { type Acknowledged, seeded } from './lenders.ts';
import { registered } from './registered.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const withinMs = 60_000 + 60_000 * rounds;
const clients = 12;
const batches = 10;
const receiptsEach = 500;
/** Requests that share their references, so that about every second of those is told of twice. */
const sharing = 4;
const references = 1_400;
const patientForMs = 45_000;

let here: House;
let tenant: Tenant;
let random: () => number;
let lap = 0;

beforeAll(async () => {
  here = house();
  tenant = await Tenant.open(here);
  random = seeded(seed);
  for (let at = 0; at < clients; at += 1) await registered(tenant, `b${at}`);
  console.log(`backlog with seed ${seed}`);
});
afterAll(() => tenant.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const whole = (below: number): number => Math.floor(random() * below);

interface Receipt {
  readonly reference: string;
  readonly client_id: string;
  readonly amount: { readonly minor_units: number; readonly currency: string };
  readonly value_date: string;
}

interface Outcome {
  readonly reference: string;
  readonly status: number;
  readonly code?: string;
  readonly retry?: string;
  readonly details?: { readonly recorded_id: string };
  readonly receipt?: { readonly receipt: { readonly id: string } };
}

/**
 * The first requests tell of the same Receipts, now and then of another amount, and seldom of another Client in another
 * partition. Those after them have Receipts of their own: what is told of twice is not decided ahead.
 */
function receipt(request: number, item: number): Receipt {
  const of = request < sharing ? whole(references) : references + request * receiptsEach + item;
  const client = (of + (random() < 0.001 ? 1 : 0)) % clients;
  const amount = { minor_units: 100 + (of % 7) + (random() < 0.04 ? 1 : 0), currency: 'MXN' };
  return { reference: `b-${seed}-${lap}-${of}`, client_id: `b${client}`, amount, value_date: '2026-03-01' };
}

/** Sent until all of it is told. */
async function report(receipts: readonly Receipt[]): Promise<Outcome[]> {
  const until = performance.now() + patientForMs;
  for (;;) {
    const told = await tenant.post('/receipts/batch', { receipts }).catch(() => undefined);
    const outcomes = told?.body?.outcomes as Outcome[] | undefined;
    if (outcomes?.every(({ retry }) => retry !== 'as_is')) return outcomes;
    if (performance.now() > until) throw new Error(`not told within ${patientForMs} ms: ${JSON.stringify(told?.body)}`);
    await pause(100);
  }
}

/** All of them stand in the log before the first is decided. */
async function backlog(meanwhile: () => Promise<void>): Promise<void> {
  const entry = mustEntry(here.services.dir, 'processor');
  const sent = Array.from({ length: batches }, (_, request) =>
    Array.from({ length: receiptsEach }, (_, item) => receipt(request, item)),
  );
  signal(entry, 'SIGSTOP');
  const reported = Promise.all(sent.map(report));
  // Met where it is awaited.
  reported.catch(() => undefined);
  try {
    await pause(800);
  } finally {
    signal(entry, 'SIGCONT');
  }
  await meanwhile();
  const outcomes = (await reported).flatMap((each, at) =>
    each.map((outcome, item) => ({ outcome, of: sent[at]?.[item] as Receipt })),
  );
  expect(outcomes.flatMap(surprising)).toEqual([]);
  const acknowledged = new Map<string, Acknowledged>();
  for (const { outcome, of } of outcomes) {
    const receiptId = outcome.receipt?.receipt.id;
    if (receiptId === undefined) continue;
    const { reference, client_id: client } = of;
    acknowledged.set(reference, {
      namespace: 'receipts',
      bookId: `c/${client}`,
      id: receiptId,
      status: outcome.status,
    });
  }
  const recorded = outcomes.map(({ outcome: { receipt: told, details, reference } }) => ({
    reference,
    as: told?.receipt.id ?? details?.recorded_id,
  }));
  expect(recorded.filter(({ reference, as }) => as !== acknowledged.get(reference)?.id)).toEqual([]);
  expect(outcomes.some(({ outcome }) => outcome.status === 200)).toBe(true);
  expect(outcomes.some(({ outcome }) => outcome.status === 409)).toBe(true);
  expect(await findings(here, tenant.id, acknowledged)).toEqual([]);
}

function surprising({ outcome, of }: { outcome: Outcome; of: Receipt }): unknown[] {
  const { status, code, reference } = outcome;
  const isTold = status === 200 || status === 201 || (status === 409 && code === 'reference_reused');
  return isTold && reference === of.reference ? [] : [outcome];
}

async function decidedAhead(): Promise<number> {
  const text = await (await fetch(`${here.services.operations.processor}/metrics`)).text();
  return Number(/^lending_batches_ahead_total\S* (\d+)$/m.exec(text)?.[1]);
}

async function inRounds(meanwhile: () => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    lap += 1;
    await backlog(meanwhile);
  }
}

describe('a backlog of batches', () => {
  test(
    'is decided ahead of its commits',
    async () => {
      const before = await decidedAhead();
      await inRounds(async () => undefined);
      // A machine that is busy with other things may bring it in smaller pieces now and then.
      for (let more = 0; more < 5 && (await decidedAhead()) === before; more += 1)
        await inRounds(async () => undefined);
      expect(await decidedAhead()).toBeGreaterThan(before);
    },
    withinMs,
  );

  test(
    'outlives the processor that is at work on it',
    () =>
      inRounds(async () => {
        await pause(random() * 200);
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
      }),
    withinMs,
  );

  test(
    'outlives the store that is at work on it',
    () =>
      inRounds(async () => {
        await pause(random() * 200);
        await here.stack.kill('postgres');
        await here.stack.start('postgres');
      }),
    withinMs,
  );
});
