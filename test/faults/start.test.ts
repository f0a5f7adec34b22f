/** `npm start` in a copy of the repository, ended by Ctrl-C; meanwhile the README and the guides are walked in it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { sampleLanguages } from '#libs/site/samples/languages.ts';
import { blockOf, type CodeBlock, codeBlock } from '#test/documentation/code-blocks.ts';
import { runCommandLineGuide } from '#test/documentation/command-line-guide.ts';
import { skipWithout } from '#test/documentation/executed-code.ts';
import { type DevelopmentStart, Reader } from '#test/documentation/reader.ts';
import {
  compareHelp,
  walkJava,
  walkOtherGuides,
  walkPython,
  walkQuickStart,
  walkReadme,
} from '#test/documentation/walk.ts';
import { missingForJavaSdk } from '#test/support/java-sdk.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { pythonWithSdk } from '#test/support/python-sdk.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

const run = promisify(execFile);
// Outside of this repository: npm would install the SDK into its package.
const root = realpathSync(mkdtempSync(join(tmpdir(), 'lending-start-')));
/** The documents call the folder of the repository so. */
const clone = join(root, 'lending');
const clonedEntries = ['package.json', 'package-lock.json', 'deploy', 'libs', 'services', 'schemas', '.gitignore'];
const [startLine = '', testLine = ''] = codeBlock('README.md', 'npm start').split('\n');
/** Packages are built and installed, on a busy machine beside other tests. */
const walkTimeoutMs = 1_200_000;
const startTimeoutMs = 400_000;
const devFile = join(clone, '.data', 'dev.json');

/** Without variables that name services: the start would use these services. */
const serviceVariables = /^(KAFKA_|SCHEMA_REGISTRY_URL|DATABASE_|REDIS_URL|LENDING_|PORT$)/;
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !serviceVariables.test(name))),
  // With Docker a second start would find the containers of the first.
  DOCKER_HOST: 'unix:///nowhere/docker.sock',
};

interface DevFile extends DevelopmentStart {
  console_url: string;
  sign_in_url: string;
  tenant_id: string;
  processes: Record<string, number>;
}

// The tests may have their stack in containers: then nothing has shown yet that an embedded one can be started.
const missing = testEnvironment().stack.sources.kafka === 'embedded' ? undefined : await missingForJavaSdk();
if (missing !== undefined)
  skipWithout('npm start with an embedded stack', missing, {
    languages: ['sh', 'csv', 'json', 'text', ''],
    blocks: [blockOf('docs/guide/events.md', '"""ledger.py')],
  });

