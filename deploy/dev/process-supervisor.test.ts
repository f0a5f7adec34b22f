/** The lock of a folder and the identity of processes. test/faults/starter.test.ts covers what is stopped, and when. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  isRunning,
  type ProcessEntry,
  processStartTime,
  runningPids,
  sendSignal,
  startProcess,
  stopProcesses,
  waitForExit,
} from './process-control.ts';
import { type LockResult, Supervisor, tryLock } from './process-supervisor.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-supervisor-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rounds = 100;
const contenders = 3;

// Each process tries to lock one folder per round at an agreed time, and stays alive until its input is closed.
const contenderSource = `
import { tryLock } from '${import.meta.dirname}/process-supervisor.ts';

const [root, startAt] = [process.argv[2], Number(process.argv[3])];
const results = [];
for (let round = 0; round < ${rounds}; round++) {
  while (Date.now() < startAt + 3 * round);
  let result;
  do result = tryLock(root + '/' + round); while (result === 'busy');
  results.push(result);
}
console.log(JSON.stringify(results));
process.stdin.resume();
`;

async function readResults(output: Readable): Promise<LockResult[]> {
  for await (const line of createInterface(output)) return JSON.parse(line) as LockResult[];
  throw new Error('a contender ended without results');
}

/** The results of all contenders, by round. */
async function lockConcurrently(): Promise<LockResult[][]> {
  writeFileSync(join(root, 'contender.ts'), contenderSource);
  const startAt = String(Date.now() + 1_000);
  const children = Array.from({ length: contenders }, () =>
    spawn(process.execPath, [join(root, 'contender.ts'), root, startAt], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const closed = Promise.all(children.map((child) => once(child, 'close')));
  const results = await Promise.all(children.map(({ stdout }) => readResults(stdout))).finally(() => {
    for (const { stdin } of children) stdin.end();
  });
  await closed;
  return Array.from({ length: rounds }, (_, round) => results.flatMap((each) => each.slice(round, round + 1)));
}

describe('the lock of a folder', () => {
  test('is acquired by one of several processes', async () => {
    for (const results of await lockConcurrently()) expect(results.toSorted()).toEqual(['held', 'held', 'locked']);
  });

  test.each([
    ['whose holder died', '{"pid":0,"startTime":""}'],
    ['that is half written', '{"pi'],
  ])('%s is taken over by one of several processes', async (_what, content) => {
    for (let round = 0; round < rounds; round++) {
      mkdirSync(join(root, String(round)));
      writeFileSync(join(root, String(round), 'lock.json'), content);
    }
    for (const results of await lockConcurrently()) expect(results.toSorted()).toEqual(['held', 'held', 'taken over']);
    expect(readdirSync(join(root, '0'))).toEqual(['lock.json']);
  });

  test('is acquired although a process died while it was locking', () => {
    const guard = join(root, 'lock.json.guard');
    mkdirSync(guard);
    expect(tryLock(root)).toBe('busy');
    const aMinuteAgo = new Date(Date.now() - 60_000);
    utimesSync(guard, aMinuteAgo, aMinuteAgo);
    expect(tryLock(root)).toBe('busy');
    expect(tryLock(root)).toBe('locked');
  });
});

describe('a recorded process', () => {
  let other: ChildProcess;
  beforeEach(() => {
    other = spawn('sleep', ['1000'], { stdio: 'ignore' });
  });
  afterEach(() => {
    other.kill('SIGKILL');
  });

  const entryWith = (startTime: string): ProcessEntry => ({
    ...{ name: 'one', command: 'true', args: [], tier: 0 },
    ...{ pid: other.pid as number, startTime },
  });

  test('is not another process that has its pid now', async () => {
    mkdirSync(join(root, 'processes'));
    writeFileSync(join(root, 'processes', 'one.json'), JSON.stringify(entryWith('')));
    expect(runningPids(root)).toEqual({});
    await stopProcesses(root);
    expect(processStartTime(other.pid as number)).toBeDefined();
  });

  test('is not a process of another boot with the same pid and the same start count', () => {
    const startTime = processStartTime(other.pid as number) ?? '';
    const count = startTime.split(' ').at(-1) ?? '';
    expect(isRunning(entryWith(startTime))).toBe(true);
    expect(isRunning(entryWith(count))).toBe(false);
    expect(isRunning(entryWith(`8d3c9f6e-0000-4000-8000-000000000000 ${count}`))).toBe(false);
  });

  test('that exits is restarted by a supervisor that was asked to', async () => {
    const supervisor = (await Supervisor.acquire(join(root, 'stack'), () => undefined)) as Supervisor;
    const entry = startProcess(supervisor.dir, { name: 'one', command: 'sleep', args: ['1000'], tier: 0 });
    supervisor.restartExitedProcesses();
    sendSignal(entry, 'SIGKILL');
    await waitForExit(entry, 5_000);
    while (runningPids(supervisor.dir)['one'] === undefined) await sleep(20);
    expect(runningPids(supervisor.dir)['one']).not.toBe(entry.pid);
    await supervisor.stop();
    expect(runningPids(supervisor.dir)).toEqual({});
  });
});
