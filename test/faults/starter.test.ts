/** What a supervisor started is stopped when it ends, when it is killed, and when the bootstrap above it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startBackingServices } from '#deploy/dev/backing-services.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { isRunning, listProcesses, waitForExit } from '#deploy/dev/process-control.ts';
import { eventually } from '#test/support/tenant.ts';

let dir: string;
let starters: ChildProcess[] = [];
const stackDir = (): string => join(dir, 'stack');
const statusFile = (): string => join(dir, 'status');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-starter-'));
  writeFileSync(join(dir, 'starter.ts'), source);
});
afterEach(async () => {
  for (const starter of starters) await end(starter, 'SIGTERM');
  starters = [];
  rmSync(dir, { recursive: true, force: true });
});

// Two sleeping processes take the place of the services.
const source = `
import { writeFileSync } from 'node:fs';
import { startProcess } from '${projectDir}/deploy/dev/process-control.ts';
import { Supervisor, untilShutdownSignal } from '${projectDir}/deploy/dev/process-supervisor.ts';

const dir = process.argv[2];
const supervisor = await Supervisor.acquire(dir, (line) => console.log(line), [dir + '/../status']);
if (supervisor === undefined) console.log('locked by another process');
else {
  for (const name of ['one', 'two']) startProcess(dir, { name, command: 'sleep', args: ['1000'], tier: 0 });
  writeFileSync(dir + '/../status', String(process.pid));
  const shutdown = untilShutdownSignal();
  const keepAlive = setInterval(() => undefined, 1000);
  console.log('ready');
  await shutdown;
  clearInterval(keepAlive);
  await supervisor.stop();
  process.exit();
}
`;

type StartedSupervisor = { readonly starter: ChildProcess; readonly output: string };

/** Resolves when the starter is ready, or has found the folder locked. */
async function start(throughBootstrap = false): Promise<StartedSupervisor> {
  const bootstrap = throughBootstrap ? [join(projectDir, 'deploy', 'dev', 'bootstrap.mjs')] : [];
  const starter = spawn(process.execPath, [...bootstrap, join(dir, 'starter.ts'), stackDir()]);
  starters.push(starter);
  let output = '';
  for (const stream of [starter.stdout, starter.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await eventually(() => /ready|locked/.test(output) || starter.exitCode !== null);
  if (!/ready|locked/.test(output)) throw new Error(output);
  return { starter, output };
}

async function end(starter: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (starter.exitCode !== null || starter.signalCode !== null) return;
  const exited = once(starter, 'exit');
  starter.kill(signal);
  await exited;
}

describe('the processes of a supervisor', () => {
  test('are stopped when it receives a signal to end', async () => {
    const { starter } = await start();
    const processes = listProcesses(stackDir());
    expect(processes.filter(isRunning)).toHaveLength(2);
    await end(starter, 'SIGTERM');
    expect(starter.exitCode).toBe(0);
    expect(processes.filter(isRunning)).toHaveLength(0);
    expect(listProcesses(stackDir())).toEqual([]);
    expect(existsSync(statusFile())).toBe(false);
  });

  test('are stopped when the bootstrap process is killed', async () => {
    const { starter } = await start(true);
    const processes = listProcesses(stackDir());
    await end(starter, 'SIGKILL');
    for (const entry of processes) expect(await waitForExit(entry, 10_000)).toBe(true);
    await eventually(() => !existsSync(statusFile()));
  });

  test('are killed by the bootstrap process when the supervisor is killed', async () => {
    const { starter } = await start(true);
    const processes = listProcesses(stackDir());
    const exited = once(starter, 'exit');
    process.kill(Number(readFileSync(statusFile(), 'utf8')), 'SIGKILL');
    expect(await exited).toEqual([1, null]);
    for (const entry of processes) expect(await waitForExit(entry, 10_000)).toBe(true);
  });

  test('are stopped by the next start when nothing else could stop them', async () => {
    const { starter } = await start();
    const processes = listProcesses(stackDir());
    await end(starter, 'SIGKILL');
    expect(processes.filter(isRunning)).toHaveLength(2);
    expect((await start()).output).toContain('stopping what an earlier start left behind');
    expect(processes.filter(isRunning)).toHaveLength(0);
  });

  test('are left alone by a second start', async () => {
    await start();
    const processes = listProcesses(stackDir());
    expect((await start()).output).toContain('locked by another process');
    expect(processes.filter(isRunning)).toHaveLength(2);
  });
});

test('a start waits while another one holds the folder, and takes over when that was killed', async () => {
  // This starter never has backing services ready, as during a long download.
  const { starter } = await start();
  process.env['REDIS_URL'] = 'redis://127.0.0.1:1';
  try {
    let isWaiting = true;
    const lines: string[] = [];
    const second = startBackingServices({ dir: stackDir(), log: (line) => void lines.push(line) }).finally(() => {
      isWaiting = false;
    });
    // Its own start fails immediately, because nothing answers at this address.
    const failed = expect(second).rejects.toThrow('REDIS_URL is set');
    // A third start takes some time; meanwhile the second has checked the lock many times.
    await start();
    expect(lines).toEqual([
      'backing services are running or starting in this folder already; waiting until they are ready',
    ]);
    expect(isWaiting).toBe(true);
    await end(starter, 'SIGKILL');
    await failed;
  } finally {
    delete process.env['REDIS_URL'];
  }
});
