/** What the last line of `.ci/run` says, whichever of its steps fails. Its npm is played: what is looked at is the count. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-ci-'));
  mkdirSync(join(root, '.ci'));
  cpSync(join(import.meta.dirname, '..', '..', '.ci', 'run'), join(root, '.ci', 'run'));
});
afterEach(() => rmSync(root, { recursive: true }));

type Played = { readonly ci?: number; readonly check?: number; readonly tests?: number; readonly said?: string };

function run({ ci = 0, check = 0, tests = 0, said = '7 passed, 0 failed, 1 skipped' }: Played) {
  const npm = `#!/bin/sh
case "$1" in
  ci) exit ${ci};;
  run) echo checking; exit ${check};;
  test) printf '%b' "a test says 9 passed, 9 failed, 9 skipped here\\n${said}\\n"; exit ${tests};;
esac
`;
  writeFileSync(join(root, 'npm'), npm);
  chmodSync(join(root, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
  return new Promise<{ code: number; last: string | undefined }>((resolve) => {
    execFile(join(root, '.ci', 'run'), { env }, (error, out) => {
      resolve({ code: error === null ? 0 : 1, last: out.trimEnd().split('\n').at(-1) });
    });
  });
}

test.each([
  ['installs', 'ci'],
  ['checks', 'run'],
  ['tests', 'test'],
])('told to end while it %s it tells npm, waits for it, and counts that as failed', async (_what, step) => {
  // Takes its time to end, as a house does that is stopped.
  const npm = `#!/bin/sh
[ "$1" = ${step} ] || exit 0
trap 'sleep 0.3; echo stopped; exit 130' TERM
echo begun > '${root}/begun'
while :; do sleep 0.05; done
`;
  writeFileSync(join(root, 'npm'), npm);
  chmodSync(join(root, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
  const running = execFile(join(root, '.ci', 'run'), { env });
  let said = '';
  running.stdout?.on('data', (chunk: string) => {
    said += chunk;
  });
  const ended = once(running, 'close');
  while (!existsSync(join(root, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
  running.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(said).toMatch(/stopped\n[\s\S]*\n0 passed, 1 failed, 0 skipped\n$/);
});

describe('the last line counts', () => {
  test.each<[string, Played, number, string]>([
    ['the tests alone where all is well', {}, 0, '7 passed, 0 failed, 1 skipped'],
    ['tests that failed', { tests: 1, said: '5 passed, 2 failed, 0 skipped' }, 1, '5 passed, 2 failed, 0 skipped'],
    ['a gate that does not hold', { check: 1 }, 1, '7 passed, 1 failed, 1 skipped'],
    ['both', { check: 1, tests: 1, said: '5 passed, 2 failed, 0 skipped' }, 1, '5 passed, 3 failed, 0 skipped'],
    ['a run that ended without counting', { tests: 137, said: 'Killed' }, 1, '0 passed, 1 failed, 0 skipped'],
    ['a run that counted well and ended badly', { tests: 1 }, 1, '7 passed, 1 failed, 1 skipped'],
    ['packages that could not be installed', { ci: 1 }, 1, '0 passed, 1 failed, 0 skipped'],
  ])('%s', async (_what, played, code, last) => {
    expect(await run(played)).toEqual({ code, last });
  });
});
