/** What the embedded services install and where Postgres keeps its data. Maven is replaced by a script. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyReadableByAll, externalHome, removeExternalHome } from './embedded-postgres.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-embedded-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('an artifact of Maven', () => {
  let lib: string;
  beforeEach(() => {
    lib = join(root, 'lib');
  });

  /** Replaces mvn by a script that knows the target folder as $into. */
  function mavenRuns(script: string): void {
    const lines = [
      '#!/bin/sh',
      `echo "$*" > '${root}/arguments'`,
      'for arg; do case "$arg" in -Dinto=*) into=$(echo "$arg" | cut -c8-);; esac; done',
    ];
    writeFileSync(join(root, 'mvn'), `${[...lines, 'mkdir -p "$into"', script].join('\n')}\n`);
    chmodSync(join(root, 'mvn'), 0o755);
  }

  const installerSource = `
import { installArtifact } from '${import.meta.dirname}/maven.ts';
console.log(await installArtifact('redis', () => undefined, process.argv[2]).catch((cause) => cause.message));
`;

  async function install(): Promise<string> {
    writeFileSync(join(root, 'installer.ts'), installerSource);
    const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
    const child = spawn(process.execPath, [join(root, 'installer.ts'), lib], { env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    return output.trim();
  }

  test('is installed into its folder, with its checksums verified', async () => {
    mavenRuns('touch "$into/server"');
    expect(await install()).toBe(join(lib, 'redis-6.2'));
    expect(readdirSync(lib)).toEqual(['redis-6.2']);
    expect(readFileSync(join(root, 'arguments'), 'utf8')).toMatch(/^-B -C /);
  });

  test('that cannot be installed fails with the output of Maven and leaves nothing', async () => {
    mavenRuns('echo no such artifact; exit 1');
    expect(await install()).toMatch(/^mvn .* failed:\nno such artifact$/);
    expect(readdirSync(lib)).toEqual([]);
  });

  test('replaces the partial download of a dead process, and of no other', async () => {
    mavenRuns('touch "$into/server"');
    const ofThisProcess = `kafka-4.3.1.${process.pid}.part`;
    for (const name of ['redis-6.2.4194999.part', ofThisProcess]) mkdirSync(join(lib, name), { recursive: true });
    await install();
    expect(readdirSync(lib).sort()).toEqual([ofThisProcess, 'redis-6.2']);
  });
});

test('a copy of the Postgres binaries can be read and run by every user, and changed by none', () => {
  mkdirSync(join(root, 'native', 'bin'), { recursive: true, mode: 0o700 });
  chmodSync(join(root, 'native'), 0o700);
  writeFileSync(join(root, 'native', 'bin', 'initdb'), '', { mode: 0o700 });
  writeFileSync(join(root, 'native', 'locale'), '', { mode: 0o600 });
  symlinkSync('locale', join(root, 'native', 'language'));
  const copy = join(root, 'copy');
  // Left by a copy that was interrupted.
  mkdirSync(join(root, 'copy.part'));
  copyReadableByAll(join(root, 'native'), copy);
  const modes = ['.', 'bin', 'bin/initdb', 'locale'].map((path) => lstatSync(join(copy, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o644]);
  expect(readlinkSync(join(copy, 'language'))).toBe('locale');
});

describe('data of Postgres outside the stack folder', () => {
  let external: string;
  const stack = (name: string): string => join(root, name, 'stack');
  beforeEach(() => {
    external = join(root, 'external');
    mkdirSync(external);
  });

  function start(name: string): string {
    const home = externalHome(stack(name), external);
    writeFileSync(join(home, 'PG_VERSION'), name);
    return home;
  }

  function ageByTwoDays(home: string): void {
    const time = new Date(Date.now() - 2 * 24 * 60 * 60_000);
    utimesSync(join(home, 'belongs-to'), time, time);
  }

  test('is that of the last start', () => {
    expect(start('one')).toBe(start('one'));
  });

  test('follows a folder that was moved, however long it was not started', () => {
    const home = start('before');
    ageByTwoDays(home);
    renameSync(join(root, 'before'), join(root, 'after'));
    expect(externalHome(stack('after'), external)).toBe(home);
    expect(existsSync(join(home, 'PG_VERSION'))).toBe(true);
    start('another');
    expect(existsSync(join(home, 'PG_VERSION'))).toBe(true);
  });

  test('is not shared with a copy of the folder', () => {
    const home = start('one');
    cpSync(join(root, 'one'), join(root, 'copy'), { recursive: true });
    expect(start('copy')).not.toBe(home);
    expect(start('one')).toBe(home);
  });

  test('of a removed folder is deleted by another start after a day', () => {
    const home = start('one');
    rmSync(join(root, 'one'), { recursive: true });
    start('another');
    expect(existsSync(home)).toBe(true);
    ageByTwoDays(home);
    start('another');
    expect(existsSync(home)).toBe(false);
  });

  test('is deleted with its stack, and that of another stack is not', () => {
    const home = start('one');
    const otherHome = start('other');
    cpSync(join(root, 'other'), join(root, 'copy'), { recursive: true });
    for (const name of ['one', 'copy', 'never-started']) removeExternalHome(stack(name));
    expect(existsSync(home)).toBe(false);
    expect(existsSync(otherHome)).toBe(true);
  });

  test('is created again after it was removed', () => {
    rmSync(start('one'), { recursive: true });
    expect(existsSync(start('one'))).toBe(true);
  });
});
