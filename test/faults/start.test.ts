/** `npm start` in a copy of the repository, ended by Ctrl-C; meanwhile the commands of the README are run in it. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { skipWithout } from '#test/documentation/executed-code.ts';
import type { Reader } from '#test/documentation/reader.ts';
import { RepositoryCopy, testLine } from '#test/documentation/repository-copy.ts';
import { walkReadme } from '#test/documentation/walk.ts';
import { missingForEmbeddedStack } from '#test/support/embedded-stack.ts';
import { eventually } from '#test/support/tenant.ts';

const run = promisify(execFile);
/** Packages are built and installed, on a busy machine beside other tests. */
const walkTimeoutMs = 1_200_000;

const missing = await missingForEmbeddedStack();
if (missing !== undefined)
  skipWithout('npm start with an embedded stack', missing, { languages: ['sh', 'csv', 'json', 'text', ''] });

(missing === undefined ? describe : describe.skip)('npm start', () => {
  let copy: RepositoryCopy;
  let dev: ReturnType<RepositoryCopy['readDevFile']>;
  let reader: Reader;

  beforeAll(async () => {
    copy = new RepositoryCopy();
    reader = await copy.startService();
    dev = copy.readDevFile();
  }, walkTimeoutMs);

  afterAll(() => copy.remove());

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
    expect(statSync(join(copy.folder, '.data', 'dev.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(copy.folder, '.data', 'dev.env')).mode & 0o777).toBe(0o600);
  });

  test('is ready, prints its address and prints no key', async () => {
    for (const path of ['/readyz', '/livez']) expect((await fetch(`${dev.base_url}${path}`)).status).toBe(200);
    for (const [name, value] of [
      ['API', dev.base_url],
      ['Docs', `${dev.base_url}/docs`],
      ['Console', dev.console_url],
      ['Sign in', dev.sign_in_url],
    ]) {
      expect(copy.output).toMatch(new RegExp(`^  ${name} +${value}$`, 'm'));
    }
    for (const secret of Object.values(dev.keys)) expect(copy.output).not.toContain(secret);
  });

  test(
    'has a demo Tenancy with Receipts of at least three months, and prints how long it took to fill it',
    async () => {
      expect(copy.output).toMatch(/recorded 200 Clients, \d+ Loans and \d+ Receipts in \d+\.\d s/);
      const months = new Set<string>();
      for await (const { client_id } of reader.lending.listClients())
        for await (const { value_date } of reader.lending.listReceipts({ client_id }))
          months.add(value_date.slice(0, 7));
      expect(months.size).toBeGreaterThanOrEqual(3);
    },
    walkTimeoutMs,
  );

  test('prints commands to try, and they work as printed', async () => {
    const lines = [...copy.output.matchAll(/^ {2}(npm run -s lending -- .*)$/gm)].map(([, line]) => line as string);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    const answers: string[] = [];
    for (const line of lines)
      answers.push((await run('sh', ['-c', line], { cwd: copy.folder, env: copy.environment })).stdout);
    expect(answers[0]).toContain('"reference":"demo-');
    expect(answers[1]).toContain('"rosa"');
    expect(answers.at(-1)).toContain('my first key');
  });

  test('is found by a second start, which leaves it running and prints a new sign-in link', async () => {
    const second = await run('npm', ['start'], { cwd: copy.folder, env: copy.environment });
    expect(second.stdout).toContain(`The service is running already at ${dev.base_url}`);
    const [link = ''] = /http\S+\/sign-in\/link\/\S+/.exec(second.stdout) ?? [];
    expect(link).not.toBe(dev.sign_in_url);
    expect((await fetch(link)).status).toBe(200);
    expect((await fetch(`${dev.base_url}/readyz`)).status).toBe(200);
  });

  test(
    'is what the commands of the README need',
    async () => {
      await walkReadme(reader);
      // The whole line would run this test again; its comment names a part.
      const [part = ''] = /npm test -- \S+/.exec(testLine) ?? [];
      expect(await reader.terminal([part], { cwd: projectDir })).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/m);
      reader.block('README.md', 'npm start');
      reader.recordRun();
    },
    walkTimeoutMs,
  );

  test('restarts a killed process and writes its new pid', async () => {
    const { redis } = dev.processes;
    process.kill(redis as number, 'SIGKILL');
    await eventually(() => {
      dev = copy.readDevFile();
      return dev.processes['redis'] !== undefined && dev.processes['redis'] !== redis;
    });
    await eventually(async () => (await fetch(`${dev.base_url}/readyz`)).status === 200);
  });

  test('ends on Ctrl-C and leaves no process and no file with keys', async () => {
    await copy.interrupt();
    for (const pid of Object.values(dev.processes)) await eventually(async () => !hasProcess(pid));
    expect(existsSync(join(copy.folder, '.data', 'dev.json'))).toBe(false);
    expect(existsSync(join(copy.folder, '.data', 'dev.env'))).toBe(false);
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
