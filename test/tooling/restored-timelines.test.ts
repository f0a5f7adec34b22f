/** A database that is restored twice with deploy/backup/backup.sh, in Postgres itself. Barman's commands are replaced by scripts. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { preparePostgres } from '#deploy/dev/embedded-postgres.ts';
import { freePort, ownerPassword } from '#deploy/dev/ports.ts';
import {
  type ProcessEntry,
  type ProcessSpec,
  sendSignal,
  startProcess,
  waitForExit,
} from '#deploy/dev/process-control.ts';
import { eventually } from '#test/support/tenant.ts';

const run = promisify(execFile);
const waitTimeoutMs = 120_000;

let root: string;
let spec: ProcessSpec;
let data: string;
let url: string;
let running: ProcessEntry | undefined;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lending-restores-'));
  // The user of Postgres reads it.
  chmodSync(root, 0o755);
  for (const folder of ['bin', 'archive']) mkdirSync(join(root, folder));
  cpSync(join(import.meta.dirname, '..', '..', 'deploy', 'backup', 'backup.sh'), join(root, 'backup.sh'));
  writeFileSync(join(root, 'backup.env'), `BACKUP_URL=s3://bucket/cell\nBACKUP_TOOLS='${join(root, 'bin')}'\n`);
  const archive = join(root, 'archive');
  // The last arguments are those of Barman's commands: a file of the log, its name and where to copy it, a folder.
  addCommand(
    'wal-archive',
    `cp "$last" "${archive}/\${last##*/}.part" && mv "${archive}/\${last##*/}.part" "${archive}/\${last##*/}"`,
  );
  addCommand('wal-restore', `cp "${archive}/$before" "$last" 2> /dev/null`);
  addCommand('restore', `mkdir -p "$last" && cp -a "${root}/base/." "$last"`);
  const port = await freePort();
  spec = await preparePostgres(root, port);
  data = spec.args[1] ?? '';
  url = `postgres://lending:${ownerPassword(root)}@127.0.0.1:${port}/lending`;
  giveToPostgres(archive);
});
afterAll(async () => {
  await stopPostgres();
  rmSync(root, { recursive: true, force: true });
});

function addCommand(name: string, command: string): void {
  const file = join(root, 'bin', `barman-cloud-${name}`);
  writeFileSync(file, `#!/bin/sh\nfor argument; do before=$last; last=$argument; done\n${command}\n`);
  chmodSync(file, 0o755);
}

function giveToPostgres(path: string): void {
  const { uid, gid } = spec;
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, path]);
}

/** Resolves when it accepts writes. */
async function startPostgres(dir: string): Promise<void> {
  const archiving = ['archive_mode=on', `archive_command="${root}/backup.sh" archive "%p"`];
  const args = ['-D', dir, ...spec.args.slice(2), ...archiving.flatMap((setting) => ['-c', setting])];
  running = startProcess(root, { ...spec, args });
  await eventually(
    async () => (await select('SELECT pg_is_in_recovery() AS found').catch(() => true)) === false,
    waitTimeoutMs,
  );
}

async function stopPostgres(): Promise<void> {
  if (running === undefined) return;
  sendSignal(running, 'SIGINT');
  if (!(await waitForExit(running, waitTimeoutMs))) throw new Error('Postgres did not stop within 120 s');
  running = undefined;
}

/** The first row's column `found`. */
async function select(...texts: string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let found: unknown;
    for (const text of texts) found = (await client.query(text)).rows[0]?.found;
    return found;
  } finally {
    await client.end();
  }
}

async function takeBaseBackup(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('base', true)");
  // The log comes from the archive, and its files change during the copy.
  const filter = (path: string): boolean => basename(dirname(path)) !== 'pg_wal' && basename(path) !== 'postmaster.pid';
  cpSync(data, join(root, 'base'), { recursive: true, preserveTimestamps: true, filter });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  writeFileSync(join(root, 'base', 'backup_label'), rows[0].labelfile);
  giveToPostgres(join(root, 'base'));
}

/** Records a write. Returns a moment after it and before the next one. */
async function record(write: string): Promise<string> {
  const moment = "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') AS found";
  return String(await select(`INSERT INTO writes VALUES ('${write}')`, moment));
}

async function archiveLog(): Promise<void> {
  const file = await select('SELECT pg_walfile_name(pg_switch_wal()) AS found');
  await eventually(() => existsSync(join(root, 'archive', String(file))), waitTimeoutMs);
}

/** Starts on the restored data. */
async function restore(...args: readonly string[]): Promise<{ writes: unknown; output: string }> {
  await stopPostgres();
  const dir = mkdtempSync(join(root, 'restored-'));
  const [target = '', ...options] = args.toReversed();
  const { stdout, stderr } = await run(join(root, 'backup.sh'), ['restore', ...options.toReversed(), dir, target]);
  giveToPostgres(dir);
  await startPostgres(dir);
  return {
    writes: await select("SELECT string_agg(write, ' ' ORDER BY write) AS found FROM writes"),
    output: `${stdout}${stderr}`,
  };
}

test('a restore that is repeated with a later moment goes on in the log before the first restore', async () => {
  await startPostgres(data);
  await select('CREATE TABLE writes (write text)');
  await takeBaseBackup();
  const first = await record('1 before both');
  const second = await record('2 between');
  await record('3 after both');
  await archiveLog();
  expect((await restore(first)).writes).toBe('1 before both');
  // The restored database archives, too: the next restore finds its timeline.
  const later = await record('4 restored');
  await record('5 restored');
  await archiveLog();
  await eventually(() => existsSync(join(root, 'archive', '00000002.history')), waitTimeoutMs);
  expect(readFileSync(join(root, 'archive', '00000002.history'), 'utf8')).toMatch(/^1\t\S+\tbefore /);

  const again = await restore(second);
  expect(again.writes).toBe('1 before both 2 between');
  expect(again.output).toContain('timeline 2 is left out');
  expect(again.output).toContain('applies the log of timeline 1');
  expect((await restore('--timeline', '2', later)).writes).toBe('1 before both 4 restored');
}, 480_000);
