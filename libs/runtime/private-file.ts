/** Files that may hold keys and passwords. */
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readable by its owner only. Renamed into place, so that no reader sees half a file. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  renameSync(writeNext(file, text), file);
}

/** Keeps the owner, the group and the mode of the file. Throws where it may not give the file to them, and leaves it as it is. */
export function replacePrivateFile(file: string, text: string): void {
  const { uid, gid, mode } = statSync(file);
  const next = writeNext(file, text);
  try {
    // In this order: the mode may let the group read, which is not yet the right one.
    chownSync(next, uid, gid);
    chmodSync(next, mode);
    renameSync(next, file);
  } catch (error) {
    rmSync(next);
    throw error;
  }
}

/** Returns the path of the new file. One that a stopped run left may be open to others. */
function writeNext(file: string, text: string): string {
  const next = `${file}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  return next;
}
