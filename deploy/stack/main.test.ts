import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

// Whether or not one runs in the folder of this project: to that one what is named is compared.
test('npm run stack says in a line what does not answer', async () => {
  const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/d' };
  const ended = await new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'main.ts')], { env }, (error, _out, err) =>
      resolve({ code: error?.code, err }),
    );
  });
  expect(ended.code).toBe(1);
  expect(ended.err).toMatch(/^.*DATABASE_URL.*\n$/);
}, 30_000);
