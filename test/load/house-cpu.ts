/** Processor time of everything that runs, by who uses it: on one machine all of it is taken from the same cores. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '#deploy/stack/stack.ts';
import { type HouseFacts, houseServices, mustEntry } from '#deploy/start/house.ts';

export type CpuOf = Readonly<Record<string, number>>;

// Linux counts in hundredths of a second wherever Node runs.
const tickMs = 10;

/** Milliseconds used so far, the children of each included; what does not run on this machine is left out. */
export function cpuMs(stack: Stack, services: HouseFacts): CpuOf {
  const roots = new Map(Object.entries(stack.processes).map(([name, pid]) => [pid, name]));
  for (const name of houseServices) roots.set(mustEntry(services.dir, name).pid, name);
  roots.set(process.pid, 'load');
  const used: Record<string, number> = {};
  const processes = readProcesses();
  for (const [pid, { ms }] of processes) {
    const name = ownerOf(pid, processes, roots);
    if (name !== undefined) used[name] = (used[name] ?? 0) + ms;
  }
  return used;
}

export function cpuBetween(before: CpuOf, after: CpuOf): CpuOf {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}

interface Process {
  readonly parent: number;
  readonly ms: number;
}

function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [, parent = 0] = fields;
      // With what its children had used when they ended: Postgres's come and go.
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
      processes.set(pid, { parent, ms: ticks * tickMs });
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes;
}

function ownerOf(
  pid: number,
  processes: ReadonlyMap<number, Process>,
  roots: ReadonlyMap<number, string>,
): string | undefined {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent) {
    const name = roots.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}
