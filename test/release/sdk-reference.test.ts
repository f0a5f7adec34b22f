import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { installTypeDoc, writeSdkDocs } from '#libs/sdk/write-docs.ts';
import { announceSkip } from '#test/support/skip.ts';

/** Packages are installed, and a second compiler reads the SDK. */
const timeoutMs = 600_000;

test(
  'TypeDoc writes the reference of the SDK without a warning',
  () => {
    try {
      installTypeDoc();
    } catch (cause) {
      return announceSkip('the reference by TypeDoc', `npm cannot install it: ${(cause as Error).message}`);
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
