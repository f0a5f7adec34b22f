/**
 * Programs from packages of Debian or Ubuntu, unpacked into a folder: nothing is installed on the machine, and root is
 * not needed. What the machine has already is used from there.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LogLine } from '../dev/dev-files.ts';
import { MissingPartError } from './missing-part.ts';

const run = promisify(execFile);

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
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'apt', 'lists', 'partial'), { recursive: true });
  mkdirSync(join(partial, 'apt', 'cache', 'archives', 'partial'), { recursive: true });
  // Lists and downloads of their own: those of the machine may be missing, and only root may change them.
  const options = [
    `Dir::State::Lists=${join(partial, 'apt', 'lists')}`,
    `Dir::Cache=${join(partial, 'apt', 'cache')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
  try {
    await run('apt-get', [...options, 'update']);
    // A simulated installation names the packages that the machine lacks, with all they depend on.
    const simulated = ['-s', '--no-install-recommends', 'install', ...names];
    const { stdout } = await run('apt-get', [...options, ...simulated]);
    const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
    if (missing.length > 0) await run('apt-get', [...options, 'download', ...missing], { cwd: partial });
    for (const file of readdirSync(partial).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, partial], { cwd: partial });
    }
    rmSync(join(partial, 'apt'), { recursive: true });
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
