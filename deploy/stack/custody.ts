/**
 * Whoever takes custody of a folder of processes answers for them: while it lives it may start again what dies, when
 * it ends they are stopped, and when it is killed its watchdog stops them, or at last the next to take custody.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clear } from './halt.ts';
import { projectDir, type Say } from './install.ts';
import { claim, noteWatchdog, release } from './owner.ts';
import { type Entry, entries, entryOf, isAlive, launch } from './processes.ts';

export type Custody = {
  readonly dir: string;
  /** From now on whatever dies in the folder is started again. */
  revive(say: Say): void;
  /** Stops all of it, and with it whatever tells of it. */
  end(): Promise<void>;
};

/** Undefined where a living process has the folder. `tells` are the files that tell others of what runs in it. */
export async function takeCustody(dir: string, say: Say, tells: readonly string[] = []): Promise<Custody | undefined> {
  for (;;) {
    const claimed = claim(dir);
    if (claimed === 'theirs') return undefined;
    if (claimed === 'left behind') say('cleaning up what a start left behind that died');
    if (claimed !== 'being cleaned') break;
    await sleep(100);
  }
  // Left behind, or of an earlier start whose containers could not be stopped then.
  await clear(dir, tells, say);
  watch(dir, tells);
  let reviver: Reviver | undefined;
  return {
    dir,
    revive(sayThat) {
      reviver ??= reviveFallen(dir, sayThat);
    },
    async end() {
      await reviver?.stop();
      await release(dir, process.pid, () => clear(dir, tells, say));
    },
  };
}

/** The same command on the same port and data; retried where it falls at once. */
export async function startAgain(dir: string, entry: Entry): Promise<void> {
  if (isAlive(entry)) return;
  for (let tries = 0; tries < 20; tries++) {
    const again = launch(dir, entry);
    // After a kill -9 Postgres refuses to start until the last of its orphaned sessions has let go of the shared memory.
    await sleep(250);
    if (isAlive(again)) return;
  }
  throw new Error(`${entry.name} does not start again; its log is ${join(dir, 'logs', `${entry.name}.log`)}`);
}

type Reviver = { stop(): Promise<void> };

const lookEveryMs = 300;

function reviveFallen(dir: string, say: Say): Reviver {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      const fallen = entries(dir).filter((entry) => !isAlive(entry));
      if (stopping.signal.aborted || fallen.length === 0) continue;
      for (const { name } of fallen) say(`${name} ended; starting it again`);
      await Promise.all(fallen.map(({ name }) => again(name)));
    }
  };
  const again = async (name: string): Promise<void> => {
    const entry = entryOf(dir, name);
    if (entry === undefined) return;
    try {
      await startAgain(dir, entry);
    } catch (cause) {
      say((cause as Error).message);
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function watch(dir: string, tells: readonly string[]): void {
  const watchdog = join(import.meta.dirname, 'watchdog.ts');
  const child = spawn(process.execPath, [watchdog, dir, String(process.pid), ...tells], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: projectDir,
  });
  child.unref();
  if (child.pid !== undefined) noteWatchdog(dir, child.pid);
  // The pipe must stay open and must not keep us alive: the kernel closes it when we end, however we end.
  (child.stdin as unknown as { unref(): void }).unref();
}
