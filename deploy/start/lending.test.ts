import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'lending-clone-'));
  const ofOthers = /[\\/](?:node_modules|dist)$/;
  for (const part of ['package.json', 'deploy', 'libs', 'schemas']) {
    cpSync(join(projectDir, part), join(clone, part), { recursive: true, filter: (path) => !ofOthers.test(path) });
  }
});
afterAll(() => rmSync(clone, { recursive: true }));

function lending(project: string, ...typed: string[]): Promise<unknown> {
  const command = [join(project, 'deploy', 'start', 'lending.mjs'), '--help'];
  return new Promise((resolve) => {
    execFile(process.execPath, [...typed, ...command], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

const comesFirst = {
  code: 1,
  out: '',
  err: 'Run npm start first: it brings the packages, and the Node that the command line runs on.\n',
};

test('a clean clone says in one line what comes first', async () => {
  expect(await lending(clone)).toEqual(comesFirst);
});

test('a Node that reads no TypeScript says the same', async () => {
  expect(await lending(projectDir, '--no-experimental-strip-types')).toEqual(comesFirst);
});

test('where everything is installed the command line answers', async () => {
  expect(await lending(projectDir)).toEqual({ code: 0, out: expect.stringContaining('lending call METHOD'), err: '' });
});
