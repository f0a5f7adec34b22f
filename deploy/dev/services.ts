/** Starts the services on top of the backing services, each as a process recorded in a folder. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import type { BackingServiceAddresses } from './backing-services.ts';
import { type LogLine, projectDir } from './dev-files.ts';
import { freePort } from './ports.ts';
import {
  describeLog,
  isRunning,
  type ProcessSpec,
  requireProcess,
  restartProcess,
  sendSignal,
  startProcess,
  waitForExit,
} from './process-control.ts';

export const serviceNames = ['processor', 'gateway', 'console'] as const;
export type ServiceName = (typeof serviceNames)[number];

export type RunningServices = {
  readonly dir: string;
  readonly baseUrl: string;
  /** Where people open the console. */
  readonly consoleUrl: string;
  /** Where each service serves its health and its metrics. */
  readonly operations: Readonly<Record<ServiceName, string>>;
};

export type ServicesOptions = {
  readonly dir: string;
  readonly backingServices: BackingServiceAddresses;
  /** The port of the API; a free one where it is left out. */
  readonly port?: number;
  /** The port of the console; a free one where it is left out. */
  readonly consolePort?: number;
  readonly log: LogLine;
};

/** Long, for a machine that is busy: a service that exits is reported at once. */
const readyTimeoutMs = 240_000;

export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const { dir, backingServices, log } = options;
  const ports = await choosePorts(options);
  for (const name of serviceNames) {
    startProcess(dir, serviceProcess(name, { ...serviceEnvironment(backingServices), ...portVariables(name, ports) }));
  }
  const services: RunningServices = {
    dir,
    baseUrl: `http://127.0.0.1:${ports.api}`,
    consoleUrl: `http://127.0.0.1:${ports.callersOfConsole}`,
    operations: {
      processor: `http://127.0.0.1:${ports.processor}`,
      gateway: `http://127.0.0.1:${ports.gateway}`,
      console: `http://127.0.0.1:${ports.console}`,
    },
  };
  await Promise.all(serviceNames.map((name) => untilReady(services, name)));
  log(`${new Intl.ListFormat('en-GB').format(serviceNames)} are ready`);
  return services;
}

/** SIGKILL; resolves when the process has exited. */
export async function killService(services: RunningServices, name: ServiceName): Promise<void> {
  const entry = requireProcess(services.dir, name);
  sendSignal(entry, 'SIGKILL');
  await waitForExit(entry, readyTimeoutMs);
}

/** Restarts a killed service on the same ports; resolves when it is ready. */
export async function startService(services: RunningServices, name: ServiceName): Promise<void> {
  await restartProcess(services.dir, requireProcess(services.dir, name));
  await untilReady(services, name);
}

export function readinessUrl(services: RunningServices, name: ServiceName): string {
  return name === 'gateway' ? `${services.baseUrl}/readyz` : `${services.operations[name]}/readyz`;
}

export function serviceEnvironment(addresses: BackingServiceAddresses): Record<string, string> {
  return {
    KAFKA_BROKERS: addresses.kafkaBrokers,
    SCHEMA_REGISTRY_URL: addresses.schemaRegistryUrl,
    DATABASE_URL: addresses.servicesDatabaseUrl,
    PARTITION_DATABASE_URLS: namedUrls(addresses, ({ servicesUrl }) => servicesUrl),
    REDIS_URL: addresses.redisUrl,
    // The environment of the start may hold it; a service must not.
    DATABASE_OWNER_URL: '',
  };
}

/** The environment of a person at the command line, who also prepares the cell. */
export function operatorEnvironment(addresses: BackingServiceAddresses): Record<string, string> {
  return {
    ...serviceEnvironment(addresses),
    DATABASE_OWNER_URL: addresses.databaseUrl,
    PARTITION_DATABASE_OWNER_URLS: namedUrls(addresses, ({ ownerUrl }) => ownerUrl),
  };
}

function namedUrls(
  { partitionDatabases }: BackingServiceAddresses,
  urlOf: (database: OwnedDatabase) => string,
): string {
  return [...(partitionDatabases ?? [])].map(([name, database]) => `${name}=${urlOf(database)}`).join(' ');
}

export const nodeOptions = [
  // A batch is garbage once it is committed: with room for several batches, few of their objects are ever copied.
  '--max-semi-space-size=64',
];

/**
 * Without it V8 walks all cached books whenever unreleased buffers have grown by 64 MiB: every ten seconds at full
 * load. The pinned Node knows the option; another one may refuse to start.
 */
export const processorOptions = ['--external-memory-accounted-in-global-limit'];

export function serviceProcess(name: ServiceName, env: Record<string, string>): ProcessSpec {
  const options = [...nodeOptions, ...(name === 'processor' ? processorOptions : [])];
  return {
    name,
    command: process.execPath,
    args: [...options, join(projectDir, 'services', name, 'main.ts')],
    cwd: projectDir,
    env,
    tier: 1,
    // Longer than the three seconds that a request may wait for its verdict.
    stopTimeoutMs: 6_000,
  };
}

type Ports = Readonly<Record<'api' | 'callersOfConsole' | ServiceName, number>>;

async function choosePorts({ port, consolePort }: Pick<ServicesOptions, 'port' | 'consolePort'>): Promise<Ports> {
  const taken = new Set([port, consolePort].filter((each) => each !== undefined));
  const nextPort = async (): Promise<number> => {
    const chosen = await freePort(taken);
    taken.add(chosen);
    return chosen;
  };
  return {
    api: port ?? (await nextPort()),
    callersOfConsole: consolePort ?? (await nextPort()),
    gateway: await nextPort(),
    processor: await nextPort(),
    console: await nextPort(),
  };
}

function portVariables(name: ServiceName, ports: Ports): Record<string, string> {
  const operations = { METRICS_PORT: String(ports[name]) };
  if (name === 'gateway') return { PORT: String(ports.api), ...operations };
  if (name === 'console') return { CONSOLE_PORT: String(ports.callersOfConsole), ...operations };
  return operations;
}

async function untilReady(services: RunningServices, name: ServiceName): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const response = await fetch(readinessUrl(services, name)).catch(() => undefined);
    if (response?.status === 200) return;
    if (!isRunning(requireProcess(services.dir, name))) {
      throw new Error(`${name} exited before it was ready; ${describeLog(services.dir, name)}`);
    }
    if (Date.now() > deadline) {
      const answer = (await response?.text()) ?? 'no answer';
      throw new Error(
        `${name} was not ready within ${readyTimeoutMs / 1000} s: ${answer}; ${describeLog(services.dir, name)}`,
      );
    }
    await sleep(50);
  }
}
