import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startAgain } from './custody.ts';
import { type Following, followPids } from './follow.ts';
import { type Entry, haltAll, isGone, launch, signal } from './processes.ts';

let dirs: [string, string];
let following: Following | undefined;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'lending-follow-'));
  dirs = [join(root, 'one'), join(root, 'two')];
});
afterEach(async () => {
  following?.close();
  for (const dir of dirs) await haltAll(dir);
  rmSync(join(dirs[0], '..'), { recursive: true });
});

function sleeper(dir: string, name: string): Entry {
  return launch(dir, { name, command: 'sleep', args: ['1000'], tier: 0 });
}

test('the pids of several folders are told at once, and again when one of them was started again', async () => {
  const [stack, services] = dirs;
  const kafka = sleeper(stack, 'kafka');
  const gateway = sleeper(services, 'gateway');
  const told: Record<string, number>[] = [];
  const events = new EventTarget();
  following = followPids(dirs, (pids) => {
    told.push(pids);
    events.dispatchEvent(new Event('told'));
  });
  expect(told).toEqual([{ kafka: kafka.pid, gateway: gateway.pid }]);

  const again = once(events, 'told');
  signal(kafka, 'SIGKILL');
  await isGone(kafka, 5_000);
  await startAgain(stack, kafka);
  await again;
  const last = told.at(-1);
  expect(last?.['gateway']).toBe(gateway.pid);
  expect(last?.['kafka']).toEqual(expect.any(Number));
  expect(last?.['kafka']).not.toBe(kafka.pid);
});
