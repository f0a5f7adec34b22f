/** Help and completion answer at once only where they load neither a driver nor a server. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { allCommands, describedProgram, fullName } from './command-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-loaded-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const preload = pathToFileURL(join(import.meta.dirname, 'testing', 'list-loaded-packages.mjs')).href;
const entry = join(import.meta.dirname, '..', '..', 'deploy', 'dev', 'lending.mjs');

async function loadedPackages(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const list = join(folder, 'packages');
  const given = { ...process.env, LENDING_CONFIG: join(folder, 'none.json'), ...env, LOADED_PACKAGES: list };
  // A command that fails has loaded what it needs all the same.
  await promisify(execFile)(process.execPath, ['--import', preload, ...args], { env: given }).catch(() => undefined);
  return readFileSync(list, 'utf8').split('\n').filter(Boolean);
}

test.each([
  [[], ['commander']],
  [['--help'], ['commander']],
  [['--version'], ['commander']],
  [['exit-codes'], ['commander']],
  [['prepare', '--help'], ['commander']],
  [['kye', 'list', 'demo'], ['commander']],
  [
    ['completion', 'bash'],
    ['@bomb.sh/tab', 'commander'],
  ],
  [
    ['complete', '--', 'key', 'mint', 'demo', '--scope', ''],
    ['@bomb.sh/tab', 'commander'],
  ],
])('lending with the words %j loads no other package than %j', async (words, expected) => {
  expect(await loadedPackages([entry, ...words])).toEqual(expected);
});

test('the help of no command loads another package than that of the command line', async () => {
  const lines = allCommands(await describedProgram()).map((command) => fullName(command).split(' ').slice(1));
  const script = `import { runCommandLine } from ${JSON.stringify(join(import.meta.dirname, 'command-line.ts'))};
    for (const words of ${JSON.stringify(lines)}) await runCommandLine([...words, '--help']);`;
  expect(await loadedPackages(['--input-type=module', '-e', script])).toEqual(['commander']);
});

test('a driver that a command loads is in the list', async () => {
  const cell = { DATABASE_URL: 'postgres://127.0.0.1:9/lending', KAFKA_BROKERS: '127.0.0.1:9' };
  expect(await loadedPackages([entry, 'key', 'list', 'demo'], cell)).toContain('pg');
});
