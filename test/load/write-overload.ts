/**
 * Overload: independent callers send nearly the best rate, twice the rate the service sustained and twice its best, and the
 * rate is measured again directly afterwards. The steps repeat, because the speed of a shared machine changes within seconds.
 * Each step runs long enough that its first second, which fills the queues, does not dominate.
 */
import { silentLogger } from '#libs/runtime/logging.ts';
import { openAdministration } from '#libs/submission/open-submission-client.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { failuresOf, type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { maxConnections, receiptsPerSecond, runWrites } from './write-run.ts';

/** The concurrency limit of a Tenancy that may use the whole machine. */
const concurrencyLimit = 512;
/** The share of the best rate that independent callers send to find the sustained rate. */
const sustainedShareOfBest = 0.9;
const repetitions = 3;

export const overloadColumns = [
  'overload',
  'best/s',
  'sustained/s at 0.9 of best',
  'not 2xx',
  'sent/s at twice sustained',
  '2xx/s',
  'share of best',
  '2xx in each second',
  'p50 ms',
  'p99 ms',
  'not 2xx',
  'afterwards/s with 64 connections',
  'sent/s at twice best',
  '2xx/s',
  'share of best',
];

interface OverloadResult {
  /** Rates with as many waiting callers as give the highest throughput. */
  readonly best: number[];
  /** Independent callers at nearly the best rate. */
  readonly sustained: OpenLoopResult[];
  readonly twiceSustained: OpenLoopResult[];
  readonly afterwards: number[];
  readonly twiceBest: OpenLoopResult[];
}

interface OverloadOptions {
  readonly seconds: number;
  readonly clientCount: number;
}

/** Table cells without and with a concurrency limit of the Tenancy. */
export async function* measureOverload(
  environment: BenchEnvironment,
  options: OverloadOptions,
): AsyncGenerator<readonly string[]> {
  for (const limit of [undefined, concurrencyLimit]) {
    // New Clients: earlier ones have more facts than a processor caches, and each Receipt would load a whole book.
    const lender = await createBenchLender(environment.stack, environment.port, options.clientCount);
    if (limit !== undefined) await limitConcurrency(environment.stack, lender, limit);
    const name = limit === undefined ? 'no limit' : `limit of ${limit} concurrent requests`;
    yield [name, ...cellsOf(await runSteps(environment, lender, options.seconds))];
  }
}

async function runSteps(environment: BenchEnvironment, lender: BenchLender, seconds: number): Promise<OverloadResult> {
  const request = lender.receiptOfNextClient;
  const measureRate = async (connectionCount: number, durationSeconds: number): Promise<number> => {
    const load = { connectionCount, receiptsPerRequest: 1, request };
    return receiptsPerSecond(load, await runWrites(environment, load, durationSeconds));
  };
  const send = (perSecond: number): Promise<OpenLoopResult> => {
    const requests = Array.from({ length: Math.ceil(perSecond * seconds) }, request);
    return runOpenLoop({ port: environment.port, perSecond, requests });
  };
  const result: OverloadResult = {
    best: [await measureRate(maxConnections, seconds)],
    sustained: [],
    twiceSustained: [],
    afterwards: [],
    twiceBest: [],
  };
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const best = result.best.at(-1) as number;
    const sustained = await send(sustainedShareOfBest * best);
    result.sustained.push(sustained);
    result.twiceSustained.push(await send(2 * sustained.succeededPerSecond));
    result.afterwards.push(await measureRate(64, seconds / 2));
    result.twiceBest.push(await send(2 * best));
    result.best.push(await measureRate(maxConnections, seconds));
  }
  return result;
}

async function limitConcurrency(
  addresses: BenchEnvironment['stack'],
  { tenantId }: BenchLender,
  concurrent: number,
): Promise<void> {
  const { administration, close } = await openAdministration(addresses, silentLogger);
  const bounds = { concurrent, patience_ms: 2_000, per_second: 1_000_000, burst: 1_000_000 };
  await administration.setBounds('bench', tenantId, bounds);
  await close();
  // Every instance learns of new bounds within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

function cellsOf({ best, sustained, twiceSustained, afterwards, twiceBest }: OverloadResult): string[] {
  const rates = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ');
  const sent = (results: readonly OpenLoopResult[]): string => rates(results.map(({ perSecond }) => perSecond));
  const answered = (results: readonly OpenLoopResult[]): number[] =>
    results.map(({ succeededPerSecond }) => succeededPerSecond);
  const shareOfBest = (results: readonly OpenLoopResult[]): string => (mean(answered(results)) / mean(best)).toFixed(2);
  return [
    rates(best),
    rates(answered(sustained)),
    failuresOf(sustained),
    sent(twiceSustained),
    rates(answered(twiceSustained)),
    shareOfBest(twiceSustained),
    twiceSustained.map(({ succeededBySecond }) => succeededBySecond.join(' ')).join(', '),
    rates(twiceSustained.map(({ p50 }) => p50)),
    rates(twiceSustained.map(({ p99 }) => p99)),
    failuresOf(twiceSustained),
    rates(afterwards),
    sent(twiceBest),
    rates(answered(twiceBest)),
    shareOfBest(twiceBest),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