(missing === undefined ? describe : describe.skip)('npm start', () => {
  let npm: ChildProcess;
  let output = '';
  let dev: DevFile;
  let reader: Reader;

  beforeAll(async () => {
    mkdirSync(join(clone, '.data'), { recursive: true, mode: 0o755 });
    for (const entry of clonedEntries) cpSync(join(projectDir, entry), join(clone, entry), { recursive: true });
    // The downloads of npm and Maven are reused.
    symlinkSync(join(projectDir, 'node_modules'), join(clone, 'node_modules'));
    mkdirSync(join(projectDir, '.data', 'lib'), { recursive: true });
    symlinkSync(join(projectDir, '.data', 'lib'), join(clone, '.data', 'lib'));
    // In a process group of its own, which Ctrl-C in a terminal interrupts as a whole.
    const variables = { PORT: String(await freePort()), LENDING_PARTITIONS: String(partitionCount) };
    await startNpm(startLine, 'Ready in', variables);
    dev = JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;
    reader = new Reader(clone, dev, environment);
    expect(reader.block('docs/guide/quick-start.md', 'npm start')).toBe('npm start\n');
    reader.recordRun();
  }, walkTimeoutMs);

  afterAll(async () => {
    if (npm.exitCode === null) await interruptNpm();
    rmSync(root, { recursive: true, force: true });
  });

  async function startNpm(command: string, ready: string, variables: Readonly<Record<string, string>>): Promise<void> {
    output = '';
    npm = spawn('bash', ['-c', `exec ${command}`], {
      cwd: clone,
      env: { ...environment, ...variables },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    await eventually(async () => output.includes(ready) || npm.exitCode !== null, startTimeoutMs);
    if (npm.exitCode !== null) throw new Error(output);
  }

  async function interruptNpm(): Promise<void> {
    process.kill(-(npm.pid as number), 'SIGINT');
    await once(npm, 'exit');
  }

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

  test(
    'has a demo Tenancy with Receipts of at least three months, and prints how long it took to fill it',
    async () => {
      expect(output).toMatch(/recorded 200 Clients, \d+ Loans and \d+ Receipts in \d+\.\d s/);
      const months = new Set<string>();
      for await (const { client_id } of reader.lending.listClients())
        for await (const { value_date } of reader.lending.listReceipts({ client_id }))
          months.add(value_date.slice(0, 7));
      expect(months.size).toBeGreaterThanOrEqual(3);
    },
    walkTimeoutMs,
  );

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

  test.each(sampleLanguages.map((language) => [language.label, language] as const))(
    'is what the quick start in %s needs, from the first request to a Loan that is paid off',
    async (label, language) => {
      const missing = await missingFor(label);
      if (missing !== undefined)
        return skipWithout(`the quick start in ${label}`, missing, {
          languages: [language.id],
          blocks: setupBlocks(language.id),
        });
      expect(await walkQuickStart(reader, language)).toMatch(/discharged\W{1,4}true/i);
    },
    walkTimeoutMs,
  );

  test(
    'is what the commands of the README need',
    async () => {
      await walkReadme(reader);
      // All tests are those that run at the moment; the comment of the line names a part.
      const [part = ''] = /npm test -- \S+/.exec(testLine) ?? [];
      expect(await reader.terminal([part], { cwd: projectDir })).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/m);
      reader.block('README.md', 'npm start');
      reader.recordRun();
    },
    walkTimeoutMs,
  );

  test(
    'is what the programs in Python and Java need, and a consumer of movements that has what a Loan owes',
    async () => {
      for (const [language, walk] of [
        ['Python', walkPython],
        ['Java', walkJava],
      ] as const) {
        const missing = await missingFor(language);
        const languageId = language.toLowerCase();
        if (missing === undefined) await walk(reader);
        else
          skipWithout(`the README of the SDK for ${language}`, missing, {
            languages: [languageId],
            blocks: setupBlocks(languageId),
          });
      }
    },
    walkTimeoutMs,
  );

  test(
    'is what every command of the guides needs, and help is shown in them as it is printed',
    async () => {
      await reader.lending.registerClient({ client_id: 'ada' }, { actor: 'ana', basis: 'application form' });
      await runCommandLineGuide(reader, 'running');
      await walkOtherGuides(reader);
      await compareHelp(reader);
    },
    walkTimeoutMs,
  );

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
    await interruptNpm();
    for (const pid of Object.values(dev.processes)) await eventually(async () => !hasProcess(pid));
    expect(existsSync(devFile)).toBe(false);
    expect(existsSync(join(clone, '.data', 'dev.env'))).toBe(false);
  });

  test(
    'leaves a cell in which the commands for stopped services can be run',
    async () => {
      await startNpm('npm run -s stack', 'ready; addresses', {});
      const addresses = JSON.parse(readFileSync(join(clone, '.data', 'stack.json'), 'utf8')) as BackingServiceAddresses;
      await runCommandLineGuide(reader, 'stopped', operatorEnvironment(addresses));
      await interruptNpm();
    },
    walkTimeoutMs,
  );
});

/** Why the machine cannot run a language of the documents. */
async function missingFor(language: string): Promise<string | undefined> {
  if (language === 'Java') return missingForJavaSdk();
  if (language !== 'Python') return undefined;
  const found = await pythonWithSdk();
  return 'missing' in found ? found.missing : undefined;
}

/** Which lines of other languages need the toolchain of this one. */
function setupBlocks(languageId: string): readonly CodeBlock[] {
  const found: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    python: [
      ['docs/guide/quick-start.md', 'mkdir -p ../first-loan && cd ../first-loan\npython3'],
      ['docs/guide/events.md', 'pip install'],
      ['docs/guide/events.md', 'python -c'],
      ['libs/sdk-python/README.md', 'python3 -m venv'],
    ],
    java: [
      ['docs/guide/quick-start.md', 'mvn '],
      ['libs/sdk-java/README.md', 'mvn '],
    ],
  };
  return (found[languageId] ?? []).map(([file, beginning]) => blockOf(file, beginning));
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
