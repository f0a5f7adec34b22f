import { chmodSync, cpSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of a folder that everybody may read and run, however private its maker's files are; whole, or not there. */
export function copyForAll(from: string, to: string): void {
  const part = `${to}.part`;
  rmSync(part, { recursive: true, force: true });
  cpSync(from, part, { recursive: true, verbatimSymlinks: true });
  for (const name of ['.', ...readdirSync(part, { recursive: true, encoding: 'utf8' })]) {
    const path = join(part, name);
    const entry = lstatSync(path);
    if (entry.isSymbolicLink()) continue;
    // What its maker may do others may, but for writing.
    const may = entry.mode & 0o500;
    chmodSync(path, (entry.mode & 0o700) | (may >> 3) | (may >> 6));
  }
  renameSync(part, to);
}
