/**
 * The supervisor of a folder of processes. One process at a time holds the folder's lock. It stops what a dead
 * predecessor left, restarts processes that exit, and stops all of them when it ends.
 */
import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { stopContainers } from './containers.ts';
import { type LogLine, readJsonFile } from './dev-files.ts';
import {
  identityOf,
  isRunning,
  listProcesses,
  type ProcessIdentity,
  restartProcess,
  stopProcesses,
} from './process-control.ts';

const pollIntervalMs = 300;
const lockRetryMs = 100;
/** A lock is written in milliseconds; an older guard belongs to a process that died meanwhile. */
const maxGuardMs = 5_000;
const secondSignalMs = 1_000;

/** The supervisors of this process, in the order in which they stop: services before backing services. */
const supervisors: Supervisor[] = [];

export class Supervisor {
  readonly dir: string;
  readonly #statusFiles: readonly string[];
  readonly #log: LogLine;
  readonly #stopping = new AbortController();
  #restarting: Promise<void> | undefined;

  private constructor(dir: string, log: LogLine, statusFiles: readonly string[]) {
    this.dir = dir;
    this.#log = log;
    this.#statusFiles = statusFiles;
  }

  /** Undefined where another running process holds the folder. The status files tell others that it is in use. */
  static async acquire(
    dir: string,
    log: LogLine,
    statusFiles: readonly string[] = [],
  ): Promise<Supervisor | undefined> {
    for (;;) {
      const lock = tryLock(dir);
      if (lock === 'held') return undefined;
      if (lock === 'busy') {
        await sleep(lockRetryMs);
        continue;
      }
      if (lock === 'taken over') log('stopping what an earlier start left behind');
      const supervisor = new Supervisor(dir, log, statusFiles);
      supervisors.push(supervisor);
      await supervisor.#stopAll();
      return supervisor;
    }
  }

  /** Without this call a process that exits stays down, as fault tests need it. */
  restartExitedProcesses(): void {
    this.#restarting ??= this.#restartLoop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await this.#stopAll();
    rmSync(lockFile(this.dir), { force: true });
    supervisors.splice(supervisors.indexOf(this), 1);
  }

  async #stopAll(): Promise<void> {
    for (const file of this.#statusFiles) rmSync(file, { force: true });
    await stopFolder(this.dir, this.#log);
  }

  async #restartLoop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
      const exited = listProcesses(this.dir).filter((entry) => !isRunning(entry));
      if (signal.aborted || exited.length === 0) continue;
      for (const { name } of exited) this.#log(`${name} exited; restarting it`);
      const restarts = exited.map((entry) => restartProcess(this.dir, entry));
      for (const result of await Promise.allSettled(restarts)) {
        if (result.status === 'rejected') this.#log((result.reason as Error).message);
      }
    }
  }
}

/** Also where a start was interrupted before it returned its supervisor. */
export async function stopSupervisors(): Promise<void> {
  for (const supervisor of [...supervisors]) await supervisor.stop();
}

/** Stops the processes and containers recorded in a folder, by whichever process they were started. */
export async function stopFolder(dir: string, log: LogLine): Promise<void> {
  await stopProcesses(dir);
  try {
    await stopContainers(dir);
  } catch (cause) {
    // They stay recorded: the next start in the folder tries again.
    log(`failed to stop containers: ${(cause as Error).message.trim()}`);
  }
}

export type LockResult = 'locked' | 'taken over' | 'held' | 'busy';

/** `taken over`: the former holder died without unlocking, and its processes may still run. */
export function tryLock(dir: string): LockResult {
  mkdirSync(dir, { recursive: true });
  // The guard folder lets one process at a time look at the lock and write it.
  const guard = `${lockFile(dir)}.guard`;
  if (!makeGuard(guard)) return 'busy';
  try {
    if (isLockHeld(dir)) return 'held';
    const isLeftBehind = existsSync(lockFile(dir));
    writePrivateFile(lockFile(dir), JSON.stringify(identityOf(process.pid)));
    return isLeftBehind ? 'taken over' : 'locked';
  } finally {
    rmdirSync(guard);
  }
}

function makeGuard(guard: string): boolean {
  try {
    mkdirSync(guard);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    const madeAt = statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > maxGuardMs) rmSync(guard, { recursive: true, force: true });
    return false;
  }
}

export function isLockHeld(dir: string): boolean {
  // No lock, or one that was half written when the machine went down, is not held.
  const holder = readJsonFile<ProcessIdentity>(lockFile(dir));
  return holder !== undefined && isRunning(holder);
}

function lockFile(dir: string): string {
  return join(dir, 'lock.json');
}

/** Resolves on SIGINT, SIGTERM, SIGHUP, or when the bootstrap process that started this one has ended. */
export function untilShutdownSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        // npm may pass on a Ctrl-C that the terminal has sent already. A later signal ends the process at once.
        if (firstAt !== undefined && Date.now() - firstAt > secondSignalMs) process.exit(130);
        firstAt ??= Date.now();
        resolve(name);
      });
    }
    process.once('disconnect', () => resolve('disconnect'));
    process.channel?.unref();
  });
}
