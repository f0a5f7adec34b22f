/**
 * The processes of a folder, one file each in `processes/`. Another process can find, stop and restart them: the next
 * start after a crash, or a fault test.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { readJsonFile } from './dev-files.ts';

export type ProcessSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Postgres refuses to run as root and needs another user there. */
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal?: NodeJS.Signals;
  /** How long a stop may take before SIGKILL. */
  readonly stopTimeoutMs?: number;
  /** Higher tiers stop first: services before the backing services they use. */
  readonly tier: number;
};

/** With the start time the pid names one process for good; a pid alone is reused. */
export type ProcessIdentity = { readonly pid: number; readonly startTime: string };

export type ProcessEntry = ProcessSpec & ProcessIdentity;

const defaultStopTimeoutMs = 4_000;
const pollIntervalMs = 25;

/** The child stays in the process group of its starter, which is killed as one when the starter dies. */
export function startProcess(dir: string, spec: ProcessSpec): ProcessEntry {
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const log = openSync(logFile(dir, spec.name), 'a');
  const { command, args, env, cwd, uid, gid } = spec;
  const child = spawn(command, [...args], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  closeSync(log);
  // Emitted for a command that does not exist; the missing pid reports it below.
  child.on('error', () => undefined);
  child.unref();
  if (child.pid === undefined) throw new Error(`failed to start ${spec.name}: cannot run ${command}`);
  const entry: ProcessEntry = { ...spec, ...identityOf(child.pid) };
  // The environment of a process may hold a password.
  writePrivateFile(entryFile(dir, spec.name), JSON.stringify(entry, null, 2));
  return entry;
}

/** The same command on the same ports and data, where the process has ended. Retries while it exits at once. */
export async function restartProcess(dir: string, entry: ProcessEntry): Promise<void> {
  if (isRunning(entry)) return;
  for (let attempt = 0; attempt < 20; attempt++) {
    const restarted = startProcess(dir, entry);
    // After SIGKILL, Postgres does not start until its orphaned sessions have released the shared memory.
    await sleep(250);
    if (isRunning(restarted)) return;
  }
  throw new Error(`failed to restart ${entry.name}; ${describeLog(dir, entry.name)}`);
}

/** The recorded processes; any of them may have ended since. */
export function listProcesses(dir: string): ProcessEntry[] {
  if (!existsSync(join(dir, 'processes'))) return [];
  return readdirSync(join(dir, 'processes'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => findProcess(dir, file.slice(0, -'.json'.length)))
    .filter((entry) => entry !== undefined);
}

export function findProcess(dir: string, name: string): ProcessEntry | undefined {
  return readJsonFile(entryFile(dir, name));
}

export function requireProcess(dir: string, name: string): ProcessEntry {
  const entry = findProcess(dir, name);
  if (entry === undefined) throw new Error(`no process ${name} is recorded in ${dir}; start it first`);
  return entry;
}

/** Name to pid of the running processes. */
export function runningPids(dir: string): Record<string, number> {
  const running = listProcesses(dir).filter(isRunning);
  return Object.fromEntries(running.map((entry) => [entry.name, entry.pid]));
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return processStartTime(pid) === startTime;
}

export function sendSignal(entry: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(entry)) return;
  try {
    process.kill(entry.pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}

/** Signals a process, then its children: Postgres answers queries from its children. */
export function sendSignalToTree(entry: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(entry)) return;
  sendSignal(entry, signal);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const tree = new Set([entry.pid]);
  for (const [pid = 0, parent = 0] of rows.map((row) => row.trim().split(/\s+/).map(Number))) {
    if (!tree.has(parent)) continue;
    tree.add(pid);
    try {
      process.kill(pid, signal);
    } catch {
      // The child has ended meanwhile.
    }
  }
}

/** Stops all processes of a folder, tier by tier. */
export async function stopProcesses(dir: string): Promise<void> {
  const tiers = [...new Set(listProcesses(dir).map((entry) => entry.tier))].sort((a, b) => b - a);
  for (const tier of tiers) {
    const inTier = listProcesses(dir).filter((entry) => entry.tier === tier);
    await Promise.all(inTier.map((entry) => stopProcess(dir, entry)));
  }
}

async function stopProcess(dir: string, entry: ProcessEntry): Promise<void> {
  // A process suspended by SIGSTOP handles a signal only after SIGCONT.
  sendSignal(entry, 'SIGCONT');
  sendSignal(entry, entry.stopSignal ?? 'SIGTERM');
  if (!(await waitForExit(entry, entry.stopTimeoutMs ?? defaultStopTimeoutMs))) {
    sendSignal(entry, 'SIGKILL');
    await waitForExit(entry, defaultStopTimeoutMs);
  }
  rmSync(entryFile(dir, entry.name), { force: true });
}

/** False where the process still runs after the timeout. */
export async function waitForExit(entry: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(entry)) {
    if (Date.now() > deadline) return false;
    await sleep(pollIntervalMs);
  }
  return true;
}

const shownLogLines = 12;
const maxShownChars = 2_000;

/** Where the log of a process is, and its last lines. */
export function describeLog(dir: string, name: string): string {
  const file = logFile(dir, name);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  const lastLines = text.split('\n').slice(-shownLogLines).join('\n').slice(-maxShownChars);
  return lastLines === '' ? `its log is ${file}` : `its log is ${file}, which ends:\n${lastLines}`;
}

/** Empty start time where the process has already ended: no running process has that. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startTime: processStartTime(pid) ?? '' };
}

const hasProcFolder = existsSync('/proc/self/stat');
// Linux counts start times from boot: the boot id tells equal counts of two boots apart.
const bootId = hasProcFolder ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

/** Undefined where no such process runs. A zombie does not run. */
export function processStartTime(pid: number): string | undefined {
  try {
    return hasProcFolder ? startTimeFromProc(pid) : startTimeFromPs(pid);
  } catch {
    return undefined;
  }
}

function startTimeFromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Field 2 is the command in brackets and may hold spaces, so fields are counted after it: 3 is the state, 20 the number
  // of threads, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process keeps its ports until its last thread, which may have a low priority, has ended.
  const hasEnded = fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[17]) <= 1);
  return hasEnded ? undefined : `${bootId} ${fields[19]}`;
}

function startTimeFromPs(pid: number): string | undefined {
  const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [state, ...start] = output.split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : start.join(' ');
}

function logFile(dir: string, name: string): string {
  return join(dir, 'logs', `${name}.log`);
}

function entryFile(dir: string, name: string): string {
  return join(dir, 'processes', `${name}.json`);
}
