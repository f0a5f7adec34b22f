/** What the bootstrap script installs and runs. npm and Node are replaced by scripts. */
import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { processStartTime } from '#deploy/dev/process-control.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-bootstrap-'));
  const bootstrap = join('deploy', 'dev', 'bootstrap.mjs');
  mkdirSync(dirname(join(root, bootstrap)), { recursive: true });
  cpSync(join(import.meta.dirname, '..', '..', bootstrap), join(root, bootstrap));
  write('package-lock.json', lockOf('1.0.0'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  chmodSync(join(root, file), mode);
}

function lockOf(version: string): string {
  return JSON.stringify({ packages: { '': {}, 'node_modules/pg': { version } } });
}

const nodeScript = '#!/bin/sh\necho "runs $2 without proxy for $NO_PROXY and $no_proxy"\n';

function installPackages(version: string): void {
  write('node_modules/.package-lock.json', lockOf(version));
  write('node_modules/.bin/node', nodeScript, 0o755);
}

/** Replaces npm by a script. */
function npmRuns(script: string): void {
  write('bin/npm', `#!/bin/sh\necho "npm $*"\ncd '${root}'\n${script}\n`, 0o755);
}

function start(
  env: Record<string, string> = {},
  done: (error: ExecFileException | null, out: string, err: string) => void = () => undefined,
): ChildProcess {
  const { npm_execpath: _mine, NO_PROXY: _one, no_proxy: _other, ...rest } = process.env;
  const path = `${join(root, 'bin')}:${rest['PATH']}`;
  const args = [join(root, 'deploy', 'dev', 'bootstrap.mjs'), 'main.ts', 'argument'];
  return execFile(process.execPath, args, { env: { ...rest, PATH: path, ...env } }, done);
}

function run(env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    start(env, (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), output: out + err }));
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 4_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`timeout: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the bootstrap', () => {
  test('runs the script immediately where every package is installed in its version', async () => {
    installPackages('1.0.0');
    npmRuns('exit 1');
    expect(await run()).toEqual({ code: 0, output: expect.stringMatching(/^runs argument/) });
  });

  test('installs first where a package has another version', async () => {
    installPackages('0.9.0');
    npmRuns('echo installed');
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toMatch(/npm ci .*\ninstalled\n[\s\S]*runs argument/);
  });

  test('exits with the code of npm where the install fails', async () => {
    npmRuns('exit 7');
    expect((await run()).code).toBe(7);
  });

  test('says what to do where npm ran no package scripts and installed no Node', async () => {
    npmRuns('exit 0');
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain('npm ci --ignore-scripts=false');
  });

  test('installs again after an interrupted install', async () => {
    installPackages('1.0.0');
    write('node_modules/.package-lock.json', lockOf('1.0.0').slice(0, 20));
    npmRuns('exit 7');
    const { code, output } = await run();
    expect(code).toBe(7);
    expect(output).not.toContain('SyntaxError');
  });

  test('installs development packages whatever NODE_ENV says', async () => {
    npmRuns('exit 7');
    expect((await run({ NODE_ENV: 'production' })).output).toMatch(/^npm ci .*--include=dev/m);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'passes %s to npm while it installs, and exits with it',
    async (name) => {
      npmRuns(`echo $$ > npm.pid; exec sleep 1000`);
      const running = start();
      const ended = once(running, 'exit');
      await until(() => existsSync(join(root, 'npm.pid')));
      const pid = Number(readFileSync(join(root, 'npm.pid'), 'utf8'));
      running.kill(name);
      expect((await ended)[0]).toBe(130);
      await until(() => processStartTime(pid) === undefined);
    },
  );

  test('does not run the script after a signal during the install', async () => {
    npmRuns(
      "trap : TERM; echo $$ > npm.pid; sleep 1 & wait; mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho runs' > node_modules/.bin/node; chmod +x node_modules/.bin/node",
    );
    const running = start();
    let output = '';
    running.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const ended = once(running, 'exit');
    await until(() => existsSync(join(root, 'npm.pid')));
    running.kill('SIGTERM');
    expect((await ended)[0]).toBe(130);
    expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(true);
    expect(output).not.toContain('runs');
  });

  test('excludes this machine from a proxy', async () => {
    installPackages('1.0.0');
    expect((await run()).output).toContain('without proxy for 127.0.0.1,localhost and 127.0.0.1,localhost');
    const withException = await run({ no_proxy: 'inside.example' });
    expect(withException.output).toContain('without proxy for inside.example,127.0.0.1,localhost and inside.example,');
  });
});
