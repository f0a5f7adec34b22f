/** `npm start` as somebody meets it who has just cloned: in a folder of its own, ended by the interrupt of its terminal. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { freePort } from '#deploy/stack/ports.ts';
import { eventually, house } from '#test/integration/tenant.ts';

const run = promisify(execFile);
const clone = join(projectDir, '.data', 'test', `start-${process.pid}`);
const cloned = ['package.json', 'package-lock.json', 'deploy', 'libs', 'services', 'schemas', '.gitignore'];
const devFile = join(clone, '.data', 'dev.json');

/** Nothing of the machine's own: it would be taken for what is to be used. */
const named = /^(KAFKA_|SCHEMA_REGISTRY_URL|DATABASE_|REDIS_URL|LENDING_|PORT$)/;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !named.test(name)));

interface Dev {
  base_url: string;
  tenant_id: string;
  keys: Record<string, string>;
  processes: Record<string, number>;
}

// Where an engine runs the backing services a second start would find the containers of the first.
const embedded = house().stack.took.kafka === 'embedded' ? describe : describe.skip;

embedded('npm start', () => {
  let npm: ChildProcess;
  let said = '';
  let dev: Dev;

  beforeAll(async () => {
    mkdirSync(join(clone, '.data'), { recursive: true, mode: 0o755 });
    for (const entry of cloned) cpSync(join(projectDir, entry), join(clone, entry), { recursive: true });
    // What npm and Maven bring is there already: another run proves that they bring it.
    symlinkSync(join(projectDir, 'node_modules'), join(clone, 'node_modules'));
    symlinkSync(join(projectDir, '.data', 'lib'), join(clone, '.data', 'lib'));
    // A terminal interrupts everything that runs in it.
    npm = spawn('npm', ['start'], {
      cwd: clone,
      env: { ...environment, PORT: String(await freePort()) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    await eventually(async () => said.includes('Ready in') || npm.exitCode !== null, 180_000);
    if (npm.exitCode !== null) throw new Error(said);
    dev = JSON.parse(readFileSync(devFile, 'utf8')) as Dev;
  }, 200_000);

  afterAll(async () => {
    if (npm.exitCode === null) {
      process.kill(-(npm.pid as number), 'SIGINT');
      await once(npm, 'exit');
    }
    rmSync(clone, { recursive: true, force: true });
  });

  test('leaves all that a caller needs where only who started it reads it', () => {
    const secret = (environment: 'test' | 'live') =>
      expect.stringMatching(new RegExp(`^lsk_${environment}_[\\w-]{43}$`));
    expect(dev).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      tenant_id: 'demo',
      keys: { write: secret('test'), read: secret('test'), agent: secret('test') },
      other_tenant: { tenant_id: 'other', keys: { write: secret('test') } },
      live: { tenant_id: 'live', keys: { write: secret('live'), agent: secret('live') } },
      kafka_brokers: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      schema_registry_url: expect.stringMatching(/^http:/),
      database_url: expect.stringMatching(/^postgres:/),
      redis_url: expect.stringMatching(/^redis:/),
      processes: {
        kafka: expect.any(Number),
        registry: expect.any(Number),
        postgres: expect.any(Number),
        redis: expect.any(Number),
        processor: expect.any(Number),
        gateway: expect.any(Number),
      },
    });
    expect(statSync(devFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(clone, '.data', 'dev.env')).mode & 0o777).toBe(0o600);
  });

  test('is ready, says so, and nothing it prints holds a key', async () => {
    for (const path of ['/readyz', '/livez']) expect((await fetch(`${dev.base_url}${path}`)).status).toBe(200);
    expect(said).toContain(`at ${dev.base_url}`);
    for (const secret of Object.values(dev.keys)) expect(said).not.toContain(secret);
  });

  test('prints what to try next, and that works as it stands there', async () => {
    const lines = [...said.matchAll(/^ {2}(npm run -s lending -- .*)$/gm)].map(([, line]) => line as string);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    const answers: string[] = [];
    for (const line of lines) answers.push((await run('sh', ['-c', line], { cwd: clone, env: environment })).stdout);
    expect(answers[0]).toContain('"concurrent"');
    expect(answers[1]).toContain('"ada"');
    expect(answers.at(-1)).toContain('my first key');
  }, 60_000);

  test('is found by a second one, which leaves it alone', async () => {
    const second = await run('npm', ['start'], { cwd: clone, env: environment });
    expect(second.stdout).toContain(`It runs already, at ${dev.base_url}`);
    expect((await fetch(`${dev.base_url}/readyz`)).status).toBe(200);
  }, 30_000);

  test('ends by an interrupt, and leaves neither a process nor a key file', async () => {
    process.kill(-(npm.pid as number), 'SIGINT');
    await once(npm, 'exit');
    for (const pid of Object.values(dev.processes)) await eventually(async () => !isThere(pid));
    expect(existsSync(devFile)).toBe(false);
    expect(existsSync(join(clone, '.data', 'dev.env'))).toBe(false);
  }, 60_000);
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
