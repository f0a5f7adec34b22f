import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { nodeSettings } from './movement-process.ts';

const mebibyte = 1024 * 1024;
let dir: string;
let processor: ChildProcess | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-movements-'));
});
afterEach(() => {
  processor?.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

test.each(['', '--max-old-space-size-percentage=60', '--max-old-space-size=2000 --max_semi_space_size=64'])(
  'the process of movements has half the heap of a processor that is started with "%s"',
  (NODE_OPTIONS) => {
    const { execArgv, env } = nodeSettings({ ...process.env, NODE_OPTIONS }, 1_000 * mebibyte);
    const script = 'console.log(process.getBuiltinModule("node:v8").getHeapStatistics().heap_size_limit)';
    const limit = execFileSync(process.execPath, [...execArgv, '--eval', script], {
      env: { ...env },
      encoding: 'utf8',
    });
    expect(Math.round(Number(limit) / mebibyte)).toBe(500);
  },
);

test('the process of movements ends with a processor that is killed', async () => {
  const source = `
import { MovementProcess } from '${join(import.meta.dirname, 'movement-process.ts')}';
import { silentLogger } from '${join(import.meta.dirname, '../../libs/runtime/logging.ts')}';
new MovementProcess({ partitions: () => [], env: process.env, logger: silentLogger });
`;
  writeFileSync(join(dir, 'processor.ts'), source);
  // Nothing listens there: it waits for its registry.
  const url = 'http://127.0.0.1:9';
  const env = { KAFKA_BROKERS: '127.0.0.1:9', DATABASE_URL: 'postgres://127.0.0.1:9/d', SCHEMA_REGISTRY_URL: url };
  processor = spawn(process.execPath, [join(dir, 'processor.ts')], {
    env: { ...process.env, ...env, REDIS_URL: 'redis://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = processor.stdout as NonNullable<typeof processor.stdout>;
  const [line] = (await once(output, 'data')) as [Buffer];
  expect(line.toString()).toContain('the schema registry');
  processor.kill('SIGKILL');
  // Both write to it: it ends when both have ended.
  output.resume();
  await once(output, 'end');
}, 60_000);
