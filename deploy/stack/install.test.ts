/** What an install leaves where its starter ends before it. Its Maven is played. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bornOf } from './born.ts';

let root: string;
let lib: string;
let starter: ChildProcess | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-install-'));
  lib = join(root, 'lib');
});
afterEach(() => {
  starter?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function maven(script: string): void {
  const lines = [
    '#!/bin/sh',
    `echo "$*" > '${root}/asked'`,
    'for told; do case "$told" in -Dinto=*) into=$(echo "$told" | cut -c8-);; esac; done',
  ];
  writeFileSync(join(root, 'mvn'), `${[...lines, 'mkdir -p "$into"', script].join('\n')}\n`);
  chmodSync(join(root, 'mvn'), 0o755);
}

// Ends as a start does that is told to: at once, and what is left is its watchdog's business.
const source = `
import { takeCustody } from '${import.meta.dirname}/custody.ts';
import { installed } from '${import.meta.dirname}/install.ts';

const [dir, lib] = process.argv.slice(2);
await takeCustody(dir, () => undefined);
process.on('SIGTERM', () => process.exit(130));
console.log(await installed('redis', dir, () => undefined, lib).catch((cause) => cause.message));
process.exit();
`;

function start(): ChildProcess {
  writeFileSync(join(root, 'starter.ts'), source);
  const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  starter = spawn(process.execPath, [join(root, 'starter.ts'), join(root, 'stack'), lib], { env, stdio: [...stdio] });
  return starter;
}

async function installs(): Promise<string> {
  const running = start();
  let said = '';
  running.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(running, 'close');
  return said.trim();
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an install from Maven', () => {
  test('lies where it is looked for when it is whole, and is asked for what arrives as it was sent', async () => {
    maven('touch "$into/server"');
    expect(await installs()).toBe(join(lib, 'redis-6.2'));
    expect(readdirSync(lib)).toEqual(['redis-6.2']);
    expect(readFileSync(join(root, 'asked'), 'utf8')).toMatch(/^-B -C /);
    expect(readdirSync(join(root, 'stack', 'processes'))).toEqual([]);
  });

  test('that fails says how, and leaves nothing', async () => {
    maven('echo no such artifact; exit 1');
    expect(await installs()).toMatch(/^mvn .* failed:\nno such artifact$/);
    expect(readdirSync(lib)).toEqual([]);
    expect(readdirSync(join(root, 'stack', 'processes'))).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends with its starter, also by %s', async (how) => {
    maven(`echo $$ > '${root}/pid'; exec sleep 1000`);
    const running = start();
    await until(() => existsSync(join(root, 'pid')));
    const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
    running.kill(how);
    await until(() => bornOf(pid) === undefined);
  });

  test('clears away what one was laying out that died, and no other', async () => {
    maven('touch "$into/server"');
    const mine = `kafka-4.3.1.${process.pid}.part`;
    for (const part of ['redis-6.2.4194999.part', mine]) mkdirSync(join(lib, part), { recursive: true });
    await installs();
    expect(readdirSync(lib).sort()).toEqual([mine, 'redis-6.2']);
  });
});
