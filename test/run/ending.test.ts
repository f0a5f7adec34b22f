import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { ending } from './ending.ts';

const longMs = 60_000;

function run(script: string) {
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('what a process wrote last is read, and its code is told', async () => {
  const child = run('process.stdout.write("x".repeat(1_000_000)); process.exitCode = 3;');
  let read = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  expect(await ending(child, longMs)).toBe(3);
  expect(read).toBe(1_000_000);
});

test('a process is over though another it started keeps its pipe', async () => {
  const child = run(`
    const { spawn } = require('node:child_process');
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
    process.stdout.write(String(pid), () => process.exit(0));`);
  let left = '';
  child.stdout.on('data', (chunk: Buffer) => {
    left += chunk.toString('utf8');
  });
  try {
    expect(await ending(child, longMs)).toBe(0);
  } finally {
    process.kill(Number(left), 'SIGKILL');
  }
});

test('a process that does not end is killed', async () => {
  expect(await ending(run('setInterval(() => {}, 1000)'), 100)).toBeNull();
});
