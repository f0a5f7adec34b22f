/**
 * A table of processes kept in a folder, one file each, so that whoever comes later (the watchdog, the next start,
 * a fault test in another process) can find, stop and start again what somebody else started.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Born, bornOf } from './born.ts';

export type Launch = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Postgres refuses to run as root: there it runs as somebody else. */
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal?: NodeJS.Signals;
  /** How long a stop may take before it is a kill. */
  readonly patienceMs?: number;
  /** Higher tiers stop first: services before what they stand on. */
  readonly tier: number;
};

export type Entry = Launch & { readonly pid: number; readonly born: Born };

const defaultPatienceMs = 4_000;
const pollMs = 25;

export function launch(dir: string, what: Launch): Entry {
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const log = openSync(join(dir, 'logs', `${what.name}.log`), 'a');
  // Its own process group: a Ctrl-C in the terminal must reach the starter alone, which then stops things in order.
  const child = spawn(what.command, [...what.args], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...what.env },
    ...(what.cwd === undefined ? {} : { cwd: what.cwd }),
    ...(what.uid === undefined ? {} : { uid: what.uid }),
    ...(what.gid === undefined ? {} : { gid: what.gid }),
  });
  closeSync(log);
  // A command that does not exist reports itself here; the caller sees it as "exited before it was ready".
  child.on('error', () => undefined);
  child.unref();
  if (child.pid === undefined) throw new Error(`${what.name} could not be started: ${what.command}`);
  return enter(dir, what, child.pid);
}

/** Into the table: from now on it is stopped with the rest, whoever comes to that. */
export function enter(dir: string, what: Launch, pid: number): Entry {
  mkdirSync(join(dir, 'processes'), { recursive: true });
  const entry: Entry = { ...what, pid, born: bornOf(pid) ?? '' };
  save(dir, entry);
  return entry;
}

/** What the table says, oldest first; of what is written there anything may have died since. */
export function entries(dir: string): Entry[] {
  let names: string[];
  try {
    names = readdirSync(join(dir, 'processes'));
  } catch {
    return [];
  }
  return names
    .filter((file) => file.endsWith('.json'))
    .map((file) => entryOf(dir, file.slice(0, -'.json'.length)))
    .filter((entry) => entry !== undefined);
}

/** Name to pid of what lives. */
export function pidsIn(dir: string): Record<string, number> {
  return Object.fromEntries(
    entries(dir)
      .filter(isAlive)
      .map((entry) => [entry.name, entry.pid]),
  );
}

export function entryOf(dir: string, name: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dir, name), 'utf8')) as Entry;
  } catch {
    return undefined;
  }
}

/** The same pid born at another moment is somebody else, whom we must not touch. */
export function isAlive(entry: Pick<Entry, 'pid' | 'born'>): boolean {
  return bornOf(entry.pid) === entry.born;
}

export function signal(entry: Entry, how: NodeJS.Signals): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, how);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}

/** The process and all below it, itself first: stopped, it starts no more. Postgres answers from its children. */
export function signalTree(entry: Entry, how: NodeJS.Signals): void {
  if (!isAlive(entry)) return;
  signal(entry, how);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const family = new Set([entry.pid]);
  for (const [pid = 0, parent = 0] of rows.map((row) => row.trim().split(/\s+/).map(Number))) {
    if (!family.has(parent)) continue;
    family.add(pid);
    try {
      process.kill(pid, how);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Stops one process and strikes it off the table. */
export async function halt(dir: string, name: string): Promise<void> {
  const entry = entryOf(dir, name);
  if (entry === undefined) return;
  // A stopped (SIGSTOP) process meets its signal only when it goes on.
  signal(entry, 'SIGCONT');
  signal(entry, entry.stopSignal ?? 'SIGTERM');
  if (!(await isGone(entry, entry.patienceMs ?? defaultPatienceMs))) {
    signal(entry, 'SIGKILL');
    await isGone(entry, defaultPatienceMs);
  }
  strike(dir, name);
}

export async function haltAll(dir: string): Promise<void> {
  const tiers = [...new Set(entries(dir).map((entry) => entry.tier))].sort((a, b) => b - a);
  for (const tier of tiers) {
    const inTier = entries(dir).filter((entry) => entry.tier === tier);
    await Promise.all(inTier.map((entry) => halt(dir, entry.name)));
  }
}

export function strike(dir: string, name: string): void {
  rmSync(fileOf(dir, name), { force: true });
}

export async function isGone(entry: Entry, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (isAlive(entry)) {
    if (Date.now() > until) return false;
    await sleep(pollMs);
  }
  return true;
}

function save(dir: string, entry: Entry): void {
  // 0600: the environment of a process may hold a password. Renamed into place, so that no reader sees half a file.
  const file = fileOf(dir, entry.name);
  writeFileSync(`${file}.new`, JSON.stringify(entry, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function fileOf(dir: string, name: string): string {
  return join(dir, 'processes', `${name}.json`);
}
