/**
 * Latency below the maximum: independent callers send a share of the best rate, which is measured again before each step, because
 * the speed of a shared machine changes within seconds.
 */
import type { BenchEnvironment } from './bench-environment.ts';
import { createBenchLender } from './bench-lender.ts';
import { median } from './latencies.ts';
import { failuresOf, type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { maxConnections, receiptsPerSecond, runWrites } from './write-run.ts';

const sharesOfBest = [0.5, 0.7, 0.8];
const repetitions = 3;

export const latencyColumns = [
  'share of the best rate',
  'sent/s',
  '2xx/s',
  'p50 ms',
  'p99 ms',
  'p99 / p50',
  'median of p99 / p50',
  'not 2xx',
];

/** The table cells of each share. */
export async function* measureLatency(
  environment: BenchEnvironment,
  { seconds, clientCount }: { readonly seconds: number; readonly clientCount: number },
): AsyncGenerator<readonly string[]> {
  for (const share of sharesOfBest) {
    // New Clients: earlier ones have more facts than a processor caches.
    const { receiptOfNextClient: request } = await createBenchLender(environment.stack, environment.port, clientCount);
    const load = { connectionCount: maxConnections, receiptsPerRequest: 1, request };
    const results: OpenLoopResult[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const best = receiptsPerSecond(load, await runWrites(environment, load, seconds));
      const perSecond = share * best;
      const requests = Array.from({ length: Math.ceil(perSecond * seconds) }, load.request);
      results.push(await runOpenLoop({ port: environment.port, perSecond, requests }));
    }
    yield cellsOf(share, results);
  }
}

function cellsOf(share: number, results: readonly OpenLoopResult[]): string[] {
  const each = (value: (result: OpenLoopResult) => number, digits: number): string =>
    results.map((result) => value(result).toFixed(digits)).join(', ');
  const tailRatio = ({ p50, p99 }: OpenLoopResult): number => p99 / p50;
  return [
    share.toFixed(1),
    each(({ perSecond }) => perSecond, 0),
    each(({ succeededPerSecond }) => succeededPerSecond, 0),
    each(({ p50 }) => p50, 1),
    each(({ p99 }) => p99, 1),
    each(tailRatio, 1),
    median(results.map(tailRatio)).toFixed(1),
    failuresOf(results),
  ];
}
