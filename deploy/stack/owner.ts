/** One starter at a time owns a stack's folder. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Born, bornOf } from './born.ts';
import { isAlive } from './processes.ts';

type Owner = {
  readonly pid: number;
  readonly born: Born;
  readonly watchdog?: { readonly pid: number; readonly born: Born };
};

export type Claim = 'ours' | 'theirs' | 'being cleaned' | 'left behind';

/** `left behind`: its last owner died, and its watchdog too; clean up, then claim again. */
export function claim(dir: string): Claim {
  mkdirSync(dir, { recursive: true });
  const me: Owner = { pid: process.pid, born: bornOf(process.pid) ?? '' };
  try {
    writeFileSync(fileOf(dir), JSON.stringify(me), { flag: 'wx' });
    return 'ours';
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
  const owner = ownerOf(dir);
  if (owner === undefined) return existsSync(fileOf(dir)) ? 'left behind' : claim(dir);
  if (isAlive(owner)) return 'theirs';
  // Two cleaners at once would stop what the next owner has just started.
  return owner.watchdog !== undefined && isAlive(owner.watchdog) ? 'being cleaned' : 'left behind';
}

export function noteWatchdog(dir: string, pid: number): void {
  const owner: Owner = {
    pid: process.pid,
    born: bornOf(process.pid) ?? '',
    watchdog: { pid, born: bornOf(pid) ?? '' },
  };
  writeFileSync(`${fileOf(dir)}.new`, JSON.stringify(owner));
  renameSync(`${fileOf(dir)}.new`, fileOf(dir));
}

export function disown(dir: string): void {
  rmSync(fileOf(dir), { force: true });
}

export function ownerOf(dir: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dir), 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** Ends the ownership of a pid after the work is done; false where the folder is somebody else's by now. */
export async function release(dir: string, pid: number, work: () => Promise<void>): Promise<boolean> {
  if (ownerOf(dir)?.pid !== pid) return false;
  await work();
  disown(dir);
  return true;
}

function fileOf(dir: string): string {
  return join(dir, 'owner.json');
}
