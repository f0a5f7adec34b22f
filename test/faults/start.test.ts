/** `npm start` in a copy of the repository, ended by Ctrl-C. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

const run = promisify(execFile);
const clone = join(projectDir, '.data', 'test', `start-${process.pid}`);
const clonedEntries = ['package.json', 'package-lock.json', 'deploy', 'libs', 'services', 'schemas', '.gitignore'];
const devFile = join(clone, '.data', 'dev.json');

/** Without variables that name services: the start would use these services. */
const serviceVariables = /^(KAFKA_|SCHEMA_REGISTRY_URL|DATABASE_|REDIS_URL|LENDING_|PORT$)/;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !serviceVariables.test(name)));

interface DevFile {
  base_url: string;
  console_url: string;
  sign_in_url: string;
  tenant_id: string;
  keys: Record<string, string>;
  processes: Record<string, number>;
}

// With Docker a second start would find the containers of the first.
const embedded = testEnvironment().stack.sources.kafka === 'embedded' ? describe : describe.skip;

embedded('npm start', () => {
  let npm: ChildProcess;
  let output = '';
  let dev: DevFile;

  beforeAll(async () => {
    mkdirSync(join(clone, '.data'), { recursive: true, mode: 0o755 });
    for (const entry of clonedEntries) cpSync(join(projectDir, entry), join(clone, entry), { recursive: true });
    // The downloads of npm and Maven are reused.
    symlinkSync(join(projectDir, 'node_modules'), join(clone, 'node_modules'));
    symlinkSync(join(projectDir, '.data', 'lib'), join(clone, '.data', 'lib'));
    // In a process group of its own, which Ctrl-C in a terminal interrupts as a whole.
    npm = spawn('npm', ['start'], {
      cwd: clone,
      env: { ...environment, PORT: String(await freePort()) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    await eventually(async () => output.includes('Ready in') || npm.exitCode !== null, 180_000);
    if (npm.exitCode !== null) throw new Error(output);
    dev = JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;
  });

  afterAll(async () => {
    if (npm.exitCode === null) {
      process.kill(-(npm.pid as number), 'SIGINT');
      await once(npm, 'exit');
    }
    rmSync(clone, { recursive: true, force: true });
  });

  test('writes what a caller needs to files that only its user can read', () => {
    const secret = (environment: 'test' | 'live') =>
      expect.stringMatching(new RegExp(`^lsk_${environment}_[\\w-]{43}$`));
    expect(dev).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      tenant_id: 'demo',
      keys: { write: secret('test'), read: secret('test'), agent: secret('test') },
      other_tenant: { tenant_id: 'other', keys: { write: secret('test') } },
      live: { tenant_id: 'live', keys: { write: secret('live'), agent: secret('live') } },
      test_market: { tenant_id: 'zz', keys: { write: secret('test') } },
      demo_data: { seed: 1, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      kafka_brokers: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      schema_registry_url: expect.stringMatching(/^http:/),
      database_url: expect.stringMatching(/^postgres:/),
      redis_url: expect.stringMatching(/^redis:/),
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/link\/[\w-]{43}$/),
      processes: {
        kafka: expect.any(Number),
        registry: expect.any(Number),
        postgres: expect.any(Number),
        redis: expect.any(Number),
        processor: expect.any(Number),
        gateway: expect.any(Number),
        console: expect.any(Number),
      },
    });
    expect(statSync(devFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(clone, '.data', 'dev.env')).mode & 0o777).toBe(0o600);
  });

  test('is ready, prints its address and prints no key', async () => {
    for (const path of ['/readyz', '/livez']) expect((await fetch(`${dev.base_url}${path}`)).status).toBe(200);
    for (const [name, value] of [
      ['API', dev.base_url],
      ['Docs', `${dev.base_url}/docs`],
      ['Console', dev.console_url],
      ['Sign in', dev.sign_in_url],
    ]) {
      expect(output).toMatch(new RegExp(`^  ${name} +${value}$`, 'm'));
    }
    for (const secret of Object.values(dev.keys)) expect(output).not.toContain(secret);
  });

  test('prints commands to try, and they work as printed', async () => {
    const lines = [...output.matchAll(/^ {2}(npm run -s lending -- .*)$/gm)].map(([, line]) => line as string);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    const answers: string[] = [];
    for (const line of lines) answers.push((await run('sh', ['-c', line], { cwd: clone, env: environment })).stdout);
    expect(answers[0]).toContain('"reference":"demo-');
    expect(answers[1]).toContain('"rosa"');
    expect(answers.at(-1)).toContain('my first key');
  });

  test('is found by a second start, which leaves it running and prints a new sign-in link', async () => {
    const second = await run('npm', ['start'], { cwd: clone, env: environment });
    expect(second.stdout).toContain(`The service is running already at ${dev.base_url}`);
    const [link = ''] = /http\S+\/sign-in\/link\/\S+/.exec(second.stdout) ?? [];
    expect(link).not.toBe(dev.sign_in_url);
    expect((await fetch(link)).status).toBe(200);
    expect((await fetch(`${dev.base_url}/readyz`)).status).toBe(200);
  });

  test('restarts a killed process and writes its new pid', async () => {
    const { redis } = dev.processes;
    process.kill(redis as number, 'SIGKILL');
    await eventually(() => {
      dev = JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;
      return dev.processes['redis'] !== undefined && dev.processes['redis'] !== redis;
    });
    await eventually(async () => (await fetch(`${dev.base_url}/readyz`)).status === 200);
  });

  test('ends on Ctrl-C and leaves no process and no file with keys', async () => {
    process.kill(-(npm.pid as number), 'SIGINT');
    await once(npm, 'exit');
    for (const pid of Object.values(dev.processes)) await eventually(async () => !hasProcess(pid));
    expect(existsSync(devFile)).toBe(false);
    expect(existsSync(join(clone, '.data', 'dev.env'))).toBe(false);
  });
});

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
