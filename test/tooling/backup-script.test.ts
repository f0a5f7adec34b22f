/** What deploy/backup/backup.sh asks of Barman and leaves for Postgres. Barman's commands are replaced by a script. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const barman = ['backup', 'backup-list', 'backup-delete', 'restore', 'wal-archive', 'wal-restore'];

let root: string;
let calls: string;
beforeEach(() => {
  // A blank, because a path may hold one.
  root = mkdtempSync(join(tmpdir(), 'lending backup-'));
  calls = join(root, 'calls');
  cpSync(join(import.meta.dirname, '..', '..', 'deploy', 'backup', 'backup.sh'), join(root, 'backup.sh'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'archive'));
  for (const name of barman) addCommand(`barman-cloud-${name}`, `echo "${name} $*"`);
  addWalRestore();
  addRestore('');
  // The last argument: the server whose base backup is recorded.
  addCommand('python3', 'echo "record $3"');
  const settings = `BACKUP_URL=s3://bucket/cell\nBACKUP_ENDPOINT_URL=http://store\nBACKUP_TOOLS='${join(root, 'bin')}'\n`;
  writeFileSync(join(root, 'backup.env'), settings);
});
afterEach(() => rmSync(root, { recursive: true }));

function addCommand(name: string, call: string): void {
  const file = join(root, 'bin', name);
  writeFileSync(
    file,
    `#!/bin/sh\n${call} >> "${calls}"\nexit "\${${name === 'python3' ? 'PYTHON' : 'BARMAN'}_STATUS:-0}"\n`,
  );
  chmodSync(file, 0o755);
}

/** Finds what `archived` wrote. Its last arguments are the name of the file and where to copy it. */
function addWalRestore(): void {
  const script = `#!/bin/sh
    echo "wal-restore $*" >> "${calls}"
    [ -z "$BARMAN_STATUS" ] || exit "$BARMAN_STATUS"
    for argument; do name=$target; target=$argument; done
    cp "${root}/archive/$name" "$target" 2> "${root}/error"`;
  writeFileSync(join(root, 'bin', 'barman-cloud-wal-restore'), script);
}

/** Writes a base backup of timeline 1, and its settings, into the last argument. A test may let it find none of other timelines. */
function addRestore(settings: string, isTimelineMissing = false): void {
  const missing = `case "$*" in *"--target-tli 1 "*) ;; *--target-tli*) exit 1 ;; esac`;
  const script = `#!/bin/sh
    echo "restore $*" >> "${calls}"
    ${isTimelineMissing ? missing : ''}
    for argument; do target=$argument; done
    echo 'START TIMELINE: 1' > "$target/backup_label"
    printf '%s' "${settings}" > "$target/postgresql.auto.conf"`;
  writeFileSync(join(root, 'bin', 'barman-cloud-restore'), script);
}

function archived(name: string, content: string): void {
  writeFileSync(join(root, 'archive', name), content);
}

function backup(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number; err: string }>((resolve) => {
    execFile(join(root, 'backup.sh'), args, { env: { ...process.env, ...env } }, (error, _out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), err });
    });
  });
}

test('each command goes to the store that the settings name', async () => {
  archived('2', 'log');
  const fetched = join(root, 'fetched');
  for (const command of [['check'], ['base'], ['list'], ['prune'], ['archive', 'pg_wal/1'], ['fetch', '2', fetched]]) {
    expect(await backup(command)).toEqual({ code: 0, err: '' });
  }
  expect(readFileSync(fetched, 'utf8')).toBe('log');
  const store = '--cloud-provider aws-s3 --endpoint-url http://store';
  expect(readFileSync(calls, 'utf8').trimEnd().split('\n')).toEqual([
    `backup-list --test ${store} s3://bucket/cell lending`,
    `backup --gzip --immediate-checkpoint ${store} s3://bucket/cell lending`,
    'record lending',
    `backup-list ${store} s3://bucket/cell lending`,
    `backup-delete ${store} --retention-policy RECOVERY WINDOW OF 8 DAYS s3://bucket/cell lending`,
    expect.stringContaining(`wal-restore --quiet --no-partial ${store} s3://bucket/cell lending 1 `),
    `wal-archive --gzip ${store} s3://bucket/cell lending pg_wal/1`,
    `wal-restore --quiet ${store} s3://bucket/cell lending 2 ${fetched}`,
  ]);
});

