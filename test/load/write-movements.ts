/**
 * What publishing movements takes from writes: the same load by turns with the process of movements stopped by a signal and
 * running. While it runs, it also has the movements of the turn before to publish, so it always has work.
 */
import { requireProcess } from '#deploy/dev/process-control.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { readProcesses } from './cpu-usage.ts';
import { median } from './latencies.ts';
import { receiptsPerSecond, runWrites, type WriteLoad } from './write-run.ts';

const turns = 5;

export const movementColumns = [
  'movements',
  'connections',
  'receipts/s without',
  'receipts/s with',
  'with / without, each turn',
  'median',
];

/** The table cells of one load. */
export async function measureMovements(
  environment: BenchEnvironment,
  { name, load, seconds }: { readonly name: string; readonly load: WriteLoad; readonly seconds: number },
): Promise<readonly (string | number)[]> {
  const pid = movementProcess(requireProcess(environment.services.dir, 'processor').pid);
  const rates = { without: [] as number[], with: [] as number[] };
  const measureRate = async (): Promise<number> => receiptsPerSecond(load, await runWrites(environment, load, seconds));
  for (let turn = 0; turn < turns; turn += 1) {
    process.kill(pid, 'SIGSTOP');
    rates.without.push(await measureRate());
    process.kill(pid, 'SIGCONT');
    rates.with.push(await measureRate());
  }
  const ratios = rates.with.map((rate, turn) => rate / (rates.without[turn] as number));
  return [
    name,
    load.connectionCount,
    rates.without.map((rate) => rate.toFixed(0)).join(', '),
    rates.with.map((rate) => rate.toFixed(0)).join(', '),
    ratios.map((ratio) => ratio.toFixed(2)).join(', '),
    median(ratios).toFixed(3),
  ];
}

/** The only child of a processor. */
function movementProcess(processor: number): number {
  const children = [...readProcesses()].flatMap(([pid, { parent }]) => (parent === processor ? [pid] : []));
  const [pid] = children;
  if (pid === undefined || children.length > 1)
    throw new Error(`found ${children.length} processes of movements; expected 1`);
  return pid;
}
