import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '#test/support/tenant.ts';
import { startProcessGroup } from './process-group.ts';

let dir: string;
let interrupted: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-group-'));
  interrupted = join(dir, 'interrupted');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Ends after a minute, or when it is interrupted, which it notes in a file. */
function waitingProgram(): string {
  return `
    process.on('SIGINT', () => {
      require('node:fs').writeFileSync(${JSON.stringify(interrupted)}, '');
      process.exit(7);
    });
    setTimeout(() => {}, 60_000);
    console.log('waits');`;
}

test('a group is interrupted when the process that started it is killed', async () => {
  const module = JSON.stringify(new URL('process-group.ts', import.meta.url).href);
  const script = `import(${module}).then(({ startProcessGroup }) =>
    startProcessGroup('node', ['-e', ${JSON.stringify(waitingProgram())}]).stdout.pipe(process.stdout));`;
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(starter.stdout, 'data');
  expect(existsSync(interrupted)).toBe(false);
  starter.kill('SIGKILL');
  await eventually(() => existsSync(interrupted), 30_000);
});

test('a signal to the group reaches the command', async () => {
  const child = startProcessGroup('node', ['-e', waitingProgram()]);
  await once(child.stdout, 'data');
  process.kill(-(child.pid as number), 'SIGINT');
  expect(await once(child, 'close')).toEqual([7, null]);
});

test('what a command that has ended leaves behind is not interrupted', async () => {
  const program = join(dir, 'program.cjs');
  writeFileSync(program, waitingProgram());
  const output = join(dir, 'output');
  const code = `node ${program} > ${output} 2>&1 & until grep -q waits ${output}; do sleep 0.05; done; echo $!`;
  const child = startProcessGroup('bash', ['-c', code]);
  const ended = once(child, 'close');
  const left = Number(await readText(child.stdout));
  try {
    await ended;
    expect(existsSync(interrupted)).toBe(false);
    process.kill(left, 'SIGINT');
    await eventually(() => existsSync(interrupted), 30_000);
  } finally {
    if (!existsSync(interrupted)) process.kill(left, 'SIGKILL');
  }
});

test('a command gets its input, and its status is returned', async () => {
  const child = startProcessGroup('bash', ['-c', 'cat; exit 3']);
  child.stdin.end('a line');
  const ended = once(child, 'close');
  expect(await readText(child.stdout)).toBe('a line');
  expect(await ended).toEqual([3, null]);
});
