import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { entityTag, matchesTag, releaseDigest } from './entity-tag.ts';

const tag = entityTag(['release', 'c-1', 3, '2026-01-01']);

test.each([
  [tag, true],
  [`W/${tag}`, true],
  [`"other", ${tag}`, true],
  [`"other",W/${tag} , "more"`, true],
  ['*', true],
  [` , ${tag},`, true],
  ['"of, two", "\u00e9"', false],
  ['"other"', false],
  [`x${tag}`, false],
  [`${tag}x`, false],
  [`"other" ${tag}`, false],
  [`"other", x, ${tag}`, false],
  [`w/${tag}`, false],
  [`*, ${tag}`, false],
  [tag.slice(1, -1), false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s matches the tag: %s', (header, isMatch) => {
  expect(matchesTag(header, tag)).toBe(isMatch);
});

test('a change of anything the answer depends on changes the tag', () => {
  const tags = new Set([
    tag,
    entityTag(['next', 'c-1', 3, '2026-01-01']),
    entityTag(['release', 'c-2', 3, '2026-01-01']),
    entityTag(['release', 'c-1', 4, '2026-01-01']),
    entityTag(['release', 'c-1', 3, '2026-01-02']),
  ]);
  expect(tags.size).toBe(5);
});

describe('the digest of a release', () => {
  const files = [
    'libs/ledger/fold.ts',
    'libs/database/book-reader.ts',
    'libs/database/migrations/001_baseline.sql',
    'libs/product/product.ts',
    'services/query/open-query-routes.ts',
    'services/processor/decide-batch.ts',
    'schemas/book-event.avsc',
    'package-lock.json',
  ];

  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'release-'));
    for (const file of files) write(file, 'original');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }

  test('is the same for the same files', () => {
    const digest = releaseDigest(root, 'v24.0.0');
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(releaseDigest(root, 'v24.0.0')).toBe(digest);
  });

  test.each(files)('changes with %s', (file) => {
    const digest = releaseDigest(root, 'v24.0.0');
    write(file, 'changed');
    expect(releaseDigest(root, 'v24.0.0')).not.toBe(digest);
  });

  test('changes with a new file and with the Node version', () => {
    const digest = releaseDigest(root, 'v24.0.0');
    expect(releaseDigest(root, 'v24.0.1')).not.toBe(digest);
    write('libs/money/minor.ts', 'new');
    expect(releaseDigest(root, 'v24.0.0')).not.toBe(digest);
  });

  test.each([
    'libs/ledger/fold.test.ts',
    'libs/ledger/README.md',
    'libs/sdk/dist/index.js',
    'libs/sdk/dist/index.d.ts',
  ])('does not depend on %s', (file) => {
    const digest = releaseDigest(root, 'v24.0.0');
    write(file, 'differs between machines');
    expect(releaseDigest(root, 'v24.0.0')).toBe(digest);
  });
});
