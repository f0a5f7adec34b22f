import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { replacePrivateFile, writePrivateFile } from './private-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'private-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file is readable by its owner only, also where a stopped run left one that is not', () => {
  const file = join(folder, 'keys.json');
  writeFileSync(`${file}.new`, 'half');
  chmodSync(`${file}.new`, 0o644);
  writePrivateFile(file, 'whole');
  expect(readFileSync(file, 'utf8')).toBe('whole');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

// Root may give a file to any owner; another user tests with the group that new files have.
const isRoot = process.getuid?.() === 0;

test('a replaced file keeps its owner, its group and its mode', () => {
  const file = join(folder, 'database-url');
  writeFileSync(file, 'former');
  if (isRoot) chownSync(file, 1_234, 4_321);
  chmodSync(file, 0o640);
  const { uid, gid } = statSync(file);
  replacePrivateFile(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100640 });
});

const asRoot = isRoot ? test : test.skip;
asRoot('a file is left as it is by a user who may not give the new one to its owner', () => {
  const file = join(folder, 'of-root');
  writeFileSync(file, 'former');
  chmodSync(folder, 0o777);
  process.seteuid?.(1_234);
  try {
    expect(() => replacePrivateFile(file, 'new')).toThrow('EPERM');
  } finally {
    process.seteuid?.(0);
  }
  expect(readFileSync(file, 'utf8')).toBe('former');
  expect(existsSync(`${file}.new`)).toBe(false);
});
