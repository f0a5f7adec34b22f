import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyForAll } from './copy-for-all.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-copy-'));
  mkdirSync(join(root, 'native', 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'native', 'bin', 'initdb'), 'runs', { mode: 0o700 });
  writeFileSync(join(root, 'native', 'locale'), 'is read', { mode: 0o600 });
  symlinkSync('locale', join(root, 'native', 'language'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('who may not even see the original reads and runs the copy, and changes nothing in it', () => {
  const copy = join(root, 'copy');
  // As of a copy that was broken off.
  mkdirSync(join(root, 'copy.part'));
  copyForAll(join(root, 'native'), copy);
  const modes = ['.', 'bin', 'bin/initdb', 'locale'].map((path) => lstatSync(join(copy, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o644]);
  expect(readlinkSync(join(copy, 'language'))).toBe('locale');
});
