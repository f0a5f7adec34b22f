/** Hours of load with a fault every five minutes. Memory and disk are sampled, and must not grow without end. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningPids } from '#deploy/dev/process-control.ts';
import type { AlertWatch } from './alert-watch.ts';
import { seconds } from './cluster-control.ts';
import type { Fault } from './fault.ts';
import { auditCell, type FaultResult, type RunOptions, recordChecks, runFault } from './fault-run.ts';
import { findGrowth, type Sample } from './night-growth.ts';
import { textTable } from './result-table.ts';

const minutesPerFault = 5;
const bytesPerMebibyte = 1024 * 1024;
/** Samples in the printed table. */
const shownSamples = 13;

export type NightOptions = RunOptions & {
  readonly faults: readonly Fault[];
  readonly minutes: number;
  readonly alerts: AlertWatch | undefined;
  readonly log: (line: string) => void;
};

export async function runNight(options: NightOptions): Promise<FaultResult[]> {
  const { control, load, faults, minutes, alerts, log } = options;
  const { dir } = control.cluster.layout;
  const startedAt = performance.now();
  const minute = (): number => (performance.now() - startedAt) / 60_000;
  const possible = faults.filter(({ name, missing }) => {
    const reason = missing?.(control);
    if (reason !== undefined) log(`${name}: skipped: ${reason}`);
    return reason === undefined;
  });
  const results: FaultResult[] = [];
  await recordChecks(options);
  const samples: Sample[] = [{ minute: 0, mebibytes: sample(dir) }];
  for (let turn = 0; minute() < minutes; turn += 1) {
    const fault = possible[turn % possible.length];
    if (fault === undefined) throw new Error('no fault is possible here');
    alerts?.begin(fault.name);
    const result = await runFault(fault, { ...options, withAudit: false });
    const unexpected = load.unexpected.length;
    load.start();
    result.problems.push(...((await alerts?.end()) ?? []));
    results.push(result);
    const next = Math.min((turn + 1) * minutesPerFault, minutes);
    while (minute() < next) await seconds(1);
    await load.stop();
    result.problems.push(...load.unexpected.slice(unexpected));
    log(`minute ${minute().toFixed(0)}: ${fault.name}, outage ${result.outageSeconds.toFixed(1)} s`);
    for (const problem of result.problems) log(`  ${problem}`);
    samples.push({ minute: minute(), mebibytes: sample(dir) });
  }
  const problems: string[] = [];
  const audit = await auditCell(options, problems);
  log(`audit at the end: ${audit}`);
  problems.push(...findGrowth(samples));
  for (const problem of problems) log(problem);
  log(`memory (allocated) and disk in MiB\n\n${sampleTable(samples)}`);
  const last = results.at(-1);
  return last === undefined
    ? []
    : [...results.slice(0, -1), { ...last, audit, problems: [...last.problems, ...problems] }];
}

/** Memory of every process, and the data of each server. */
function sample(dir: string): Record<string, number> {
  const memory = Object.entries(runningPids(dir)).map(([name, pid]) => [name, allocatedMebibytes(pid)] as const);
  const disks = ['kafka-1', 'postgres-1', 'postgres-2', 'logs'].map(
    (name) => [`disk ${name}`, diskMebibytes(join(dir, name))] as const,
  );
  return Object.fromEntries([...memory, ...disks]);
}

/**
 * Memory that the process and those it started allocated themselves: the pages of files that they map are the system's to
 * take back.
 */
function allocatedMebibytes(pid: number): number {
  const kilobytes = Number(/RssAnon:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0);
  const children = procFile(pid, `task/${pid}/children`).match(/\d+/g) ?? [];
  return children.reduce(
    (sum, child) => sum + allocatedMebibytes(Number(child)),
    (kilobytes * 1024) / bytesPerMebibyte,
  );
}

/** Empty where the process has ended. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function diskMebibytes(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
}

function sampleTable(samples: readonly Sample[]): string {
  const step = Math.max(1, Math.ceil(samples.length / shownSamples));
  const shown = samples.filter((_, index) => index % step === 0 || index === samples.length - 1);
  const names = Object.keys(shown[0]?.mebibytes ?? {});
  return textTable([
    ['minute', ...shown.map(({ minute }) => minute.toFixed(0))],
    ...names.map((name) => [name, ...shown.map(({ mebibytes }) => (mebibytes[name] ?? 0).toFixed(0))]),
  ]);
}
