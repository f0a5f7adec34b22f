/**
 * One round of `npm run bench:peer`, on a stack of its own: the load under which the service is compared with other ledgers
 * and with its earlier states. Each operation is about a Client chosen at random.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { readBytes } from '#test/support/signed-request.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import { Connection } from './connection.ts';
import { type CpuTimes, cpuTimesBetween, readCpuTimes } from './cpu-usage.ts';
import { waitUntilPublished } from './record-receipts.ts';
import { succeeded } from './write-run.ts';

export interface PhaseResult {
  readonly phase: string;
  /** Receipts, or reads. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time of each server process for one operation. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly other: number;
  /** Microseconds of the monotonic clock: when its window began and ended. */
  readonly window: readonly [from: number, to: number];
}

export interface RoundResult {
  readonly phases: readonly PhaseResult[];
  /** Bytes that topics and database hold on disk for one Receipt, over all phases that write. */
  readonly bytesPerReceipt: number;
}

interface Phase {
  readonly name: string;
  readonly connections: number;
  /** Operations in one request. */
  readonly operations: number;
  /** More operations in a second than a machine with two cores can process. */
  readonly maxPerSecond: number;
  readonly request: () => Buffer;
}

export interface RoundOptions {
  readonly clients: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Only the phases whose name contains it. */
  readonly only: string;
}

export async function runRound(environment: BenchEnvironment, options: RoundOptions): Promise<RoundResult> {
  const { stack, port } = environment;
  const lender = await createBenchLender(stack, port, options.clients);
  await waitUntilPublished(stack);
  const bytesBefore = await storedBytes(stack);
  const phases: PhaseResult[] = [];
  let receipts = 0;
  let bytesPerReceipt = Number.NaN;
  for (const phase of phasesOf(lender).filter(({ name }) => name.includes(options.only))) {
    if (phase.name.startsWith('reads') && receipts > 0 && Number.isNaN(bytesPerReceipt)) {
      await waitUntilPublished(stack);
      bytesPerReceipt = ((await storedBytes(stack)) - bytesBefore) / receipts;
    }
    const { result, recorded } = await runPhase(environment, phase, options);
    phases.push(result);
    receipts += recorded;
  }
  return { phases, bytesPerReceipt };
}

function phasesOf(lender: BenchLender): Phase[] {
  const anyClient = (): string => lender.clients[Math.floor(Math.random() * lender.clients.length)] as string;
  const single = { operations: 1, maxPerSecond: 8_000, request: () => lender.receipt(anyClient()) };
  const batch = { operations: 100, maxPerSecond: 30_000, request: () => lender.batch(100, anyClient) };
  const read = { operations: 1, maxPerSecond: 15_000, request: () => paymentOptions(lender, anyClient()) };
  return [
    { ...single, name: 'single receipts, 16 connections', connections: 16 },
    { ...single, name: 'single receipts, 64 connections', connections: 64 },
    { ...batch, name: 'batches of 100, 4 connections', connections: 4 },
    { ...batch, name: 'batches of 100, 8 connections', connections: 8 },
    { ...read, name: 'reads, 16 connections', connections: 16 },
  ];
}

function paymentOptions({ tenantId, signer }: BenchLender, client: string): Buffer {
  const target = `/v1/tenants/${tenantId}/clients/${client}/payment-options?on=2026-03-20`;
  return readBytes(signer, target);
}

async function runPhase(
  { stack, services, port }: BenchEnvironment,
  { name, connections: count, operations, maxPerSecond, request }: Phase,
  { warmUpSeconds, seconds }: RoundOptions,
): Promise<{ readonly result: PhaseResult; readonly recorded: number }> {
  const requestCount = Math.ceil((maxPerSecond / operations) * (warmUpSeconds + seconds));
  const requests = Array.from({ length: requestCount }, request);
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  let sent = 0;
  const nextRequest = (): Buffer | undefined => requests[sent++];
  const run = (durationSeconds: number): Promise<LoadResult> =>
    runClosedLoop({ connections, durationMs: durationSeconds * 1_000, nextRequest });
  const warmUp = await run(warmUpSeconds);
  const from = monotonicMicros();
  const before = readCpuTimes(stack, services);
  const window = await run(seconds);
  const cpu = cpuTimesBetween(before, readCpuTimes(stack, services));
  for (const connection of connections) connection.close();
  const done = succeeded(window) * operations;
  const result = {
    phase: name,
    perSecond: (window.perSecond * done) / window.answered,
    p50: window.p50,
    p99: window.p99,
    cpu: perOperation(cpu, done),
    other: window.answered - succeeded(window),
    window: [from, monotonicMicros()] as const,
  };
  return { result, recorded: name.startsWith('reads') ? 0 : done + succeeded(warmUp) * operations };
}

function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Without the load generator. */
function perOperation(cpu: CpuTimes, operations: number): Record<string, number> {
  const servers = Object.entries(cpu).filter(([name]) => name !== 'load');
  return Object.fromEntries(servers.map(([name, ms]) => [name, (ms * 1_000) / operations]));
}

/**
 * What the stack holds. Postgres is asked for its database: its folder may be elsewhere, and holds a write-ahead log that is used
 * again. Else blocks on disk: files that were allocated ahead and hold nothing yet count as little as they take.
 */
async function storedBytes({ dir, databaseUrl }: BenchEnvironment['stack']): Promise<number> {
  const blocks = execFileSync('du', ['-sk', '--exclude', join(dir, 'postgres'), dir], { encoding: 'utf8' });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query('SELECT pg_database_size(current_database())::float8 AS bytes');
    return Number(blocks.split('\t')[0]) * 1_024 + Number(rows[0].bytes);
  } finally {
    await database.end();
  }
}
