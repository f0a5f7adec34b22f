import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '#libs/runtime/logging.ts';
import { eventually } from '#test/support/tenant.ts';
import type { FollowerState } from './movement-follower.ts';
import { MovementProcess, nodeSettings } from './movement-process.ts';

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

describe('what is known of the movements', () => {
  const published: FollowerState = { behind: 0, stoppedPartitions: 0, unknownPartitions: 0, oldestSeconds: 0 };
  const waiting: FollowerState = { behind: 3, stoppedPartitions: 1, unknownPartitions: 0, oldestSeconds: 500 };
  let movements: MovementProcess | undefined;
  afterEach(() => movements?.stop());

  /** Its process reports once, and exits when it has more than two partitions. */
  function start(state: FollowerState, partitions: () => number[]): MovementProcess {
    const preloaded = join(dir, 'report.mjs');
    const source = `
process.on('message', ({ type, partitions }) => { if (type === 'stop' || partitions.length > 2) process.exit(); });
process.send(${JSON.stringify(state)});
await new Promise(() => undefined);
`;
    writeFileSync(preloaded, source);
    const env = { ...process.env, NODE_OPTIONS: `--import=${preloaded}` };
    return new MovementProcess({ partitions, env, logger: silentLogger });
  }

  test('is nothing before its process has reported, after the process exited, and after it reported no more', async () => {
    let owned = [4, 5];
    movements = start(published, () => owned);
    const { state } = movements;
    expect(state).toEqual({ ...published, unknownPartitions: 2 });
    await eventually(() => movements?.state.unknownPartitions === 0);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 61_000);
    expect(movements.state).toEqual({ ...published, unknownPartitions: 2 });
    clock.mockRestore();
    owned = [4, 5, 6];
    await eventually(() => movements?.state.unknownPartitions === 3);
    owned = [];
    expect(movements.state).toEqual(published);
  }, 60_000);

  test('is that facts wait for longer and longer, also after its process exited', async () => {
    let owned = [4, 5];
    movements = start(waiting, () => owned);
    await eventually(() => movements?.state.behind === 3);
    expect(movements.state).toMatchObject({ stoppedPartitions: 1, unknownPartitions: 0 });
    owned = [4, 5, 6];
    await eventually(() => movements?.state.unknownPartitions === 3);
    const { oldestSeconds } = movements.state;
    expect(oldestSeconds).toBeGreaterThan(500);
    await eventually(() => Number(movements?.state.oldestSeconds) > oldestSeconds);
    expect(movements.state).toMatchObject({ behind: 3, unknownPartitions: 3 });
  }, 60_000);

  test('is nothing where its process cannot be started, and the processor goes on', () => {
    const errors: object[] = [];
    const logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) };
    // As Node throws where the system has no memory for another process.
    const env = { NOT_POSSIBLE: 'a\0b' };
    movements = new MovementProcess({ partitions: () => [1, 2], env, logger });
    expect(errors).toEqual([
      { event: 'movements.process_exited', err: expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) },
    ]);
    expect(movements.state).toEqual({ ...published, unknownPartitions: 2 });
  });
});
