import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const nowhere = {
  KAFKA_BROKERS: '127.0.0.1:9',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9',
  DATABASE_URL: 'postgres://127.0.0.1:9/lending',
  REDIS_URL: 'redis://127.0.0.1:9',
};

test('a command for a cell that does not answer says so and ends', async () => {
  const args = [join(import.meta.dirname, 'main.ts'), 'key', 'list', 'demo'];
  const done = await new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...nowhere }, timeout: 15_000 }, (error, out, err) =>
      resolve({ code: error?.code, isKilled: error?.killed, out, err }),
    );
  });
  expect(done).toEqual({ code: 1, isKilled: false, out: '', err: expect.stringContaining('did not answer') });
}, 20_000);
