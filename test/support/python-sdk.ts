/** The Python SDK, installed into an environment of its own that later runs use again. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '#deploy/dev/dev-files.ts';

const run = promisify(execFile);
export const pythonSdkDir = join(projectDir, 'libs', 'sdk-python');
const environmentsDir = join(projectDir, '.data', 'python');
const isUsable = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
const installTimeoutMs = 180_000;

/** The Python that has the SDK and its test tools, or why there is none. */
export async function pythonWithSdk(): Promise<{ readonly python: string } | { readonly missing: string }> {
  const project = readFileSync(join(pythonSdkDir, 'pyproject.toml'));
  const dir = join(environmentsDir, createHash('sha256').update(project).digest('hex').slice(0, 16));
  const found = { python: join(dir, 'bin', 'python') };
  if (existsSync(dir)) return found;
  try {
    await run('python3', ['-c', isUsable]);
  } catch {
    return { missing: 'this machine has no python3 of version 3.10 or later with venv' };
  }
  // Test files run in processes of their own: each installs beside, and the first to finish gives it its name.
  mkdirSync(environmentsDir, { recursive: true });
  const unfinished = mkdtempSync(join(environmentsDir, 'unfinished-'));
  try {
    await run('python3', ['-m', 'venv', unfinished]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--editable'];
    const packages = `${pythonSdkDir}[events,test]`;
    await run(join(unfinished, 'bin', 'python'), [...install, packages], { timeout: installTimeoutMs });
    if (!existsSync(dir)) renameSync(unfinished, dir);
  } catch (cause) {
    if (!existsSync(dir)) return { missing: `its packages could not be installed: ${String(cause).split('\n')[0]}` };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return found;
}
