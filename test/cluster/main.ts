/**
 * `npm run faults:cluster`: faults on a production topology under load. usage:
 * npm run faults:cluster -- [--rounds N] [--rate N] [--night 120m] [--tree PATH] [--alerts] [--keep] [FAULT…]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, removeCluster, startCluster } from '#deploy/cluster/cluster.ts';
import { serviceNames } from '#deploy/cluster/layout.ts';
import { MissingPartError } from '#deploy/cluster/missing-part.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { stopSupervisors, untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { AlertWatch } from './alert-watch.ts';
import { ClusterControl } from './cluster-control.ts';
import type { Fault } from './fault.ts';
import { type FaultResult, maxOutageSeconds, type RunOptions, rebuildCell, runFault } from './fault-run.ts';
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
    /** Watches the alerts with Prometheus: each fault must raise its alert, and every alert must resolve. */
    alerts: { type: 'boolean', default: false },
    /** Keeps data and logs. */
    keep: { type: 'boolean', default: false },
  },
});
const dir = join(projectDir, '.data', 'cluster-faults');
const log = (line: string): void => console.log(`cluster  ${line}`);
// A pending promise alone does not keep a process alive.
setInterval(() => undefined, 60_000);
const shutdown = untilShutdownSignal().then(() => 130);
let cluster: Cluster | undefined;
let alerts: AlertWatch | undefined;
const code = await Promise.race([run(), shutdown]);
alerts?.stop();
await cluster?.stop();
await stopSupervisors();
// Also where data are kept: those on small disks are in memory.
unmountSmallDisks(dir);
if (!values.keep) await removeData();
process.exit(code);

async function removeData(): Promise<void> {
  unmountSmallDisks(dir);
  await removeCluster(dir, log);
}

async function run(): Promise<number> {
  try {
    const faults = selectFaults(positionals);
    await removeData();
    if (faults.some(({ name }) => name.startsWith('disk-full'))) mountSmallDisks(dir);
    cluster = await startCluster({ dir, log, ...(values.tree === undefined ? {} : { tree: values.tree }) });
    if (values.alerts) alerts = await AlertWatch.start(join(dir, 'prometheus'), operationsPorts(cluster), log);
    const { tenantId, load } = await openLoad(cluster, {
      perSecond: Number(values.rate),
      isMixed: values.night !== undefined,
    });
    const options: RunOptions = { control: new ClusterControl(cluster), load, tenantId, withAudit: true };
    const results =
      values.night === undefined
        ? await runRounds(faults, options)
        : await runNight({ ...options, faults, minutes: Number.parseInt(values.night, 10), alerts, log });
    console.log(`\n${resultTable(results)}\n\n${summary(results)}`);
    if (alerts !== undefined) console.log(`${alerts.table()}\n`);
    const problems = results.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`));
    log(`rebuild from the topic: ${await rebuildCell(options, problems)}`);
    for (const problem of problems) console.log(`failed: ${problem}`);
    return problems.length === 0 ? 0 : 1;
  } catch (cause) {
    const isMissing = cause instanceof MissingPartError;
    console.error(isMissing ? `skipped: the cluster cannot run here: ${cause.message}` : cause);
    return 1;
  }
}

function operationsPorts({ layout }: Cluster): Record<string, number> {
  return Object.fromEntries(serviceNames.map((name) => [name, layout.ports[`${name}.operations`]]));
}

async function runRounds(faults: readonly Fault[], options: RunOptions): Promise<FaultResult[]> {
  const results: FaultResult[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const fault of faults) {
      const missing = fault.missing?.(options.control);
      if (missing !== undefined) {
        log(`${fault.name}: skipped: ${missing}`);
        continue;
      }
      alerts?.begin(fault.name);
      const result = await runFault(fault, options);
      result.problems.push(...((await alerts?.end()) ?? []));
      results.push(result);
      log(`round ${round}: ${describeResult(result)}`);
    }
  }
  return results;
}

function describeResult({ fault, outageSeconds, recoverySeconds, acknowledged, problems }: FaultResult): string {
  const times = `outage ${outageSeconds.toFixed(1)} s, back ${recoverySeconds.toFixed(1)} s`;
  return [`${fault}: ${times}, ${acknowledged} acknowledged`, ...problems].join('\n         ');
}

function summary(results: readonly FaultResult[]): string {
  const kills = (prefix: string): number => results.filter(({ fault }) => fault.startsWith(prefix)).length;
  const sum = (member: 'acknowledged' | 'lost' | 'doubled' | 'gaps'): number =>
    results.reduce((total, result) => total + result[member], 0);
  const longest = Math.max(0, ...results.map(({ outageSeconds }) => outageSeconds));
  return (
    `${results.length} faults, ${kills('broker-kill')} broker kills, ${kills('primary-kill')} primary kills: ` +
    `${sum('acknowledged')} writes acknowledged, ${sum('lost')} lost, ${sum('doubled')} doubled, ${sum('gaps')} gaps; ` +
    `longest outage ${longest.toFixed(1)} s (allowed ${maxOutageSeconds} s where the fault does not stop writes)`
  );
}
