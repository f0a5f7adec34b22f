import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { installTypeDoc, writeSdkDocs } from '#libs/sdk/write-docs.ts';

/** Packages are installed, and a second compiler reads the SDK, on a busy machine beside other tests. */
const timeoutMs = 600_000;

test(
  'where CI is set, TypeDoc writes the reference of the SDK without a warning',
  () => {
    if (process.env['CI'] === undefined)
      return console.error('skipped: the reference by TypeDoc, because CI is not set');
    try {
      installTypeDoc();
    } catch {
      return console.error('skipped: the reference by TypeDoc, because npm cannot install it');
    }
    const folder = mkdtempSync(join(tmpdir(), 'lending-sdk-docs-'));
    try {
      writeSdkDocs(folder);
      expect(existsSync(join(folder, 'classes', 'lending-sdk.Lending.html'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  timeoutMs,
);
