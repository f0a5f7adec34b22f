/**
 * `npm run bench:write`: signed receipts against a house of its own, everything on this machine and durable, beside the
 * floor of the same machine in the same minutes. `npm run bench:write -- --only 16,64` runs only those rows.
 */
import { parseArgs } from 'node:util';
import type { HouseFacts } from '#deploy/start/house.ts';
import { openAdministration } from '#libs/submission/client.ts';
import { Line } from './caller.ts';
import { measureFloor } from './floor.ts';
import { type House, inNewHouse } from './house.ts';
import { type CpuOf, cpuBetween, cpuMs } from './house-cpu.ts';
import { type Lender, openLender } from './lender.ts';
import { type Measured, measure } from './measure.ts';
import { type Arrivals, type Offered, offer } from './open-loop.ts';

const { values: told } = parseArgs({ options: { only: { type: 'string' } } });
const only = told.only?.split(',');
const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
/** Until the compilers are done with what a write runs through: a service that was just started is not what is measured. */
const warmUpSeconds = 30;
const clients = 1_000;
/** More than any machine of two cores takes. */
const mostPerSecond = { singly: 8_000, inBatches: 25_000 };
/** So many at once are the most that are taken. */
const mostAtOnce = 512;
/** What an operator would give a Tenancy that may have all of this machine. */
const boundAtOnce = 512;
/** Of the best rate, what callers who do not wait for each other may ask and are served nearly all. */
const carriedOfBest = 0.9;
/**
 * How often the best, nearly that and twice of it are measured in turn: what a machine that others share can do changes within
 * seconds, and each is compared with the best beside it. Each for long enough that its first second, which fills the
 * service, is not what is measured.
 */
const overloadTurns = 3;
const floorConnections = [1, 16, 64];
const shown = ['gateway', 'processor', 'kafka', 'postgres', 'redis', 'load'];

interface Phase {
  /** What `--only` names it by. */
  readonly id: string;
  readonly name: string;
  readonly connections: number;
  readonly receiptsEach: number;
  readonly request: () => Buffer;
}

await inNewHouse(bench);

async function bench(house: House): Promise<void> {
  const { stack, port } = house;
  const lender = await openLender(stack, port, clients);
  const chosen = phasesOf(lender).filter(({ id }) => isChosen(id));
  const warmUp = { id: '', name: 'warm-up', connections: 64, receiptsEach: 1, request: spreadOver(lender) };
  await run(house, warmUp, warmUpSeconds);
  console.log(
    '\n| | connections | receipts/s | p50 ms | p99 ms | a commit | µs of gateway | processor | Kafka | Postgres | Redis | load | other than 2xx |',
  );
  console.log('| - | - | - | - | - | - | - | - | - | - | - | - | - |');
  for (const phase of chosen) console.log(row(phase, await run(house, phase, seconds)));
  if (isChosen('overload')) await overload(house);
  if (!isChosen('floor')) return;
  console.log('\n| the floor | connections | records/s | p50 ms | p99 ms |\n| - | - | - | - | - |');
  for (const floor of await measureFloor(stack, floorConnections, seconds * 1_000)) {
    const { connections, perSecond, p50, p99 } = floor;
    console.log(`| | ${connections} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`);
  }
}

function isChosen(id: string): boolean {
  return only === undefined || only.includes(id);
}

/**
 * Twice what it can carry and twice its best, by callers who do not wait for each other, and what it carries straight after. Of Clients of its own:
 * those of the rows before have more facts by now than a processor keeps, and each Receipt would wait for a whole book.
 */
async function overload(house: House): Promise<void> {
  console.log(
    '\n| overload, by turns | the best | at nine tenths of it, carried/s | the rest | at twice what is carried, offered/s | taken/s | of the best | second by second | p50 ms | p99 ms | the rest | straight after, 64 | at twice the best, offered/s | taken/s | of the best |',
  );
  console.log(`|${' - |'.repeat(15)}`);
  for (const concurrent of [undefined, boundAtOnce]) {
    const lender = await openLender(house.stack, house.port, clients);
    if (concurrent !== undefined) await bound(house.stack, lender, concurrent);
    const name = concurrent === undefined ? 'no bounds' : `${concurrent} at once`;
    console.log(`| ${name} ${await overloaded(house, lender)}`);
  }
}

