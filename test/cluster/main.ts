/**
 * `npm run faults:cluster`: faults on a production topology under load. usage:
 * npm run faults:cluster -- [--rounds N] [--rate N] [--night 120m] [--tree PATH] [--keep] [FAULT…]
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from '#deploy/cluster/cluster.ts';
import { MissingPartError } from '#deploy/cluster/missing-part.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { stopSupervisors, untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { ClusterControl } from './cluster-control.ts';
import { type FaultResult, maxOutageSeconds, runFault } from './fault-run.ts';
import { selectFaults } from './faults.ts';
import { mountSmallDisks, unmountSmallDisks } from './full-disk.ts';
import { openLoad } from './lender.ts';
import { runNight } from './night.ts';
import { resultTable } from './result-table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '1' },
    /** Receipts per second. */
    rate: { type: 'string', default: '100' },
    /** A number of minutes of mixed load, such as 120m, with a fault every five. */
    night: { type: 'string' },
    /** Another checkout whose services run. */
    tree: { type: 'string' },
    /** Keeps data and logs. */
    keep: { type: 'boolean', default: false },
  },
});
const dir = join(projectDir, '.data', 'cluster-faults');
const log = (line: string): void => console.log(`cluster  ${line}`);
// A pending promise alone does not keep a process alive.
setInterval(() => undefined, 60_000);
const shutdown = untilShutdownSignal().then(() => 130);
const code = await Promise.race([run(), shutdown]);
await stopSupervisors();
unmountSmallDisks(dir);
process.exit(code);

async function run(): Promise<number> {
  const faults = selectFaults(positionals);
  let cluster: Cluster;
  try {
    unmountSmallDisks(dir);
    rmSync(dir, { recursive: true, force: true });
    if (faults.some(({ name }) => name.startsWith('disk-full'))) mountSmallDisks(dir);
    cluster = await startCluster({ dir, log, ...(values.tree === undefined ? {} : { tree: values.tree }) });
  } catch (cause) {
    if (!(cause instanceof MissingPartError)) throw cause;
    console.error(`skipped: the cluster cannot run here: ${cause.message}`);
    return 1;
  }
  try {
    const { tenantId, load } = await openLoad(cluster, Number(values.rate));
    const options = { control: new ClusterControl(cluster), load, tenantId };
    const results =
      values.night === undefined
        ? await runRounds(options)
        : await runNight({ ...options, faults, minutes: Number.parseInt(values.night, 10), log });
    console.log(`\n${resultTable(results)}`);
    return report(results);
  } catch (cause) {
    console.error(cause);
    return 1;
  } finally {
    await cluster.stop();
    unmountSmallDisks(dir);
    if (!values.keep) rmSync(dir, { recursive: true, force: true });
  }

  async function runRounds(options: Omit<Parameters<typeof runFault>[1], 'withAudit'>): Promise<FaultResult[]> {
    const results: FaultResult[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      for (const fault of faults) {
        const missing = fault.missing?.(options.control);
        if (missing !== undefined) {
          log(`${fault.name}: skipped: ${missing}`);
          continue;
        }
        const result = await runFault(fault, { ...options, withAudit: true });
        results.push(result);
        log(`round ${round}: ${describeResult(result)}`);
      }
    }
    return results;
  }
}

function describeResult({ fault, outageSeconds, recoverySeconds, acknowledged, problems }: FaultResult): string {
  const times = `outage ${outageSeconds.toFixed(1)} s, back ${recoverySeconds.toFixed(1)} s`;
  return [`${fault}: ${times}, ${acknowledged} acknowledged`, ...problems].join('\n         ');
}

function report(results: readonly FaultResult[]): number {
  const failed = results.filter(({ problems }) => problems.length > 0);
  const kills = (prefix: string): number => results.filter(({ fault }) => fault.startsWith(prefix)).length;
  const sum = (count: (result: FaultResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  console.log(
    `\n${results.length} faults, ${kills('broker-kill')} broker kills, ${kills('primary-kill')} primary kills: ` +
      `${sum((result) => result.acknowledged)} writes acknowledged, ${sum((result) => result.lost)} lost, ` +
      `${sum((result) => result.doubled)} doubled, ${sum((result) => result.gaps)} gaps; longest outage ` +
      `${Math.max(0, ...results.map((result) => result.outageSeconds)).toFixed(1)} s (allowed ${maxOutageSeconds} s ` +
      `where writes need not wait)`,
  );
  for (const { fault, problems } of failed) console.log(`${fault} failed: ${problems.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
}
