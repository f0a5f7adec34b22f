/** Files that may hold keys and passwords. */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readable by its owner only, unless a mode is stated. Renamed into place, so that no reader sees half a file. */
export function writePrivateFile(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.new`;
  // A file that a stopped run left may be open to others, and `mode` counts for a new file only.
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  chmodSync(next, mode);
  renameSync(next, file);
}