/** All of it by turns: what a machine others share can do changes faster than the rows of this file. */
async function overloaded(house: House, lender: Lender): Promise<string> {
  const { port } = house;
  const carried = (connections: number, share = 1) => carriedBy(house, lender, connections, seconds * share);
  const asking = (perSecond: number): Arrivals => {
    const requests = Array.from({ length: Math.ceil(perSecond * seconds) }, spreadOver(lender));
    return { port, perSecond, requests };
  };
  const seen: Overload = {
    best: [await carried(mostAtOnce)],
    carried: [],
    twiceCarried: [],
    straightAfter: [],
    twiceBest: [],
  };
  for (let turn = 0; turn < overloadTurns; turn += 1) {
    const best = seen.best.at(-1) as number;
    const carries = await offer(asking(carriedOfBest * best));
    seen.carried.push(carries);
    seen.twiceCarried.push(await offer(asking(2 * carries.takenPerSecond)));
    seen.straightAfter.push(await carried(64, 0.5));
    seen.twiceBest.push(await offer(asking(2 * best)));
    seen.best.push(await carried(mostAtOnce));
  }
  return overloadRow(seen);
}

interface Overload {
  /** The most there is: callers who wait for each other, as many as are let in. */
  readonly best: number[];
  /** Callers who do not, and are all served, or nearly: the load it can carry. */
  readonly carried: Offered[];
  readonly twiceCarried: Offered[];
  readonly straightAfter: number[];
  readonly twiceBest: Offered[];
}

async function carriedBy(house: House, lender: Lender, connections: number, forSeconds: number): Promise<number> {
  const phase = { id: '', name: '', connections, receiptsEach: 1, request: spreadOver(lender) };
  return receiptsPerSecond(phase, await run(house, phase, forSeconds));
}

