/** What a request leaves for the collections of the young to keep: see decision 0050. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const measuring = join(import.meta.dirname, 'testing/left-behind.ts');

test('nothing of a request grows old', async () => {
  const options = ['--expose-gc', '--initial-old-space-size=256'];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, measuring], { timeout: 50_000 });
  const kept = JSON.parse(stdout) as number[];
  expect(kept).toHaveLength(4);
  // A habit shows every time; code that is compiled, now and then.
  expect(Math.min(...kept)).toBeLessThan(250);
}, 60_000);
