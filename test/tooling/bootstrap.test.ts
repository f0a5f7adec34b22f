/** What the way into the house does before anything of the house runs. Its npm and its Node are played. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

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
  write('bin/npm', `#!/bin/sh\necho "npm $1"\ncd '${root}'\n${script}\n`, 0o755);
}

function run(env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  const { npm_execpath: _mine, NO_PROXY: _one, no_proxy: _other, ...rest } = process.env;
  const path = `${join(root, 'bin')}:${rest['PATH']}`;
  const args = [join(root, 'deploy', 'bootstrap', 'main.mjs'), 'main.ts', 'told'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...rest, PATH: path, ...env } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: out + err }),
    );
  });
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
    expect(said).toMatch(/npm ci\ninstalled\n[\s\S]*runs told/);
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

  test('lets nothing that listens on this machine be asked by way of a proxy', async () => {
    layOut('1.0.0');
    expect((await run()).said).toContain('not by way of 127.0.0.1,localhost nor 127.0.0.1,localhost');
    const told = await run({ no_proxy: 'inside.example' });
    expect(told.said).toContain('not by way of inside.example,127.0.0.1,localhost nor inside.example,');
  });
});
