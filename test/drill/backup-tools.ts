/**
 * The tools of deploy/backup in a folder that the user of Postgres can read: the script, Barman from PyPI, and an
 * S3-compatible store on this machine, unless the environment names one.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type LogLine, projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';

const run = promisify(execFile);

export interface SystemUser {
  readonly uid?: number;
  readonly gid?: number;
}

export interface BackupTools {
  /** The script of deploy/backup, as Postgres calls it. */
  readonly script: string;
  /** Runs the script as the user of Postgres. Rejects where it fails, with its output. */
  runScript(...args: string[]): Promise<string>;
  close(): void;
}

/** The first one that the user of Postgres can run: a Python below the home of root is closed to it. */
const pythons = ['/usr/bin/python3', 'python3'];
const storeReadyTimeoutMs = 30_000;
const bucket = 'drill';

/** A string says why the tools are missing. */
export async function installBackupTools(
  user: SystemUser,
  databaseUrl: string,
  log: LogLine,
): Promise<BackupTools | string> {
  const dir = mkdtempSync(join(tmpdir(), 'lending-drill-tools-'));
  chmodSync(dir, 0o755);
  const tools = join(dir, 'tools');
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  const python = await findPython(user);
  if (python === undefined) {
    remove();
    return `no Python 3.10 with venv that the user of Postgres can run (tried ${pythons.join(' and ')})`;
  }
  log('installing Barman and the store from PyPI');
  try {
    await run(python, ['-m', 'venv', tools]);
    const requirements = [join('deploy', 'backup'), join('test', 'drill')].map((folder) =>
      join(projectDir, folder, 'requirements.txt'),
    );
    const files = requirements.flatMap((file) => ['-r', file]);
    await run(join(tools, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...files]);
  } catch (cause) {
    remove();
    return `Barman could not be installed from PyPI: ${String(cause)}`;
  }
  const store = process.env['BACKUP_URL'] === undefined ? await startStore(dir, tools) : undefined;
  const script = join(dir, 'backup.sh');
  cpSync(join(projectDir, 'deploy', 'backup', 'backup.sh'), script);
  chmodSync(script, 0o755);
  writeConfig(dir, user, { ...(store?.settings ?? namedStore()), ...connectionSettings(databaseUrl), HOME: dir });
  return {
    script,
    async runScript(...args) {
      const { stdout, stderr } = await run(script, args, { cwd: dir, ...user, maxBuffer: 64 * 1024 * 1024 });
      return `${stdout}${stderr}`;
    },
    close() {
      store?.process.kill();
      remove();
    },
  };

  function writeConfig(home: string, { uid, gid }: SystemUser, settings: Readonly<Record<string, string>>): void {
    const file = join(home, 'backup.env');
    const all = { ...settings, BACKUP_TOOLS: join(tools, 'bin') };
    const lines = Object.entries(all).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`);
    writeFileSync(file, lines.join(''), { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  }
}

async function findPython(user: SystemUser): Promise<string | undefined> {
  const check = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
  for (const python of pythons) {
    const isUsable = await run(python, ['-c', check], { cwd: '/', ...user }).then(
      () => true,
      () => false,
    );
    if (isUsable) return python;
  }
  return undefined;
}

/** The store of the environment; each drill has a name of its own there. */
function namedStore(): Record<string, string> {
  const named = Object.entries(process.env).filter(([name]) => /^(BACKUP|AWS)_/.test(name)) as [string, string][];
  return { ...Object.fromEntries(named), BACKUP_SERVER: `drill-${Date.now()}` };
}

async function startStore(
  dir: string,
  tools: string,
): Promise<{ readonly process: ChildProcess; readonly settings: Record<string, string> }> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const temporary = join(dir, 'store');
  mkdirSync(temporary);
  const child = spawn(join(tools, 'bin', 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    cwd: dir,
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'ignore',
  });
  const created = async (): Promise<boolean> =>
    (await fetch(`${endpoint}/${bucket}`, { method: 'PUT' }).catch(() => undefined))?.ok === true;
  for (const deadline = Date.now() + storeReadyTimeoutMs; !(await created()); ) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the S3-compatible store did not start');
    await sleep(100);
  }
  const settings = {
    BACKUP_URL: `s3://${bucket}/cell`,
    BACKUP_SERVER: 'lending',
    BACKUP_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'drill',
    AWS_SECRET_ACCESS_KEY: 'drill',
    AWS_DEFAULT_REGION: 'us-east-1',
  };
  return { process: child, settings };
}

function connectionSettings(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
}
