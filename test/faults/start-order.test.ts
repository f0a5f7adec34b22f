/** Services that are started before their backing services wait, report what is missing, and become ready on their own. */
import { execFileSync } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BackingServiceName, backingServiceNames } from '#deploy/dev/environment.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';

const variables = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
} as const satisfies Record<BackingServiceName, string>;
const workers = 2;

/** A TCP proxy before a backing service that refuses connections until it is opened. */
class ClosableProxy {
  readonly address: string;
  readonly #port: number;
  readonly #target: number;
  readonly #connections = new Set<Socket>();
  #server: Server | undefined;

  constructor(address: string, port: number) {
    const target = Number(/:(\d+)(?=\/|$)/.exec(address.slice(address.lastIndexOf('@') + 1))?.[1]);
    this.#target = target;
    this.#port = port;
    this.address = this.behindProxy(address);
  }

  /** Addresses of the service, each with the port of the proxy. */
  behindProxy(addresses: string): string {
    return addresses.replaceAll(new RegExp(`:${this.#target}(?=/|$)`, 'g'), `:${this.#port}`);
  }

  open(): Promise<void> {
    const server = createServer((caller) => {
      const service = connect(this.#target, '127.0.0.1');
      caller.pipe(service).pipe(caller);
      this.#connections.add(caller);
      caller.once('close', () => this.#connections.delete(caller));
      for (const [one, other] of [[caller, service] as const, [service, caller] as const]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    this.#server = server;
    return new Promise((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server?.close();
    for (const connection of this.#connections) connection.destroy();
  }
}

let proxies: Record<BackingServiceName, ClosableProxy>;
let gateway: ServiceProcess;
let processor: ServiceProcess;
let tenant: Tenant;
beforeAll(async () => {
  const here = testEnvironment();
  const addresses = serviceEnvironment(here.stack);
  const ports = new Set<number>();
  const entries: [BackingServiceName, ClosableProxy][] = [];
  for (const name of backingServiceNames) {
    const port = await freePort(ports);
    ports.add(port);
    entries.push([name, new ClosableProxy(addresses[variables[name]] as string, port)]);
  }
  proxies = Object.fromEntries(entries) as Record<BackingServiceName, ClosableProxy>;
  const env = {
    ...Object.fromEntries(backingServiceNames.map((name) => [variables[name], proxies[name].address])),
    PARTITION_DATABASE_URLS: proxies.postgres.behindProxy(addresses['PARTITION_DATABASE_URLS'] ?? ''),
  };
  tenant = await Tenant.open(here);
  [gateway, processor] = await Promise.all([
    ServiceProcess.start('gateway', { ...env, GATEWAY_PROCESSES: String(workers) }),
    ServiceProcess.start('processor', env),
  ]);
});
afterAll(async () => {
  // Not killed: a killed processor owns its partitions until its session ends, and writes to them would time out.
  await Promise.all([gateway, processor].map((service) => service.stop()));
  for (const proxy of Object.values(proxies)) proxy.close();
  await tenant.close();
});

function workersOf(primary: ServiceProcess): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pids = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pids.filter(([, parent]) => parent === primary.process.pid).map(([pid]) => pid as number);
}

/** What a service cannot start without. It starts and serves without Redis. */
const neededToStart: readonly BackingServiceName[] = ['kafka', 'registry', 'postgres'];

type MissingNames = { readonly missing: readonly string[]; readonly degraded: readonly string[] };

async function untilReported(service: ServiceProcess, url: string, names: MissingNames): Promise<void> {
  const expected = { status: names.missing.length === 0 ? 200 : 503, ...names };
  const isReported = async () => JSON.stringify(await service.readiness(url)) === JSON.stringify(expected);
  await eventually(isReported);
}

describe('services started before their backing services', () => {
  test('start, report everything they wait for, and answer 503', async () => {
    const all = { missing: [...neededToStart, 'service'].sort(), degraded: ['redis'] };
    for (const url of [gateway.operationsUrl, gateway.baseUrl]) await untilReported(gateway, url, all);
    await untilReported(processor, processor.operationsUrl, all);
    expect(await tenant.at(gateway.baseUrl).get('/bounds')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { code: 'unavailable' },
    });
    expect((await fetch(`${gateway.baseUrl}/livez`)).status).toBe(200);
  });

  test('keep waiting without a restart while backing services appear one by one, and are ready with the last', async () => {
    const before = workersOf(gateway);
    expect(before).toHaveLength(workers);
    const missing = new Set<string>([...neededToStart, 'service']);
    for (const name of ['redis', 'postgres', 'registry'] as const) {
      await proxies[name].open();
      missing.delete(name);
      const names = { missing: [...missing].sort(), degraded: [] };
      for (const service of [gateway, processor]) await untilReported(service, service.operationsUrl, names);
    }
    await proxies.kafka.open();
    for (const service of [gateway, processor]) await service.waitUntilReady();
    expect(workersOf(gateway)).toEqual(before);
    expect(processor.isRunning()).toBe(true);
    expect((await tenant.at(gateway.baseUrl).put('/clients/early', { actor: 'me', basis: 'early' })).status).toBe(201);
  });

  test('report a backing service that disappears later on both ports of a gateway with several workers', async () => {
    const urls = [gateway.operationsUrl, gateway.baseUrl];
    proxies.kafka.close();
    for (const url of urls) await untilReported(gateway, url, { missing: ['kafka'], degraded: [] });
    await proxies.kafka.open();
    for (const service of [gateway, processor]) await service.waitUntilReady();
    proxies.redis.close();
    for (const url of urls) await untilReported(gateway, url, { missing: [], degraded: ['redis'] });
    await proxies.redis.open();
    for (const url of urls) await untilReported(gateway, url, { missing: [], degraded: [] });
  });
});
