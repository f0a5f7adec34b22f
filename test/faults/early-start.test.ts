/** Services that are started before what they stand on: they wait, say for what, and are ready by themselves. */
import { execFileSync } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#deploy/stack/ports.ts';
import { type ServiceName, serviceNames } from '#deploy/stack/probes.ts';
import { environmentOf } from '#deploy/start/house.ts';
import { LoneService } from '#test/integration/lone-service.ts';
import { eventually, house, Tenant } from '#test/integration/tenant.ts';

const variables = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
} as const satisfies Record<ServiceName, string>;
const workers = 2;

/** The address of a backing service as the services are told it, and the way there: closed until it is opened. */
class Way {
  readonly address: string;
  readonly #port: number;
  readonly #target: number;
  readonly #lines = new Set<Socket>();
  #server: Server | undefined;

  constructor(address: string, port: number) {
    const target = Number(/:(\d+)(?=\/|$)/.exec(address.slice(address.lastIndexOf('@') + 1))?.[1]);
    this.#target = target;
    this.#port = port;
    this.address = address.replace(`:${target}`, `:${port}`);
  }

  open(): Promise<void> {
    const server = createServer((line) => {
      const onwards = connect(this.#target, '127.0.0.1');
      line.pipe(onwards).pipe(line);
      this.#lines.add(line);
      line.once('close', () => this.#lines.delete(line));
      for (const [one, other] of [[line, onwards] as const, [onwards, line] as const]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    this.#server = server;
    return new Promise((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server?.close();
    for (const line of this.#lines) line.destroy();
  }
}

let ways: Record<ServiceName, Way>;
let gateway: LoneService;
let processor: LoneService;
let tenant: Tenant;
beforeAll(async () => {
  const here = house();
  const told = environmentOf(here.stack);
  const ports = new Set<number>();
  const made: [ServiceName, Way][] = [];
  for (const name of serviceNames) {
    const port = await freePort(ports);
    ports.add(port);
    made.push([name, new Way(told[variables[name]] as string, port)]);
  }
  ways = Object.fromEntries(made) as Record<ServiceName, Way>;
  const env = Object.fromEntries(serviceNames.map((name) => [variables[name], ways[name].address]));
  tenant = await Tenant.open(here);
  [gateway, processor] = await Promise.all([
    LoneService.start('gateway', { ...env, GATEWAY_PROCESSES: String(workers) }),
    LoneService.start('processor', env),
  ]);
});
afterAll(async () => {
  // A killed processor would own its partitions until its session ends, and nobody's writes there be answered.
  await Promise.all([gateway, processor].map((service) => service.stop()));
  for (const way of Object.values(ways)) way.close();
  await tenant.close();
});

function workersOf(primary: LoneService): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pids = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pids.filter(([, parent]) => parent === primary.process.pid).map(([pid]) => pid as number);
}

async function untilMissing(service: LoneService, url: string, missing: readonly string[]): Promise<void> {
  await eventually(async () => {
    const told = await service.readiness(url);
    return told?.status === 503 && JSON.stringify(told.missing) === JSON.stringify([...missing].sort());
  }, 30_000);
}

describe('services started before their backing services', () => {
  test('are there, name all that they wait for, and let nobody in', async () => {
    const all = [...serviceNames, 'service'];
    for (const url of [gateway.operations, gateway.baseUrl]) await untilMissing(gateway, url, all);
    await untilMissing(processor, processor.operations, all);
    expect(await tenant.at(gateway.baseUrl).get('/bounds')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { code: 'unavailable' },
    });
    expect((await fetch(`${gateway.baseUrl}/livez`)).status).toBe(200);
  });

  test('go on waiting as the same processes while one after another comes, and are ready with the last', async () => {
    const before = workersOf(gateway);
    expect(before).toHaveLength(workers);
    const missing = new Set<string>([...serviceNames, 'service']);
    for (const name of ['redis', 'postgres', 'registry'] as const) {
      await ways[name].open();
      missing.delete(name);
      for (const service of [gateway, processor]) await untilMissing(service, service.operations, [...missing]);
    }
    await ways.kafka.open();
    for (const service of [gateway, processor]) await service.untilReady();
    expect(workersOf(gateway)).toEqual(before);
    expect(processor.isRunning()).toBe(true);
    expect((await tenant.at(gateway.baseUrl).put('/clients/early', { actor: 'me', basis: 'early' })).status).toBe(201);
  });

  test('name what goes away later on both ports of a gateway with several workers, until it is back', async () => {
    ways.redis.close();
    for (const url of [gateway.operations, gateway.baseUrl]) await untilMissing(gateway, url, ['redis']);
    await ways.redis.open();
    for (const service of [gateway, processor]) await service.untilReady();
  });
});
