/** How a primary ends with its workers, which answer callers in the gateway's place. */
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
import { listen } from '${project}/libs/runtime/http.ts';
import { runService } from '${project}/libs/runtime/service.ts';
import { runPrimary } from '${project}/services/gateway/primary.ts';

if (cluster.isPrimary) await runPrimary(2);
else await runService('gateway', async ({ lifecycle, logger }) => {
  const http = await listen((request, response) => {
    logger.info('accepted');
    request.resume().on('end', () => response.end('answered'));
  }, 0);
  lifecycle.onStop('http', () => http.close());
  if (process.env.BREAKS === 'yes') lifecycle.onStop('broken', async () => { throw new Error('broken'); });
  logger.info({ port: http.port }, 'listening');
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

interface Started {
  /** Of the primary, and of the group it leads. */
  readonly pid: number;
  readonly workers: readonly number[];
  readonly port: number;
  readonly ended: Promise<unknown>;
  said(text: string): Promise<void>;
}

async function start(env: Record<string, string> = {}): Promise<Started> {
  const args = [join(dir, 'main.ts')];
  const started = spawn(process.execPath, args, { env: { ...process.env, ...env }, detached: true });
  primary = started;
  const ended = once(started, 'exit');
  let log = '';
  started.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const said = async (text: string): Promise<void> => {
    while (!log.includes(text)) await once(started.stdout, 'data');
  };
  await said('metrics_port');
  const pid = started.pid as number;
  const ofPrimary = new RegExp(`"pid":${pid}\\b.*"msg":"started"`);
  while (!ofPrimary.test(log)) await once(started.stdout, 'data');
  const listening = [...log.matchAll(/"pid":(\d+).*"port":(\d+).*"listening"/g)];
  const workers = listening.map(([, worker]) => Number(worker));
  return { pid, workers, port: Number(listening[0]?.[2]), ended, said };
}

/** A request that is under way for as long as the other half of it is held back. */
function halfOfOne(port: number): { readonly line: Socket; readonly answer: Promise<string> } {
  const line = connect(port, '127.0.0.1');
  const answer = text(line);
  line.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
  return { line, answer };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a gateway on several processes that is told to end', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'answers what it has accepted though %s goes to its group',
    async (signal) => {
      const { pid, port, ended, said } = await start();
      const { line, answer } = halfOfOne(port);
      await said('"accepted"');
      process.kill(-pid, signal);
      await said('"stopping"');
      await sleep(200);
      line.write('lf');
      expect(await answer).toContain('answered');
      expect(await ended).toEqual([0, null]);
    },
  );

  test('ends badly where a worker did', async () => {
    const { pid, ended } = await start({ BREAKS: 'yes' });
    process.kill(pid, 'SIGTERM');
    expect(await ended).toEqual([1, null]);
  });

  test('leaves no worker behind though it is killed itself', async () => {
    const { pid, workers, ended } = await start();
    expect(workers).toHaveLength(2);
    process.kill(pid, 'SIGKILL');
    await ended;
    for (const until = Date.now() + 5_000; workers.some(isThere) && Date.now() < until; ) await sleep(20);
    expect(workers.filter(isThere)).toEqual([]);
  });
});
