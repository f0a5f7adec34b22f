/** A service as a process: how it starts, tells of itself and ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

const libs = join(import.meta.dirname, '..');
let dir: string;
let child: ChildProcess | undefined;

const source = `
import { listen } from '${libs}/process/http.ts';
import { integer, readConfig } from '${libs}/process/config.ts';
import { runService } from '${libs}/process/service.ts';

await runService('counter', async (service) => {
  const { start } = readConfig(service.env, { start: integer('START', { least: 0, most: 9 }) });
  if (start === 8) throw new Error('no way to postgres://lending:opensesame@h/d');
  service.health.add('mood', async () => {
    if (start === 9) throw Object.assign(new Error(), { code: 'SOUR' });
  });
  const http = await listen((request, response) => {
    service.logger.info('accepted');
    request.resume().on('end', () => response.end('answered'));
  }, 0);
  service.lifecycle.onStop('http', () => http.close());
  service.lifecycle.onLeave('callers', () => service.lifecycle.drain());
  service.lifecycle.stopping.addEventListener('abort', () => service.logger.info('served'));
  service.logger.info({ port: http.port }, 'listening');
});
`;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-service-'));
  writeFileSync(join(dir, 'main.ts'), source);
});
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => {
  child?.kill('SIGKILL');
});

type Started = {
  readonly port: number;
  readonly operations: string;
  readonly ended: Promise<number | null>;
  /** Resolves once the service has written it to its log. */
  said(text: string): Promise<void>;
};

async function start(env: Record<string, string>): Promise<Started> {
  const started = spawn(process.execPath, [join(dir, 'main.ts')], { env: { ...process.env, ...env } });
  child = started;
  const ended = once(started, 'exit').then(([code]) => code as number | null);
  let log = '';
  started.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const said = async (text: string): Promise<void> => {
    while (!log.includes(text)) await once(started.stdout, 'data');
  };
  await said('"started"');
  const port = (name: string): number => Number(new RegExp(`"${name}":(\\d+)`).exec(log)?.[1]);
  return { port: port('port'), operations: `http://127.0.0.1:${port('metrics_port')}`, ended, said };
}

describe('a service', () => {
  test('that is not configured says what is missing and does not start', async () => {
    const failed = spawn(process.execPath, [join(dir, 'main.ts')]);
    let said = '';
    failed.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    let logged = '';
    failed.stdout.on('data', (chunk: Buffer) => {
      logged += chunk.toString();
    });
    expect(await once(failed, 'close')).toEqual([1, null]);
    expect(said).toBe('counter: the configuration does not hold:\n  START is not set\n');
    expect(JSON.parse(logged.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'fatal',
      service: 'counter',
      problems: ['START is not set'],
    });
  });

  test('that cannot start says why in its log, without what is secret in it, and nowhere else', async () => {
    const failed = spawn(process.execPath, [join(dir, 'main.ts')], { env: { ...process.env, START: '8' } });
    const [out, err] = [text(failed.stdout), text(failed.stderr)];
    expect(await once(failed, 'close')).toEqual([1, null]);
    expect(await err).toBe('');
    const last = JSON.parse((await out).trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ level: 'fatal', msg: 'not started' });
    expect(last.err.message).toBe('no way to postgres://lending:[hidden]@h/d');
  });

  test('tells on its own port that it is alive, whether it is ready, and its figures', async () => {
    const { operations } = await start({ START: '1' });
    expect((await fetch(`${operations}/livez`)).status).toBe(200);
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', not_ready: [] }]);
    expect(await (await fetch(`${operations}/metrics`)).text()).toContain(
      'process_cpu_seconds_total{service="counter"}',
    );
  });

  test('that lacks something is alive, and names what it lacks', async () => {
    const { operations } = await start({ START: '9' });
    expect((await fetch(`${operations}/livez`)).status).toBe(200);
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: [{ name: 'mood', reason: 'SOUR' }] },
    ]);
  });

  test('that is told to end answers what it has accepted, takes nothing new, and ends well', async () => {
    const { port, ended, said } = await start({ START: '1' });
    const line = connect(port, '127.0.0.1');
    const answer = text(line);
    // Half a request: it is under way for as long as we hold the other half.
    line.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await said('"accepted"');
    child?.kill('SIGTERM');
    await said('"stopping"');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
    line.write('lf');
    const answered = await answer;
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answered).toContain('Connection: close');
    expect(answered).toContain('answered');
    expect(await ended).toBe(0);
  });

  test('that is told to drain says for as long that it is not ready, and serves who comes until then', async () => {
    const { port, operations, ended, said } = await start({ START: '1', DRAIN_MS: '1000' });
    const from = performance.now();
    child?.kill('SIGTERM');
    await said('"stopping"');
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: [{ name: 'service', reason: 'is stopping' }] },
    ]);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('answered');
    await said('"served"');
    expect(performance.now() - from).toBeGreaterThan(900);
    expect(await ended).toBe(0);
  });

  test('that is told to end twice at once is told once', async () => {
    const { port, ended, said } = await start({ START: '1' });
    const line = connect(port, '127.0.0.1');
    const answer = text(line);
    line.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await said('"accepted"');
    // As a terminal does to a whole group, and whoever started us when it hands on what it was told itself.
    child?.kill('SIGINT');
    child?.kill('SIGTERM');
    await said('"stopping"');
    line.write('lf');
    expect(await answer).toContain('answered');
    expect(await ended).toBe(0);
  });

  test('that is told to end again a while later does not wait', async () => {
    const { port, ended, said } = await start({ START: '1' });
    const line = connect(port, '127.0.0.1').on('error', () => undefined);
    line.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await said('"accepted"');
    child?.kill('SIGTERM');
    await said('"stopping"');
    await sleep(1_100);
    child?.kill('SIGTERM');
    expect(await ended).toBe(1);
  });

  test('ends well though a caller keeps an idle line to it', async () => {
    const { port, ended } = await start({ START: '1' });
    const line = connect(port, '127.0.0.1');
    const answer = text(line);
    line.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(line, 'data');
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await answer).toContain('answered');
  });
});
