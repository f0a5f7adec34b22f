/** One starter at a time owns a stack's folder. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Born, bornOf } from './born.ts';
import { isAlive } from './processes.ts';

type Living = { readonly pid: number; readonly born: Born };
type Owner = Living & { readonly watchdog?: Living };

export type Claim = 'ours' | 'left behind' | 'theirs' | 'being cleaned';

/** `left behind`: ours as well, but its last owner and the watchdog of that died, and what they ran may run still. */
export function claim(dir: string): Claim {
  mkdirSync(dir, { recursive: true });
  const mine = `${fileOf(dir)}.of-${process.pid}`;
  // Written first and then linked into place: nobody ever reads half of it and takes it for nobody's.
  writeFileSync(mine, JSON.stringify(living(process.pid)));
  try {
    return stands(mine, fileOf(dir)) ? 'ours' : claimAfter(dir, mine);
  } finally {
    rmSync(mine, { force: true });
  }
}

function claimAfter(dir: string, mine: string): Claim {
  const owner = ownerOf(dir);
  if (owner === undefined) return 'being cleaned';
  if (isAlive(owner)) return 'theirs';
  if (owner.watchdog !== undefined && isAlive(owner.watchdog)) return 'being cleaned';
  return succeeds(dir, mine, owner) ? 'left behind' : 'being cleaned';
}

/**
 * Of those who find an owner dead one takes its place. The right to is a file named for the dead one: made once, and
 * where its maker died too, succeeded in like manner.
 */
function succeeds(dir: string, mine: string, owner: Living): boolean {
  const rights: string[] = [];
  for (let dead: Living | undefined = owner; dead !== undefined && !isAlive(dead); ) {
    const right = `${fileOf(dir)}.after-${dead.pid}-${dead.born.replace(/\W/g, '-')}`;
    rights.push(right);
    if (stands(mine, right)) return takePlace(dir, mine, owner, rights);
    dead = read(right);
  }
  return false;
}

/** Whoever comes late finds that the place was taken, and gives its right back. */
function takePlace(dir: string, mine: string, owner: Living, rights: readonly string[]): boolean {
  const now = ownerOf(dir);
  const isStillEmpty = now?.pid === owner.pid && now.born === owner.born;
  if (isStillEmpty) renameSync(mine, fileOf(dir));
  for (const right of isStillEmpty ? rights : rights.slice(-1)) rmSync(right, { force: true });
  return isStillEmpty;
}

/** Whether the file got that name; false where the name is taken. */
function stands(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    return false;
  }
}

function living(pid: number): Living {
  return { pid, born: bornOf(pid) ?? '' };
}

export function noteWatchdog(dir: string, pid: number): void {
  const owner: Owner = { ...living(process.pid), watchdog: living(pid) };
  writeFileSync(`${fileOf(dir)}.new`, JSON.stringify(owner));
  renameSync(`${fileOf(dir)}.new`, fileOf(dir));
}

export function ownerOf(dir: string): Owner | undefined {
  return read(fileOf(dir));
}

/** A file that holds nobody is that of somebody dead: it was being written when the machine went down. */
function read(file: string): Owner | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return { pid: 0, born: '' };
  }
}

/** Ends the ownership of a pid after the work is done; false where the folder is somebody else's by now. */
export async function release(dir: string, pid: number, work: () => Promise<void>): Promise<boolean> {
  if (ownerOf(dir)?.pid !== pid) return false;
  await work();
  rmSync(fileOf(dir), { force: true });
  return true;
}

function fileOf(dir: string): string {
  return join(dir, 'owner.json');
}
