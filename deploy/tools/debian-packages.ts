/** Unpacks packages of Debian or Ubuntu into a folder. Root is not needed. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type UnpackOptions = {
  /** Also what the packages depend on and the machine lacks. */
  readonly withDependencies?: boolean;
};

export async function unpackDebianPackages(
  names: readonly string[],
  target: string,
  { withDependencies = false }: UnpackOptions = {},
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'lending-packages-'));
  // Lists and downloads of their own: those of the machine may be missing, and only root may change them.
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(dir, folder), { recursive: true });
  const options = [
    `Dir::State::Lists=${join(dir, 'lists')}`,
    `Dir::Cache=${join(dir, 'cache')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
  try {
    await run('apt-get', [...options, 'update']);
    const downloaded = withDependencies ? await listMissing(options, names) : names;
    if (downloaded.length > 0) await run('apt-get', [...options, 'download', ...downloaded], { cwd: dir });
    for (const file of readdirSync(dir).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(dir, file), target]);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A simulated installation names the packages that the machine lacks. */
async function listMissing(options: readonly string[], names: readonly string[]): Promise<string[]> {
  const { stdout } = await run('apt-get', [...options, '-s', '--no-install-recommends', 'install', ...names]);
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
}
