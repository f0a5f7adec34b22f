import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { waitForExitCode } from './wait-for-exit-code.ts';

const timeoutMs = 60_000;

function run(script: string) {
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('all output is read before the exit code is returned', async () => {
  const child = run('process.stdout.write("x".repeat(1_000_000)); process.exitCode = 3;');
  let read = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  expect(await waitForExitCode(child, timeoutMs)).toBe(3);
  expect(read).toBe(1_000_000);
});

test('returns the exit code although a child of the process still holds its pipe', async () => {
  const child = run(`
    const { spawn } = require('node:child_process');
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
    process.stdout.write(String(pid), () => process.exit(0));`);
  let childPid = '';
  child.stdout.on('data', (chunk: Buffer) => {
    childPid += chunk.toString('utf8');
  });
  try {
    expect(await waitForExitCode(child, timeoutMs)).toBe(0);
  } finally {
    process.kill(Number(childPid), 'SIGKILL');
  }
});

test('kills a process that does not exit within the timeout', async () => {
  expect(await waitForExitCode(run('setInterval(() => {}, 1000)'), 100)).toBeNull();
});
