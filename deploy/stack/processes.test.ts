import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bornOf } from './born.ts';
import { type Entry, haltAll, isAlive, pidsIn } from './processes.ts';

let dir: string;
let stranger: ChildProcess;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-processes-'));
  stranger = spawn('sleep', ['1000'], { stdio: 'ignore' });
});
afterEach(() => {
  stranger.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

function entry(born: string): Entry {
  return { name: 'one', command: 'true', args: [], tier: 0, pid: stranger.pid as number, born };
}

describe('an entry of the table', () => {
  test('of a process that died before its birth could be read names nobody who has its pid by now', async () => {
    mkdirSync(join(dir, 'processes'));
    writeFileSync(join(dir, 'processes', 'one.json'), JSON.stringify(entry('')));
    expect(pidsIn(dir)).toEqual({});
    await haltAll(dir);
    expect(bornOf(stranger.pid as number)).toBeDefined();
  });

  test('of an earlier boot names nobody born as many ticks after this one', () => {
    const born = bornOf(stranger.pid as number) ?? '';
    const ticks = born.split(' ').at(-1) ?? '';
    expect(isAlive(entry(born))).toBe(true);
    expect(isAlive(entry(ticks))).toBe(false);
    expect(isAlive(entry(`8d3c9f6e-0000-4000-8000-000000000000 ${ticks}`))).toBe(false);
  });
});
