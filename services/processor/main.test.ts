/** The processor as a process of its own, while no backing service answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '#deploy/dev/ports.ts';

let processor: ChildProcess | undefined;
afterEach(() => {
  processor?.kill('SIGKILL');
});

test('a processor that waits for its backing services serves its metrics', async () => {
  const unusedPort = await freePort();
  const metricsPort = await freePort(new Set([unusedPort]));
  const started = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      KAFKA_BROKERS: `127.0.0.1:${unusedPort}`,
      SCHEMA_REGISTRY_URL: `http://127.0.0.1:${unusedPort}`,
      DATABASE_URL: `postgres://lending@127.0.0.1:${unusedPort}/lending`,
      REDIS_URL: `redis://127.0.0.1:${unusedPort}`,
      METRICS_PORT: String(metricsPort),
    },
  });
  processor = started;
  let metrics = '';
  while (started.exitCode === null && !metrics.includes('lending_publisher_behind')) {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined);
    metrics = (await response?.text()) ?? '';
    await sleep(50);
  }
  expect(metrics).toMatch(/^lending_publisher_behind\{service="processor"\} 0$/m);
}, 30_000);