/** What a Tenancy may ask at once, as it is told to every instance within a second. */
async function bound(stack: House['stack'], { tenantId }: Lender, concurrent: number): Promise<void> {
  const silent = { warn: () => undefined, error: () => undefined };
  const { administration, close } = await openAdministration(stack, silent);
  const most = 1_000_000;
  const bounds = { concurrent, patience_ms: 2_000, per_second: most, burst: most };
  await administration.setBounds('bench', tenantId, bounds);
  await close();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

function overloadRow({ best, carried, twiceCarried, straightAfter, twiceBest }: Overload): string {
  const rates = (all: readonly number[]): string => all.map((each) => each.toFixed(0)).join(', ');
  const offered = (offers: readonly Offered[]): string => rates(offers.map(({ perSecond }) => perSecond));
  const taken = (offers: readonly Offered[]): number[] => offers.map(({ takenPerSecond }) => takenPerSecond);
  const ofBest = (offers: readonly Offered[]): string => (mean(taken(offers)) / mean(best)).toFixed(2);
  const cells = [
    rates(best),
    rates(taken(carried)),
    restOf(carried),
    offered(twiceCarried),
    rates(taken(twiceCarried)),
    ofBest(twiceCarried),
    twiceCarried.map(({ takenBySecond }) => takenBySecond.join(' ')).join(', '),
    rates(twiceCarried.map(({ p50 }) => p50)),
    rates(twiceCarried.map(({ p99 }) => p99)),
    restOf(twiceCarried),
    rates(straightAfter),
    offered(twiceBest),
    rates(taken(twiceBest)),
    ofBest(twiceBest),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What was answered otherwise than with a 2xx, or not at all. */
function restOf(offers: readonly Offered[]): string {
  const rest: Record<string, number> = {};
  for (const { answers, unanswered } of offers) {
    const refused = Object.entries(answers).filter(([said]) => !said.startsWith('2'));
    for (const [said, times] of [...refused, ['not answered', unanswered] as const])
      rest[said] = (rest[said] ?? 0) + times;
  }
  const told = Object.entries(rest).filter(([, times]) => times > 0);
  return told.map(([said, times]) => `${times} x ${said}`).join(', ') || 'none';
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, each) => sum + each, 0) / all.length;
}

function spreadOver(lender: Lender): () => Buffer {
  let at = 0;
  return () => {
    at += 1;
    return lender.receipt(lender.clients[at % clients] as string);
  };
}

function phasesOf(lender: Lender): Phase[] {
  const spread = spreadOver(lender);
  const hot = (): Buffer => lender.receipt(lender.clients[0] as string);
  const inBatches = (many: number) => ({ receiptsEach: many, request: () => lender.batch(many) });
  return [
    { id: '1', name: 'one at a time', connections: 1, receiptsEach: 1, request: spread },
    { id: '16', name: 'single', connections: 16, receiptsEach: 1, request: spread },
    { id: '64', name: 'single', connections: 64, receiptsEach: 1, request: spread },
    { id: '512', name: 'single', connections: mostAtOnce, receiptsEach: 1, request: spread },
    { id: 'hot', name: 'one hot Client', connections: 64, receiptsEach: 1, request: hot },
    { id: '100', name: 'batches of 100', connections: 8, ...inBatches(100) },
    { id: '1000', name: 'batches of 1,000', connections: 4, ...inBatches(1_000) },
  ];
}

interface Run extends Measured {
  readonly cpu: CpuOf;
  readonly commits: number;
}

async function run({ stack, services, port }: House, phase: Phase, forSeconds: number): Promise<Run> {
  const { connections, receiptsEach, request } = phase;
  const perSecond = receiptsEach === 1 ? mostPerSecond.singly : mostPerSecond.inBatches;
  const many = connections === 1 ? forSeconds * 1_000 : Math.ceil((perSecond * forSeconds) / receiptsEach);
  const requests = Array.from({ length: many }, request);
  const lines = await Promise.all(Array.from({ length: connections }, () => Line.open(port)));
  const before = { cpu: cpuMs(stack, services), commits: await commitsOf(services) };
  let sent = 0;
  const measured = await measure({
    lines,
    ms: forSeconds * 1_000,
    next: () => {
      sent += 1;
      return requests[sent - 1];
    },
  });
  const cpu = cpuBetween(before.cpu, cpuMs(stack, services));
  for (const line of lines) line.close();
  return { ...measured, cpu, commits: (await commitsOf(services)) - before.commits };
}

async function commitsOf({ operations }: HouseFacts): Promise<number> {
  const figures = await (await fetch(`${operations.processor}/metrics`)).text();
  return Number(/^lending_batches_total\S* (\d+)$/m.exec(figures)?.[1]);
}

/** A refusal is an answer and no receipt taken. */
function taken({ statuses }: Run): number {
  return Object.entries(statuses).reduce((sum, [status, times]) => sum + (status.startsWith('2') ? times : 0), 0);
}

function receiptsPerSecond({ receiptsEach }: Phase, run: Run): number {
  return (run.perSecond * taken(run) * receiptsEach) / run.answered;
}

function row(phase: Phase, run: Run): string {
  const { name, connections, receiptsEach } = phase;
  const others = Object.entries(run.statuses).filter(([status]) => !status.startsWith('2'));
  const receipts = taken(run) * receiptsEach;
  const cells = [
    name,
    connections,
    receiptsPerSecond(phase, run).toFixed(0),
    run.p50.toFixed(1),
    run.p99.toFixed(1),
    (receipts / run.commits).toFixed(1),
    ...shown.map((part) => (((run.cpu[part] ?? Number.NaN) * 1_000) / receipts).toFixed(0)),
    others.map(([status, times]) => `${times} x ${status}`).join(', ') || 'none',
  ];
  return `| ${cells.join(' | ')} |`;
}
