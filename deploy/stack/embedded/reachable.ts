/** Where Postgres has its data: root runs it as somebody else, who must be able to come there. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const everybodys = '/var/tmp';
const prefix = 'lending-postgres-';
// A folder that was moved names its data again when it is started next; one that was removed never does.
const keptMs = 24 * 60 * 60_000;

/** Whether everybody may come there. */
export function isOpen(dir: string): boolean {
  for (let at = dir; at !== dirname(at); at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
  }
  return true;
}

/** A folder beside the system's temporary data, for a stack's folder that lies below one only root may enter. */
export function abroad(dir: string, below = everybodys): string {
  // Named in the stack's folder, so that whoever removes that begins anew.
  const pointer = pointerOf(dir);
  const last = textOf(pointer);
  const home = last !== undefined && isOurs(last, pointer) ? last : newHome(pointer, below);
  writeFileSync(join(home, 'belongs-to'), pointer);
  sweep(below);
  return home;
}

/** What this folder has elsewhere: of a stack that was one run's it is gigabytes, a run. */
export function removeAbroad(dir: string): void {
  const pointer = pointerOf(dir);
  const home = textOf(pointer);
  if (home === undefined || !basename(home).startsWith(prefix)) return;
  if (textOf(join(home, 'belongs-to')) !== pointer) return;
  rmSync(home, { recursive: true, force: true });
}

function pointerOf(dir: string): string {
  return join(dir, 'postgres-is-at');
}

/** A folder that was moved takes its data along; a copy of one that is still there begins with data of its own. */
function isOurs(home: string, pointer: string): boolean {
  const owner = textOf(join(home, 'belongs-to'));
  return owner !== undefined && (owner === pointer || textOf(owner) !== home);
}

function newHome(pointer: string, below: string): string {
  mkdirSync(dirname(pointer), { recursive: true });
  const home = mkdtempSync(join(below, prefix));
  chmodSync(home, 0o755);
  writeFileSync(pointer, home);
  return home;
}

/** What nobody names any longer goes, when it has not been used for long. */
function sweep(below: string): void {
  for (const name of readdirSync(below).filter((entry) => entry.startsWith(prefix))) {
    const home = join(below, name);
    const belongs = join(home, 'belongs-to');
    const pointer = textOf(belongs);
    if (pointer === undefined || textOf(pointer) === home) continue;
    // Written at every start.
    if (Date.now() - statSync(belongs).mtimeMs > keptMs) rmSync(home, { recursive: true, force: true });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
