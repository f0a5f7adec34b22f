import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { commitFile, describeBuild, readBuild } from './build.ts';

test('a release states its commit where the image holds it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lending-build-'));
  const url = pathToFileURL(`${folder}/`);
  expect(readBuild(url).commit).toBe('');
  writeFileSync(join(folder, commitFile), '0123456789abcdef0123456789abcdef01234567\n');
  const build = readBuild(url);
  expect(build.commit).toBe('0123456789abcdef0123456789abcdef01234567');
  expect(describeBuild(build)).toBe(`${build.version} (0123456789ab)`);
  expect(describeBuild({ version: '1.2.3', commit: '' })).toBe('1.2.3');
  rmSync(folder, { recursive: true });
});