test('the time of a base backup is recorded once it is complete, and a failure to record it is named', async () => {
  expect((await backup(['base'], { BARMAN_STATUS: '3' })).code).toBe(3);
  expect(readFileSync(calls, 'utf8')).not.toContain('record');
  expect(await backup(['base'], { PYTHON_STATUS: '1' })).toEqual({
    code: 0,
    err: expect.stringContaining('its time is not recorded'),
  });
});

test('a restore leaves a folder on which Postgres applies the log up to the moment', async () => {
  const data = join(root, 'data');
  mkdirSync(data);
  const moment = '2026-11-24 10:00:00+00';
  expect(await backup(['restore', data, moment])).toEqual({ code: 0, err: '' });
  expect(readFileSync(calls, 'utf8')).toContain(`--target-time ${moment} s3://bucket/cell lending auto ${data}`);
  expect(existsSync(join(data, 'recovery.signal'))).toBe(true);
  const settings = readFileSync(join(data, 'postgresql.auto.conf'), 'utf8');
  expect(settings).toContain(`restore_command = '"${root}/backup.sh" fetch %f "%p"'`);
  expect(settings).toContain(`recovery_target_time = '${moment}'`);
  expect(settings).toContain("recovery_target_timeline = '1'");
  expect(settings).toContain("recovery_target_action = 'promote'");
});

describe('the timeline of a restore', () => {
  const moment = '2026-11-24 10:30:00+00';
  let data: string;
  beforeEach(() => {
    data = join(root, 'data');
    mkdirSync(data);
    // A standby was promoted; then the database was restored to a moment, and a standby of the restored one was promoted.
    const promotion = '1\t0/3000158\tno recovery target specified\n';
    archived('00000002.history', promotion);
    const restored = `${promotion}\n2\t0/5000000\tbefore 2026-11-24 10:00:05+00\n\n`;
    archived('00000003.history', restored);
    archived('00000004.history', `${restored}3\t0/7000000\tno recovery target specified\n`);
  });
  const timeline = () =>
    /^recovery_target_timeline = .*$/m.exec(readFileSync(join(data, 'postgresql.auto.conf'), 'utf8'))?.[0];

  test('to a moment follows promotions, and leaves out a restore to an earlier moment', async () => {
    const leftOut = 'timeline 3 is left out: it began with a restore of timeline 2 (before 2026-11-24 10:00:05+00)\n';
    expect(await backup(['restore', data, moment])).toEqual({ code: 0, err: leftOut });
    expect(timeline()).toBe("recovery_target_timeline = '2'");
  });

  test('to the latest state follows all of them', async () => {
    expect(await backup(['restore', data, 'latest'])).toEqual({ code: 0, err: '' });
    expect(timeline()).toBe("recovery_target_timeline = 'latest'");
  });

  test('can be stated, and begins with a base backup of a timeline that it continues', async () => {
    addRestore('', true);
    expect(await backup(['restore', '--spare', '--timeline', '4', data, moment])).toEqual({ code: 0, err: '' });
    expect(timeline()).toBe("recovery_target_timeline = '4'");
    const tried = [...readFileSync(calls, 'utf8').matchAll(/--target-tli (\d+) /g)].map(([, number]) => number);
    expect(tried).toEqual(['4', '3', '2', '1']);
  });

  test('must be in the archive', async () => {
    addRestore('', true);
    expect(await backup(['restore', '--timeline', '5', data, moment])).toEqual({
      code: 1,
      err: 'backup.sh: the archive has no timeline 5\n',
    });
    expect(await backup(['restore', '--timeline', 'one', data, moment])).toEqual({
      code: 1,
      err: 'backup.sh: --timeline is one; expected a number or latest\n',
    });
  });
});

test('a restore of the latest state has no target, and leaves a folder with content alone', async () => {
  const data = join(root, 'data');
  mkdirSync(data);
  expect(await backup(['restore', data, 'latest'])).toEqual({ code: 0, err: '' });
  expect(readFileSync(join(data, 'postgresql.auto.conf'), 'utf8')).not.toContain('recovery_target_time =');
  expect(await backup(['restore', data, 'latest'])).toEqual({
    code: 1,
    err: `backup.sh: ${data} is not empty; move its content away first\n`,
  });
});

test('a restore on a spare machine does not archive', async () => {
  const data = join(root, 'data');
  expect(await backup(['restore', data, 'latest', '--spare'])).toMatchObject({ code: 1 });
  mkdirSync(data);
  expect(await backup(['restore', '--spare', data, 'latest'])).toEqual({ code: 0, err: '' });
  expect(readFileSync(join(data, 'postgresql.auto.conf'), 'utf8')).toContain('archive_mode = off');
});

