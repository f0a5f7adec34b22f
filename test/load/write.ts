/**
 * `npm run bench:write`: signed receipts against a house of its own, everything on this machine and durable, beside the
 * floor of the same machine in the same minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCustody } from '#deploy/stack/custody.ts';
import { startStack } from '#deploy/stack/stack.ts';
import { type HouseFacts, mustEntry, startServices } from '#deploy/start/house.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { Line } from './caller.ts';
import { measureFloor } from './floor.ts';
import { openLender } from './lender.ts';
import { cpuMs, type Measured, measure } from './measure.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
const clients = 1_000;
/** More than any machine of two cores takes. */
const mostPerSecond = 8_000;

interface Phase {
  readonly name: string;
  readonly connections: number;
  readonly receiptsEach: number;
  readonly request: () => Buffer;
}

const dir = mkdtempSync(join(tmpdir(), 'lending-bench-'));
const say = (line: string): void => console.log(`# ${line}`);
const stack = await startStack({ dir: join(dir, 'stack'), say });
const custody = await takeCustody(join(dir, 'services'), say);
try {
  await prepare(stack);
  const services = await startServices({ dir: join(dir, 'services'), stack, say });
  await bench(services);
} finally {
  await custody?.end();
  await stack.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(0);

async function bench(services: HouseFacts): Promise<void> {
  const port = Number(new URL(services.baseUrl).port);
  const lender = await openLender(stack, port, clients);
  let at = 0;
  const spread = (): Buffer => {
    at += 1;
    return lender.receipt(lender.clients[at % clients] as string);
  };
  const hot = (): Buffer => lender.receipt(lender.clients[0] as string);
  const phases: Phase[] = [
    { name: 'one at a time', connections: 1, receiptsEach: 1, request: spread },
    { name: 'single', connections: 16, receiptsEach: 1, request: spread },
    { name: 'single', connections: 64, receiptsEach: 1, request: spread },
    // Twice what it carries, and what it carries straight after.
    { name: 'overload', connections: 512, receiptsEach: 1, request: spread },
    { name: 'after it', connections: 64, receiptsEach: 1, request: spread },
    { name: 'one hot Client', connections: 64, receiptsEach: 1, request: hot },
    { name: 'batches of 100', connections: 4, receiptsEach: 100, request: () => lender.batch(100) },
    { name: 'batches of 1,000', connections: 4, receiptsEach: 1_000, request: () => lender.batch(1_000) },
  ];
  await run(services, port, { name: 'warm-up', connections: 64, receiptsEach: 1, request: spread }, 3);
  console.log('\n| | connections | receipts/s | p50 ms | p99 ms | gateway µs | processor µs | other than 2xx |');
  console.log('| - | - | - | - | - | - | - | - |');
  for (const phase of phases) console.log(row(phase, await run(services, port, phase, seconds)));
  console.log('\n| the floor | connections | records/s | p50 ms | p99 ms |\n| - | - | - | - | - |');
  for (const floor of await measureFloor(stack, [1, 16, 64], seconds * 1_000)) {
    const { connections, perSecond, p50, p99 } = floor;
    console.log(`| | ${connections} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`);
  }
}

interface Run extends Measured {
  readonly gatewayUs: number;
  readonly processorUs: number;
}

async function run(services: HouseFacts, port: number, phase: Phase, forSeconds: number): Promise<Run> {
  const { connections, receiptsEach, request } = phase;
  const many = Math.ceil(((receiptsEach === 1 ? mostPerSecond : 25_000) * forSeconds) / receiptsEach);
  const requests = Array.from({ length: connections === 1 ? forSeconds * 1_000 : many }, request);
  const lines = await Promise.all(Array.from({ length: connections }, () => Line.open(port)));
  const pids = { gateway: mustEntry(services.dir, 'gateway').pid, processor: mustEntry(services.dir, 'processor').pid };
  const before = { gateway: cpuMs(pids.gateway), processor: cpuMs(pids.processor) };
  let sent = 0;
  const measured = await measure({
    lines,
    ms: forSeconds * 1_000,
    next: () => {
      sent += 1;
      return requests[sent - 1];
    },
  });
  for (const line of lines) line.close();
  const each = (name: 'gateway' | 'processor'): number =>
    ((cpuMs(pids[name]) - before[name]) * 1_000) / (measured.answered * receiptsEach);
  return { ...measured, gatewayUs: each('gateway'), processorUs: each('processor') };
}

/** A refusal is an answer and no receipt taken. */
function takenShare({ statuses, answered }: Run): number {
  const taken = Object.entries(statuses).reduce(
    (sum, [status, times]) => sum + (status.startsWith('2') ? times : 0),
    0,
  );
  return taken / answered;
}

function row({ name, connections, receiptsEach }: Phase, run: Run): string {
  const others = Object.entries(run.statuses).filter(([status]) => !status.startsWith('2'));
  const cells = [
    name,
    connections,
    (run.perSecond * receiptsEach * takenShare(run)).toFixed(0),
    run.p50.toFixed(1),
    run.p99.toFixed(1),
    run.gatewayUs.toFixed(0),
    run.processorUs.toFixed(0),
    others.map(([status, times]) => `${times} x ${status}`).join(', ') || 'none',
  ];
  return `| ${cells.join(' | ')} |`;
}
