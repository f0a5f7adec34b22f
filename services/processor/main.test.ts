/** A processor as a process, with nothing there of what it stands on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '#deploy/stack/ports.ts';

let processor: ChildProcess | undefined;
afterEach(() => {
  processor?.kill('SIGKILL');
});

test('a processor that waits for its cell tells its figures', async () => {
  const nobody = await freePort();
  const metricsPort = await freePort(new Set([nobody]));
  processor = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      KAFKA_BROKERS: `127.0.0.1:${nobody}`,
      SCHEMA_REGISTRY_URL: `http://127.0.0.1:${nobody}`,
      DATABASE_URL: `postgres://lending@127.0.0.1:${nobody}/lending`,
      REDIS_URL: `redis://127.0.0.1:${nobody}`,
      METRICS_PORT: String(metricsPort),
    },
  });
  const answer = await untilAnswered(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^lending_publisher_behind\{service="processor"\} 0$/m);
}, 30_000);

/** The figures are the service's own once it has opened what needs nobody; until then they are Node's alone. */
async function untilAnswered(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    const isWhole = answer?.ok === false || (await answer?.clone().text())?.includes('lending_publisher_behind');
    if (answer !== undefined && isWhole === true) return answer;
    await sleep(50);
  }
}
