import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { writePrivateFile } from './private-file.ts';

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
