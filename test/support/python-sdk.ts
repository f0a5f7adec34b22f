/** The Python SDK, installed into an environment of its own that later runs use again. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { projectDir } from '#deploy/dev/dev-files.ts';

const run = promisify(execFile);
export const pythonSdkDir = join(projectDir, 'libs', 'sdk-python');
const environmentsDir = join(projectDir, '.data', 'python');
const isUsable = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
const installTimeoutMs = 180_000;
const lockPollMs = 200;

type PythonEnvironment = { readonly python: string } | { readonly missing: string };

let environment: Promise<PythonEnvironment> | undefined;

/** The Python that has the SDK and its test tools, or why there is none. Fails where the SDK cannot be installed. */
export function pythonWithSdk(): Promise<PythonEnvironment> {
  environment ??= openEnvironment();
  return environment;
}

async function openEnvironment(): Promise<PythonEnvironment> {
  const project = readFileSync(join(pythonSdkDir, 'pyproject.toml'));
  const dir = join(environmentsDir, createHash('sha256').update(project).digest('hex').slice(0, 16));
  const found = { python: join(dir, 'bin', 'python') };
  if (existsSync(dir)) return found;
  try {
    await run('python3', ['-c', isUsable]);
  } catch {
    return { missing: 'this machine has no python3 of version 3.10 or later with venv' };
  }
  mkdirSync(environmentsDir, { recursive: true });
  // Test files run in processes of their own: one installs, and the others wait for it. Side by side, each would take
  // several times as long.
  const lock = `${dir}.lock`;
  while (!takeLock(lock)) {
    await setTimeout(lockPollMs);
    if (existsSync(dir)) return found;
  }
  try {
    if (!existsSync(dir)) await install(dir);
    return found;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function install(dir: string): Promise<void> {
  // Under another name until it is complete, because an install may be interrupted.
  const unfinished = mkdtempSync(join(environmentsDir, 'unfinished-'));
  try {
    await run('python3', ['-m', 'venv', unfinished]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--editable'];
    const packages = `${pythonSdkDir}[events,test]`;
    await run(join(unfinished, 'bin', 'python'), [...pip, packages], { timeout: installTimeoutMs });
    renameSync(unfinished, dir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** False where another process has it. The lock of a process that has ended is taken. */
function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (isLockHeld(file)) return false;
    rmSync(file, { force: true });
    return takeLock(file);
  }
}

function isLockHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
