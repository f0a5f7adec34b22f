/** The last line of `.ci/run` for each step that can fail. npm is replaced by a script. */
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

type NpmResults = { readonly ci?: number; readonly check?: number; readonly tests?: number; readonly output?: string };

function run({ ci = 0, check = 0, tests = 0, output = '7 passed, 0 failed, 1 skipped' }: NpmResults) {
  const npm = `#!/bin/sh
case "$1" in
  ci) exit ${ci};;
  run) echo checking; exit ${check};;
  test) printf '%b' "a test prints 9 passed, 9 failed, 9 skipped\\n${output}\\n"; exit ${tests};;
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
])('a signal while it %s is passed to npm, waited for and counted as a failure', async (_what, step) => {
  // Takes a while to end, as a stack that is being stopped.
  const npm = `#!/bin/sh
[ "$1" = ${step} ] || exit 0
trap 'sleep 0.3; echo stopped; exit 130' TERM
echo > '${root}/started'
while :; do sleep 0.05; done
`;
  writeFileSync(join(root, 'npm'), npm);
  chmodSync(join(root, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
  const running = execFile(join(root, '.ci', 'run'), { env });
  let allOutput = '';
  running.stdout?.on('data', (chunk: string) => {
    allOutput += chunk;
  });
  const ended = once(running, 'close');
  while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setTimeout(resolve, 20));
  running.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(allOutput).toMatch(/stopped\n[\s\S]*\n0 passed, 1 failed, 0 skipped\n$/);
});

describe('the last line counts', () => {
  test.each<[string, NpmResults, number, string]>([
    ['the tests where all steps succeed', {}, 0, '7 passed, 0 failed, 1 skipped'],
    ['failed tests', { tests: 1, output: '5 passed, 2 failed, 0 skipped' }, 1, '5 passed, 2 failed, 0 skipped'],
    ['a failed check', { check: 1 }, 1, '7 passed, 1 failed, 1 skipped'],
    [
      'a failed check and failed tests',
      { check: 1, tests: 1, output: '5 passed, 2 failed, 0 skipped' },
      1,
      '5 passed, 3 failed, 0 skipped',
    ],
    ['a test run without counts', { tests: 137, output: 'Killed' }, 1, '0 passed, 1 failed, 0 skipped'],
    ['a test run that exits with 1 although no test failed', { tests: 1 }, 1, '7 passed, 1 failed, 1 skipped'],
    ['a failed install', { ci: 1 }, 1, '0 passed, 1 failed, 0 skipped'],
  ])('%s', async (_what, results, code, last) => {
    expect(await run(results)).toEqual({ code, last });
  });
});
