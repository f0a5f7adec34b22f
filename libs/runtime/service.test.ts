/** A service as a process: how it starts, reports its health and stops. */
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
import { listen } from '${libs}/runtime/http-listener.ts';
import { integerSetting, readConfig } from '${libs}/runtime/config.ts';
import { runService } from '${libs}/runtime/service.ts';

await runService('counter', async (service) => {
  const { start } = readConfig(service.env, { start: integerSetting('START', { min: 0, max: 9 }) });
  if (start === 8) throw new Error('cannot connect to postgres://lending:opensesame@h/d');
  service.health.addCheck('mood', async () => {
    if (start === 9) throw Object.assign(new Error(), { code: 'SOUR' });
  });
  const http = await listen((request, response) => {
    service.logger.info({ event: 'http.listening' }, 'accepted');
    request.resume().on('end', () => response.end('answered'));
  }, 0);
  service.lifecycle.onStop('http', () => http.close());
  service.lifecycle.onDrain('callers', () => service.lifecycle.drain());
  service.lifecycle.stopping.addEventListener('abort', () => service.logger.info({ event: 'service.stopping' }, 'drained'));
  service.logger.info({ event: 'http.listening', port: http.port }, 'listening');
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

type StartedService = {
  readonly port: number;
  readonly operations: string;
  readonly exited: Promise<number | null>;
  /** Resolves when the log contains the text. */
  logged(text: string): Promise<void>;
};

async function start(env: Record<string, string>): Promise<StartedService> {
  const started = spawn(process.execPath, [join(dir, 'main.ts')], { env: { ...process.env, ...env } });
  child = started;
  const exited = once(started, 'exit').then(([code]) => code as number | null);
  let log = '';
  started.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const logged = async (text: string): Promise<void> => {
    while (!log.includes(text)) await once(started.stdout, 'data');
  };
  await logged('"started"');
  const port = (name: string): number => Number(new RegExp(`"${name}":(\\d+)`).exec(log)?.[1]);
  return { port: port('port'), operations: `http://127.0.0.1:${port('metrics_port')}`, exited, logged };
}

describe('a service', () => {
  test('that is not configured names the missing variables and exits with status 1', async () => {
    const failed = spawn(process.execPath, [join(dir, 'main.ts')]);
    let stderr = '';
    failed.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    let stdout = '';
    failed.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    expect(await once(failed, 'close')).toEqual([1, null]);
    expect(stderr).toBe('counter: invalid configuration:\n  START is empty; set a whole number from 0 to 9\n');
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'fatal',
      service: 'counter',
      event: 'service.configuration_invalid',
      problems: ['START is empty; set a whole number from 0 to 9'],
    });
  });

  test('that cannot start logs the reason without secrets, and writes nothing to standard error', async () => {
    const failed = spawn(process.execPath, [join(dir, 'main.ts')], { env: { ...process.env, START: '8' } });
    const [out, err] = [text(failed.stdout), text(failed.stderr)];
    expect(await once(failed, 'close')).toEqual([1, null]);
    expect(await err).toBe('');
    const last = JSON.parse((await out).trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ level: 'fatal', event: 'service.start_failed' });
    expect(last.err.message).toBe('cannot connect to postgres://lending:[hidden]@h/d');
  });

  test('answers liveness, readiness and metrics on its operations port', async () => {
    const { operations } = await start({ START: '1' });
    expect((await fetch(`${operations}/livez`)).status).toBe(200);
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', not_ready: [], degraded: [] }]);
    expect(await (await fetch(`${operations}/metrics`)).text()).toContain(
      'process_cpu_seconds_total{service="counter"}',
    );
  });

  test('with a failed check is alive, and names the check', async () => {
    const { operations } = await start({ START: '9' });
    expect((await fetch(`${operations}/livez`)).status).toBe(200);
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: [{ name: 'mood', reason: 'SOUR' }], degraded: [] },
    ]);
  });

  test('that gets SIGTERM answers accepted requests, accepts no new ones, and exits with status 0', async () => {
    const { port, exited, logged } = await start({ START: '1' });
    const connection = connect(port, '127.0.0.1');
    const answer = text(connection);
    // Half a request: it stays in progress until the other half is sent.
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await logged('"accepted"');
    child?.kill('SIGTERM');
    await logged('"stopping"');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
    connection.write('lf');
    const answered = await answer;
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answered).toContain('Connection: close');
    expect(answered).toContain('answered');
    expect(await exited).toBe(0);
  });

  test('with a drain time is not ready but still serves during that time', async () => {
    const { port, operations, exited, logged } = await start({ START: '1', DRAIN_MS: '1000' });
    const from = performance.now();
    child?.kill('SIGTERM');
    await logged('"stopping"');
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: [{ name: 'service', reason: 'is stopping' }], degraded: [] },
    ]);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('answered');
    await logged('"drained"');
    expect(performance.now() - from).toBeGreaterThan(900);
    expect(await exited).toBe(0);
  });

  test('treats two simultaneous signals as one', async () => {
    const { port, exited, logged } = await start({ START: '1' });
    const connection = connect(port, '127.0.0.1');
    const answer = text(connection);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await logged('"accepted"');
    // As a terminal and a parent process that forwards the signal do.
    child?.kill('SIGINT');
    child?.kill('SIGTERM');
    await logged('"stopping"');
    connection.write('lf');
    expect(await answer).toContain('answered');
    expect(await exited).toBe(0);
  });

  test('exits immediately on a second signal a while later', async () => {
    const { port, exited, logged } = await start({ START: '1' });
    const connection = connect(port, '127.0.0.1').on('error', () => undefined);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await logged('"accepted"');
    child?.kill('SIGTERM');
    await logged('"stopping"');
    await sleep(1_100);
    child?.kill('SIGTERM');
    expect(await exited).toBe(1);
  });

  test('exits with status 0 although a caller keeps an idle connection', async () => {
    const { port, exited } = await start({ START: '1' });
    const connection = connect(port, '127.0.0.1');
    const answer = text(connection);
    connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(connection, 'data');
    child?.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(await answer).toContain('answered');
  });
});
