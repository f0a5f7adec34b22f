/** A gateway on several processes, beside the one of the house. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { freePort } from '#deploy/stack/ports.ts';
import { environmentOf } from '#deploy/start/house.ts';
import { authorization } from '#test/load/caller.ts';
import { holdToDocument } from '#test/openapi/held.ts';
import { LoneService } from './lone-service.ts';
import { eventually, house, Tenant } from './tenant.ts';

let tenant: Tenant;
let gateway: ChildProcess;
let ended: Promise<unknown>;
let port: number;
let operations: string;
const processes = 2;

beforeAll(async () => {
  const here = house();
  tenant = await Tenant.open(here);
  port = await freePort();
  const metricsPort = await freePort(new Set([port]));
  operations = `http://127.0.0.1:${metricsPort}`;
  gateway = spawn(process.execPath, [join(projectDir, 'services', 'gateway', 'main.ts')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...environmentOf(here.stack),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      GATEWAY_PROCESSES: String(processes),
    },
  });
  ended = once(gateway, 'exit');
  await untilReady();
});

afterAll(async () => {
  gateway.kill('SIGKILL');
  await tenant.close();
});

async function untilReady(): Promise<void> {
  for (const end = Date.now() + 30_000; ; ) {
    const answer = await fetch(`${operations}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (Date.now() > end) throw new Error(`the gateway is not ready: ${await answer?.text()}`);
    await sleep(50);
  }
}

function workers(): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return (
    rows
      .map((row) => row.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === gateway.pid)
      .map(([pid]) => pid as number)
      // `ps` itself is a child of the test, a worker is one of the gateway.
      .sort((a, b) => a - b)
  );
}

type Told = { readonly status: number } | { readonly error: string };

function ask(agent: Agent): Promise<Told> {
  const target = `/v1/tenants/${tenant.id}/bounds`;
  const headers = { Authorization: authorization(tenant.signer, { method: 'GET', target, body: new Uint8Array() }) };
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: target, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers: said, complete } = response;
        if (complete) holdToDocument({ method: 'GET', target }, { status, headers: said, text });
        resolve({ status: complete ? status : 0 });
      });
    });
    // A line that was never taken up is a door found closed, however the system says so.
    asked.on('error', (cause) => resolve({ error: asked.reusedSocket ? `dropped: ${cause.message}` : 'closed' }));
    asked.end();
  });
}

describe('a gateway told to run on two processes', () => {
  test('does, and starts another for one that is killed', async () => {
    const before = workers();
    expect(before).toHaveLength(processes);
    process.kill(before[0] as number, 'SIGKILL');
    const other = (pid: number): boolean => !before.includes(pid);
    for (const end = Date.now() + 20_000; !workers().some(other) && Date.now() < end; ) await sleep(50);
    await untilReady();
    expect(workers()).toHaveLength(processes);
    expect(await ask(new Agent())).toEqual({ status: 200 });
  });

  test('tells the figures of both as one', async () => {
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${operations}/metrics`)).text();
      const rows = text.split('\n').filter((row) => row.startsWith('lending_requests_total') && row.includes('"200"'));
      return rows.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
    };
    const before = await counted();
    for (let asked = 0; asked < 10; asked++) await ask(new Agent());
    expect((await counted()) - before).toBe(10);
  });

  test('answers every request it has accepted when it is told to end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    let answered = 0;
    const callers = Array.from({ length: 16 }, async () => {
      for (;;) {
        const told = await ask(agent);
        if ('error' in told) return told.error;
        if (told.status !== 200) return `status ${told.status}`;
        answered += 1;
        if (answered === 400) gateway.kill('SIGTERM');
      }
    });
    // Whoever comes later finds the door closed; nobody is dropped on the way.
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['closed']));
    expect(await ended).toEqual([0, null]);
  });
});

test('a gateway told to drain answers who still comes, while its port says that nobody should', async () => {
  const told = { ...environmentOf(house().stack), GATEWAY_PROCESSES: String(processes), DRAIN_MS: '2000' };
  const draining = await LoneService.start('gateway', told);
  try {
    await draining.untilReady();
    const ended = draining.stop();
    await eventually(async () => (await draining.readiness(draining.baseUrl))?.status === 503, 1_000);
    expect(await draining.readiness(draining.baseUrl)).toEqual({ status: 503, missing: ['service'] });
    expect((await tenant.at(draining.baseUrl).get('/bounds')).status).toBe(200);
    expect(await ended).toEqual([0, null]);
  } finally {
    draining.kill();
  }
});
