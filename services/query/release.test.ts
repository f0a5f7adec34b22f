import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { releaseDigest } from './release.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  for (const file of files) write(file, 'as it was');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const files = [
  'libs/ledger/fold.ts',
  'libs/database/read-books.ts',
  'libs/database/migrations/001_ground.sql',
  'libs/product/product.ts',
  'services/query/query.ts',
  'services/processor/process-batch.ts',
  'schemas/book-event.avsc',
  'package-lock.json',
];

test('the same files are one release, wherever they lie', () => {
  const one = releaseDigest(root, 'v24.0.0');
  expect(one).toMatch(/^[0-9a-f]{16}$/);
  expect(releaseDigest(root, 'v24.0.0')).toBe(one);
});

test.each(files)('another %s is another release', (file) => {
  const one = releaseDigest(root, 'v24.0.0');
  write(file, 'otherwise');
  expect(releaseDigest(root, 'v24.0.0')).not.toBe(one);
});

test('a file more is another release, and so is another Node', () => {
  const one = releaseDigest(root, 'v24.0.0');
  expect(releaseDigest(root, 'v24.0.1')).not.toBe(one);
  write('libs/money/round.ts', 'new');
  expect(releaseDigest(root, 'v24.0.0')).not.toBe(one);
});

test.each(['libs/ledger/fold.test.ts', 'libs/ledger/README.md', 'libs/sdk/dist/index.js', 'libs/sdk/dist/index.d.ts'])(
  'the release is the same with or without %s',
  (file) => {
    const one = releaseDigest(root, 'v24.0.0');
    write(file, 'lies here, and elsewhere does not');
    expect(releaseDigest(root, 'v24.0.0')).toBe(one);
  },
);
