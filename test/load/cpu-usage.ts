/** CPU time of the services, the backing services and the benchmark itself, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import type { BackingServices } from '#deploy/dev/backing-services.ts';
import { requireProcess } from '#deploy/dev/process-control.ts';
import { type RunningServices, serviceNames } from '#deploy/dev/services.ts';

export type CpuTimes = Readonly<Record<string, number>>;

// Linux reports CPU time in hundredths of a second.
const tickMs = 10;

/** A child of the processor with a figure of its own. */
const movementProcess = 'movement-process-entry';

/** Milliseconds used so far by each, including child processes. Remote services are left out. */
export function readCpuTimes(stack: BackingServices, services: RunningServices): CpuTimes {
  const roots = new Map(Object.entries(stack.processes).map(([name, pid]) => [pid, name]));
  for (const name of serviceNames) roots.set(requireProcess(services.dir, name).pid, name);
  roots.set(process.pid, 'load');
  const used: Record<string, number> = {};
  const processes = readProcesses();
  for (const pid of processes.keys()) if (commandOf(pid).includes(movementProcess)) roots.set(pid, 'movements');
  for (const [pid, { ms }] of processes) {
    const name = ownerOf(pid, processes, roots);
    if (name !== undefined) used[name] = (used[name] ?? 0) + ms;
  }
  return used;
}

export function cpuTimesBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}

interface ProcessUsage {
  readonly parent: number;
  readonly ms: number;
}

/** By pid. */
export function readProcesses(): Map<number, ProcessUsage> {
  const processes = new Map<number, ProcessUsage>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [, parent = 0] = fields;
      // Includes ended children: Postgres backends come and go.
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
      processes.set(pid, { parent, ms: ticks * tickMs });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return processes;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function ownerOf(
  pid: number,
  processes: ReadonlyMap<number, ProcessUsage>,
  roots: ReadonlyMap<number, string>,
): string | undefined {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent) {
    const name = roots.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}
