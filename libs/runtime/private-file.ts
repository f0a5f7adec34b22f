/** Files that may hold keys and passwords. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readable by its owner only. Renamed into place, so that no reader sees half a file. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.new`;
  // A file that a stopped run left may be open to others, and `mode` counts for a new file only.
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}
