/** A gateway with several worker processes. */
import { execFileSync } from 'node:child_process';
import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { isReady, openToolRedis } from '#libs/redis/redis.ts';
import type { Readiness } from '#libs/runtime/health.ts';
import { validateResponse } from '#test/openapi/document-validator.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { authorization } from '#test/support/signed-request.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';

const workerCount = 2;
let tenant: Tenant;
let gateway: ServiceProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  const shared = testEnvironment();
  tenant = await Tenant.open(shared);
  environment = { ...serviceEnvironment(shared.stack), GATEWAY_PROCESSES: String(workerCount) };
  gateway = await ServiceProcess.start('gateway', environment);
  await gateway.waitUntilReady();
});

afterAll(async () => {
  gateway.kill();
  await tenant.close();
});

/** Process ids of the workers, which are children of the gateway. */
function workers(): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === gateway.process.pid)
    .map(([pid]) => pid as number)
    .sort((a, b) => a - b);
}

/** The names of what the gateway is ready without. */
async function degraded(): Promise<string[]> {
  const readiness = (await (await fetch(`${gateway.operationsUrl}/readyz`)).json()) as Readiness;
  return readiness.degraded.map(({ name }) => name);
}

type Outcome = { readonly status: number; readonly refusal?: string } | { readonly error: string };

function request(agent: Agent): Promise<Outcome> {
  const target = `/v1/tenants/${tenant.id}/bounds`;
  const headers = { Authorization: authorization(tenant.signer, { method: 'GET', target, body: new Uint8Array() }) };
  return new Promise((resolve) => {
    const outgoing = send(`${gateway.baseUrl}${target}`, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers: received, complete } = response;
        if (complete) validateResponse({ method: 'GET', target }, { status, headers: received, text });
        resolve(status === 200 ? { status: complete ? status : 0 } : { status, refusal: text });
      });
    });
    // An error on a new connection means that it was refused; on a reused one a request was dropped.
    outgoing.on('error', ({ message }) => resolve({ error: outgoing.reusedSocket ? `dropped: ${message}` : 'closed' }));
    outgoing.end();
  });
}

describe('a gateway with two worker processes', () => {
  test('replaces a worker that is killed, and answers all requests while the new one starts', async () => {
    const before = workers();
    expect(before).toHaveLength(workerCount);
    process.kill(before[0] as number, 'SIGKILL');
    await eventually(async () => (await degraded()).includes('all workers'), 20_000);
    const isRestored = async (): Promise<boolean> => {
      expect(await request(new Agent())).toEqual({ status: 200 });
      expect(await gateway.readiness()).toMatchObject({ status: 200 });
      return (await degraded()).length === 0;
    };
    await eventually(isRestored, 40_000);
    // As many as reach both workers.
    for (let count = 0; count < 10; count += 1) expect(await request(new Agent())).toEqual({ status: 200 });
    expect(workers().filter((pid) => !before.includes(pid))).toHaveLength(1);
    expect(workers()).toHaveLength(workerCount);
  });

  test('reports the metrics of both workers as one', async () => {
    const countAnswers = async (): Promise<number> => {
      const text = await (await fetch(`${gateway.operationsUrl}/metrics`)).text();
      const rows = text.split('\n').filter((row) => row.startsWith('lending_requests_total') && row.includes('"200"'));
      return rows.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
    };
    const before = await countAnswers();
    for (let count = 0; count < 10; count += 1) expect(await request(new Agent())).toEqual({ status: 200 });
    // An answer is counted when its last byte is sent, which its caller may notice first: also that of the test before.
    await eventually(async () => (await countAnswers()) - before >= 10);
    expect((await countAnswers()) - before).toBeLessThan(20);
  });

  test('answers every accepted request before it exits on SIGTERM', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    let answered = 0;
    const callers = Array.from({ length: 16 }, async () => {
      for (;;) {
        const outcome = await request(agent);
        if ('error' in outcome) return outcome.error;
        if (outcome.status !== 200) return `status ${outcome.status}`;
        answered += 1;
        if (answered === 400) gateway.process.kill('SIGTERM');
      }
    });
    // Later connections are refused; no accepted request is dropped.
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['closed']));
    expect(await gateway.exited).toEqual([0, null]);
  });
});

test('a draining gateway answers requests while its readiness probe reports 503', async () => {
  const draining = await ServiceProcess.start('gateway', { ...environment, DRAIN_MS: '2000' });
  try {
    await draining.waitUntilReady();
    const exited = draining.stop();
    await eventually(async () => (await draining.readiness(draining.baseUrl))?.status === 503, 1_000);
    expect(await draining.readiness(draining.baseUrl)).toEqual({ status: 503, missing: ['service'], degraded: [] });
    expect((await tenant.at(draining.baseUrl).get('/bounds')).status).toBe(200);
    expect(await exited).toEqual([0, null]);
  } finally {
    draining.kill();
  }
});

test('two gateways share the burst and the rate of a Tenancy', async () => {
  const shared = testEnvironment();
  const burst = 300;
  const home = await Tenant.open(shared, { concurrent: 16, patience_ms: 2_000, per_second: 1, burst });
  const second = await ServiceProcess.start('gateway', serviceEnvironment(shared.stack));
  const redis = openToolRedis(shared.stack.redisUrl, 'shared bounds');
  const isReported = (requests: number) => async () => Number(await redis.get(`admitted:${home.id}`)) >= requests;
  try {
    await second.waitUntilReady();
    await eventually(() => isReady(redis));
    const other = home.at(second.baseUrl);
    const isRefused = async ({ get }: Tenant): Promise<boolean> => {
      const { status, body } = await get('/bounds');
      if (status === 429) expect(body).toMatchObject({ code: 'rate_exceeded', details: { bound: 1 } });
      return status === 429;
    };
    // Each knows the total from here on.
    await eventually(isReported(1));
    expect(await isRefused(other)).toBe(false);
    await eventually(isReported(2));
    for (let isSpent = false; !isSpent; ) isSpent = await isRefused(home);
    let admitted = 0;
    await eventually(async () => {
      const refused = await isRefused(other);
      if (!refused) admitted += 1;
      return refused;
    });
    expect(admitted).toBeLessThan(burst / 2);
  } finally {
    redis.disconnect();
    second.kill();
    await home.close();
  }
});
