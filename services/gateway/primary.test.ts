/** How a gateway with several processes stops, and what it reports while workers are missing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '..', '..');
let dir: string;
let primary: ChildProcess | undefined;

const source = `
import cluster from 'node:cluster';
import { listen } from '${project}/libs/runtime/http-listener.ts';
import { runService } from '${project}/libs/runtime/service.ts';
import { othersListen, runPrimary } from '${project}/services/gateway/primary.ts';

if (cluster.isPrimary) await runPrimary(2);
else await runService('gateway', async ({ lifecycle, logger }) => {
  if (process.env.FAIL_TO_RESTART === 'yes' && cluster.worker.id > 2) await new Promise(() => {});
  const http = await listen((request, response) => {
    logger.info({ event: 'http.listening' }, 'accepted');
    request.resume().on('end', () => response.end('answered'));
  }, 0);
  lifecycle.onStop('http', () => http.close());
  if (process.env.FAIL_TO_STOP === 'yes') lifecycle.onStop('broken', async () => { throw new Error('broken'); });
  logger.info({ event: 'http.listening', port: http.port }, 'listening');
  logger.info({ event: 'http.listening', worker: cluster.worker.id, others_listen: othersListen() }, 'state');
}, 'with the primary');
`;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-primary-'));
  writeFileSync(join(dir, 'main.ts'), source);
});
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => {
  primary?.kill('SIGKILL');
});

interface StartedGateway {
  /** Of the primary, which leads a process group. */
  readonly pid: number;
  readonly workers: readonly number[];
  readonly port: number;
  readonly metricsPort: number;
  readonly exited: Promise<unknown>;
  /** Resolves with everything that is logged so far. */
  logged(text: string): Promise<string>;
}

async function start(env: Record<string, string> = {}): Promise<StartedGateway> {
  const args = [join(dir, 'main.ts')];
  const started = spawn(process.execPath, args, { env: { ...process.env, ...env }, detached: true });
  primary = started;
  const exited = once(started, 'exit');
  let log = '';
  started.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const logged = async (text: string): Promise<string> => {
    while (!log.includes(text)) await once(started.stdout, 'data');
    return log;
  };
  await logged('metrics_port');
  const pid = started.pid as number;
  const startedLine = new RegExp(`"pid":${pid}\\b.*"msg":"started"`);
  while (!startedLine.test(log)) await once(started.stdout, 'data');
  const listening = [...log.matchAll(/"pid":(\d+).*"port":(\d+).*"listening"/g)];
  const workers = listening.map(([, worker]) => Number(worker));
  const metricsPort = Number(/"metrics_port":(\d+)/.exec(log)?.[1]);
  return { pid, workers, port: Number(listening[0]?.[2]), metricsPort, exited, logged };
}

/** Sends half of a request, which stays in progress until the other half is sent. */
function sendHalfOfRequest(port: number): { readonly connection: Socket; readonly answer: Promise<string> } {
  const connection = connect(port, '127.0.0.1');
  const answer = text(connection);
  connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
  return { connection, answer };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a gateway with several processes', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'answers accepted requests although %s reaches its whole process group',
    async (signal) => {
      const { pid, port, exited, logged } = await start();
      const { connection, answer } = sendHalfOfRequest(port);
      await logged('"accepted"');
      process.kill(-pid, signal);
      await logged('"stopping"');
      await sleep(200);
      connection.write('lf');
      expect(await answer).toContain('answered');
      expect(await exited).toEqual([0, null]);
    },
  );

  test('exits with status 1 if a worker failed to stop', async () => {
    const { pid, exited } = await start({ FAIL_TO_STOP: 'yes' });
    process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual([1, null]);
  });

  test('stays ready while one worker serves, and reports that another one is missing', async () => {
    const { workers, metricsPort, logged } = await start({ FAIL_TO_RESTART: 'yes' });
    const readiness = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).json();
    const stopWorker = async (pid: number | undefined): Promise<void> => {
      process.kill(pid as number, 'SIGKILL');
      await logged(`"worker_pid":${pid}`);
    };
    await stopWorker(workers[0]);
    expect(await readiness()).toMatchObject({ status: 'ready', degraded: [{ name: 'all workers' }] });
    await stopWorker(workers[1]);
    const isReady = async () => ((await readiness()) as { status: string }).status === 'ready';
    // An answer is kept for a moment.
    while (await isReady()) await sleep(20);
    expect(await readiness()).toMatchObject({ not_ready: [{ name: 'workers' }] });
  });

  test('tells a new worker whether others listen', async () => {
    const { workers, logged } = await start();
    await logged('"worker":2,"others_listen":false');
    process.kill(workers[0] as number, 'SIGKILL');
    const log = await logged('"worker":3,"others_listen":true');
    const replacement = Number(/"pid":(\d+).*"worker":3,/.exec(log)?.[1]);
    for (const pid of [workers[1] as number, replacement]) process.kill(pid, 'SIGKILL');
    await logged('"worker":4,"others_listen":false');
  });

  test('leaves no worker behind when it is killed', async () => {
    const { pid, workers, exited } = await start();
    expect(workers).toHaveLength(2);
    process.kill(pid, 'SIGKILL');
    await exited;
    for (const until = Date.now() + 5_000; workers.some(isAlive) && Date.now() < until; ) await sleep(20);
    expect(workers.filter(isAlive)).toEqual([]);
  });
});
