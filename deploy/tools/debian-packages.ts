/** Unpacks packages of Debian or Ubuntu into a folder. Root is not needed. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Only these packages, without what they depend on. */
export async function unpackDebianPackages(names: readonly string[], target: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'lending-packages-'));
  // Lists and downloads of their own: those of the machine may be missing, and only root may change them.
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(dir, folder), { recursive: true });
  const options = [
    `Dir::State::Lists=${join(dir, 'lists')}`,
    `Dir::Cache=${join(dir, 'cache')}`,
    'APT::Sandbox::User=',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
  try {
    await run('apt-get', [...options, 'update']);
    await run('apt-get', [...options, 'download', ...names], { cwd: dir });
    for (const file of readdirSync(dir).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(dir, file), target]);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
