/** Programs from packages of Debian or Ubuntu, unpacked into a folder. What the machine has already is used from there. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from '../dev/dev-files.ts';
import { unpackDebianPackages } from '../tools/debian-packages.ts';
import { MissingPartError } from './missing-part.ts';

/** Where the unpacked programs and their libraries are, and what a process needs in its environment to run them. */
export type UnpackedPackages = { readonly root: string; readonly env: Readonly<Record<string, string>> };

export async function unpackPackages(
  names: readonly string[],
  target: string,
  log: LogLine,
): Promise<UnpackedPackages> {
  if (!existsSync(target)) await download(names, target, log);
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => libraryFolders(join(target, folder)));
  return { root: target, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

async function download(names: readonly string[], target: string, log: LogLine): Promise<void> {
  log(`${names.join(', ')}: downloading packages`);
  const partial = `${target}.${process.pid}.part`;
  mkdirSync(partial, { recursive: true });
  try {
    await unpackDebianPackages(names, partial, { withDependencies: true });
    renameSync(partial, target);
  } catch (cause) {
    throw new MissingPartError(`${names.join(', ')} cannot be downloaded by apt-get, which Debian and Ubuntu have`, {
      cause,
    });
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Libraries lie in a folder named by the platform, such as usr/lib/x86_64-linux-gnu. */
function libraryFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder).filter((entry) => entry.endsWith('-linux-gnu'));
  return [folder, ...entries.map((entry) => join(folder, entry))];
}