describe('a restore from a server that was restored itself', () => {
  const kept = ["work_mem = '64MB'", "archive_mode = 'on'"];
  const left = [
    `restore_command = '/opt/before/backup.sh fetch %f "%p"'`,
    "recovery_target_time = '2026-01-01 00:00:00+00'",
    "recovery_target_timeline = '1'",
    "recovery_target_action = 'promote'",
    "recovery_end_command = '/opt/before/backup.sh recovered .'",
    'archive_mode = off',
    // As Postgres writes it again after ALTER SYSTEM.
    "archive_mode = 'off'",
  ];
  let data: string;
  let fetchSetting: string;
  beforeEach(() => {
    data = join(root, 'data');
    mkdirSync(data);
    fetchSetting = `restore_command = '"${root}/backup.sh" fetch %f "%p"'`;
    const base = join(root, 'base.conf');
    writeFileSync(base, [...kept, ...left, ''].join('\n'));
    addRestore(`$(cat '${base}')\n`);
  });
  const settings = () => readFileSync(join(data, 'postgresql.auto.conf'), 'utf8').trimEnd().split('\n');

  test('applies the whole log and archives again', async () => {
    expect(await backup(['restore', data, 'latest'])).toEqual({ code: 0, err: '' });
    expect(settings()).toEqual([
      ...kept,
      fetchSetting,
      "recovery_target_timeline = 'latest'",
      "recovery_target_action = 'promote'",
      `recovery_end_command = '"${root}/backup.sh" recovered .'`,
    ]);
  });

  test('leaves no target once the log is applied: a standby that is copied from it would stop there', async () => {
    expect((await backup(['restore', data, '2026-11-24 10:00:00+00'])).code).toBe(0);
    expect(settings()).toContain("recovery_target_time = '2026-11-24 10:00:00+00'");
    expect(await backup(['recovered', data])).toEqual({ code: 0, err: '' });
    expect(settings()).toEqual([...kept, fetchSetting]);
  });
});

const withMemoryFolder = existsSync('/dev/shm') ? test : test.skip;
withMemoryFolder('a file is archived although the disk has no room for temporary files', async () => {
  expect(await backup(['archive', 'pg_wal/1'], { TMPDIR: join(root, 'missing') })).toEqual({ code: 0, err: '' });
  expect(readFileSync(calls, 'utf8')).toContain('wal-archive');
});

test('an archive that is ended leaves no copy of the file behind', async () => {
  const script = `#!/bin/sh
    for argument; do target=$argument; done
    echo "$target" > "${calls}.new" && mv "${calls}.new" "${calls}"
    exec sleep 600`;
  writeFileSync(join(root, 'bin', 'barman-cloud-wal-restore'), script);
  // Postgres ends the process group of its command.
  const command = spawn(join(root, 'backup.sh'), ['archive', 'pg_wal/1'], { detached: true, stdio: 'ignore' });
  const exited = once(command, 'exit');
  while (!existsSync(calls)) await sleep(20);
  const folder = dirname(readFileSync(calls, 'utf8'));
  expect(existsSync(folder)).toBe(true);
  process.kill(-(command.pid as number), 'SIGTERM');
  await exited;
  expect(existsSync(folder)).toBe(false);
});

test('a file that the archive holds is archived again only with the same content', async () => {
  const file = join(root, '00000002.history');
  writeFileSync(file, 'branch of the spare');
  archived('00000002.history', 'branch of the spare');
  expect(await backup(['archive', file])).toEqual({ code: 0, err: '' });
  archived('00000002.history', 'branch of production');
  expect(await backup(['archive', file])).toEqual({
    code: 1,
    err: 'backup.sh: the archive holds 00000002.history with other content: another server archives as lending\n',
  });
  expect((await backup(['archive', file], { BARMAN_STATUS: '2' })).code).toBe(2);
  expect(readFileSync(calls, 'utf8')).not.toContain('wal-archive');
});

test.each([
  ['no such file in the archive', 1, 1],
  ['the store does not answer', 2, 126],
  ['the settings of the store are wrong', 4, 126],
])('%s: Postgres goes on without the file only where there is none', async (_, status, expected) => {
  const { code } = await backup(['fetch', '1', 'to/1'], { BARMAN_STATUS: String(status) });
  expect(code).toBe(expected);
});

test('missing settings are named', async () => {
  rmSync(join(root, 'backup.env'));
  const { code, err } = await backup(['base']);
  expect({ code, err }).toEqual({ code: 126, err: expect.stringContaining('backup.env; copy backup.env.example') });
});
