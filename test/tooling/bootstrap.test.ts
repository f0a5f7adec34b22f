/** What the way into the house does before anything of the house runs. Its npm and its Node are played. */
import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bornOf } from '#deploy/stack/born.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-bootstrap-'));
  const bootstrap = join('deploy', 'bootstrap', 'main.mjs');
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

const says = '#!/bin/sh\necho "runs $3, not by way of $NO_PROXY nor $no_proxy"\n';

function layOut(version: string): void {
  write('node_modules/.package-lock.json', lockOf(version));
  write('node_modules/.bin/node', says, 0o755);
}

/** What npm does when it is asked to install. */
function npm(script: string): void {
  write('bin/npm', `#!/bin/sh\necho "npm $*"\ncd '${root}'\n${script}\n`, 0o755);
}

function start(
  env: Record<string, string> = {},
  done: (error: ExecFileException | null, out: string, err: string) => void = () => undefined,
): ChildProcess {
  const { npm_execpath: _mine, NO_PROXY: _one, no_proxy: _other, ...rest } = process.env;
  const path = `${join(root, 'bin')}:${rest['PATH']}`;
  const args = [join(root, 'deploy', 'bootstrap', 'main.mjs'), 'main.ts', 'told'];
  return execFile(process.execPath, args, { env: { ...rest, PATH: path, ...env } }, done);
}

function run(env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    start(env, (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), said: out + err }));
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 4_000; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the way in', () => {
  test('hands over at once where every package is there in its version', async () => {
    layOut('1.0.0');
    npm('exit 1');
    expect(await run()).toEqual({ code: 0, said: expect.stringMatching(/^runs told/) });
  });

  test('installs first where one is there in another version', async () => {
    layOut('0.9.0');
    npm('echo installed');
    const { code, said } = await run();
    expect(code).toBe(0);
    expect(said).toMatch(/npm ci .*\ninstalled\n[\s\S]*runs told/);
  });

  test('ends as npm ended where that failed', async () => {
    npm('exit 7');
    expect((await run()).code).toBe(7);
  });

  test('says what to do where npm was told to run no scripts and so brought no Node', async () => {
    npm('exit 0');
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain('npm ci --ignore-scripts=false');
  });

  test('installs again what was laid out by half', async () => {
    layOut('1.0.0');
    write('node_modules/.package-lock.json', lockOf('1.0.0').slice(0, 20));
    npm('exit 7');
    const { code, said } = await run();
    expect(code).toBe(7);
    expect(said).not.toContain('SyntaxError');
  });

  test('asks for what is only developed with, which the embedded stack is, whatever the environment leaves out', async () => {
    npm('exit 7');
    expect((await run({ NODE_ENV: 'production' })).said).toMatch(/^npm ci .*--include=dev/m);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'told %s while it installs it tells npm, and ends with it',
    async (name) => {
      npm(`echo $$ > npm.pid; exec sleep 1000`);
      const running = start();
      const ended = once(running, 'exit');
      await until(() => existsSync(join(root, 'npm.pid')));
      const pid = Number(readFileSync(join(root, 'npm.pid'), 'utf8'));
      running.kill(name);
      expect((await ended)[0]).toBe(130);
      await until(() => bornOf(pid) === undefined);
    },
  );

  test('does not hand over where it was told to end as npm was done', async () => {
    npm(
      "trap : TERM; echo $$ > npm.pid; sleep 1 & wait; mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho runs' > node_modules/.bin/node; chmod +x node_modules/.bin/node",
    );
    const running = start();
    let said = '';
    running.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(running, 'exit');
    await until(() => existsSync(join(root, 'npm.pid')));
    running.kill('SIGTERM');
    expect((await ended)[0]).toBe(130);
    expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(true);
    expect(said).not.toContain('runs');
  });

  test('lets nothing that listens on this machine be asked by way of a proxy', async () => {
    layOut('1.0.0');
    expect((await run()).said).toContain('not by way of 127.0.0.1,localhost nor 127.0.0.1,localhost');
    const told = await run({ no_proxy: 'inside.example' });
    expect(told.said).toContain('not by way of inside.example,127.0.0.1,localhost nor inside.example,');
  });
});
