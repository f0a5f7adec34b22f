/**
 * Starts Kafka, the schema registry, Postgres and Redis. Each is taken from the environment where it is named there,
 * else from containers where a Docker engine answers, else run from packages.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { type ContainerTool, isDockerRunning, runCompose, runComposeSync, startContainers } from './containers.ts';
import { type LogLine, projectDir } from './dev-files.ts';
import { startEmbedded } from './embedded.ts';
import { removeExternalHome } from './embedded-postgres.ts';
import {
  addressesFromEnvironment,
  addressVariables,
  type BackingServiceName,
  backingServiceNames,
  ownerVariable,
  probes,
  type ServiceAddresses,
} from './environment.ts';
import { servicesUrlIn } from './ports.ts';
import {
  describeLog,
  findProcess,
  isRunning,
  requireProcess,
  restartProcess,
  runningPids,
  sendSignal,
  sendSignalToTree,
} from './process-control.ts';
import { isLockHeld, Supervisor } from './process-supervisor.ts';

export type AddressSource = 'environment' | 'containers' | 'embedded';

export type BackingServiceAddresses = {
  readonly dir: string;
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the database, who may create roles. */
  readonly databaseUrl: string;
  /** Logs in as the services do; the login exists once the cell was prepared. */
  readonly servicesDatabaseUrl: string;
  /** Of further databases, by name. */
  readonly partitionDatabases?: ReadonlyMap<string, OwnedDatabase>;
  readonly redisUrl: string;
  readonly sources: Readonly<Record<BackingServiceName, AddressSource>>;
};

export type BackingServices = BackingServiceAddresses & {
  /** Name to pid of the processes that run in the folder. */
  readonly processes: Readonly<Record<string, number>>;
  /** False where another process started them; then `stop` leaves them running. */
  readonly isOwner: boolean;
  stop(): Promise<void>;
  /** SIGKILL. The service stays down until `start`, unless its supervisor restarts it. */
  kill(name: BackingServiceName): Promise<void>;
  /** Restarts a killed service on the same port and data, and waits until it answers. */
  start(name: BackingServiceName): Promise<void>;
  /** The service keeps its connections and does not answer: SIGSTOP, or docker compose pause. */
  pause(name: BackingServiceName): void;
  resume(name: BackingServiceName): void;
};

export type BackingServicesOptions = {
  /** Holds data, logs and the records of processes. */
  readonly dir?: string;
  readonly log?: LogLine;
  /** Restart a process that exits. Fault tests leave it out and restart it themselves. */
  readonly restartExited?: boolean;
  readonly containerTool?: ContainerTool;
};

const developmentDir = join(projectDir, '.data', 'stack');
/** Written by `npm run stack` for tools that read addresses from a file. */
export const addressesFile = join(projectDir, '.data', 'stack.json');
const readyTimeoutMs = 60_000;

/** Uses the services that already run in the folder where another process started them there. */
export async function startBackingServices(options: BackingServicesOptions = {}): Promise<BackingServices> {
  const dir = resolve(options.dir ?? developmentDir);
  const log = options.log ?? (() => undefined);
  const statusFiles = dir === developmentDir ? [statusFile(dir), addressesFile] : [statusFile(dir)];
  for (;;) {
    const supervisor = await Supervisor.acquire(dir, log, statusFiles);
    if (supervisor !== undefined) return startSupervised(supervisor, log, options);
    log('backing services are running or starting in this folder already; waiting until they are ready');
    const running = await untilStartedByOther(dir);
    if (running !== undefined) return requireSameAddresses(running);
  }
}

async function startSupervised(
  supervisor: Supervisor,
  log: LogLine,
  options: BackingServicesOptions,
): Promise<BackingServices> {
  try {
    const addresses = await startAll(supervisor.dir, log, options);
    if (options.restartExited === true) supervisor.restartExitedProcesses();
    return controlled(addresses, () => supervisor.stop());
  } catch (cause) {
    await supervisor.stop();
    throw cause;
  }
}

/** Deletes all data of stopped services that this process started. */
export function removeBackingServices({ dir, isOwner }: BackingServices): void {
  if (!isOwner) return;
  removeExternalHome(dir);
  rmSync(dir, { recursive: true, force: true });
}

/** The services that another process started in this folder; its `stop` leaves them running. */
export function attachBackingServices(dir: string): BackingServices {
  return controlled(JSON.parse(readFileSync(statusFile(resolve(dir)), 'utf8')) as BackingServiceAddresses);
}

function requireSameAddresses(services: BackingServices): BackingServices {
  const running = [
    ...backingServiceNames.map((name) => [addressVariables[name], servicesAddressOf(services, name)] as const),
    [ownerVariable, services.databaseUrl] as const,
  ];
  for (const [variable, address] of running) {
    const requested = process.env[variable] ?? '';
    if (requested !== '' && requested !== address) {
      throw new Error(
        `${variable} names another service than the one that runs in ${services.dir}; unset it, or stop the running start first`,
      );
    }
  }
  return services;
}

/** Waits as long as the other process runs: a first start may download for minutes. Undefined where it ended before. */
async function untilStartedByOther(dir: string): Promise<BackingServices | undefined> {
  while (!existsSync(statusFile(dir))) {
    if (!isLockHeld(dir)) return undefined;
    await sleep(100);
  }
  return attachBackingServices(dir);
}

async function startAll(
  dir: string,
  log: LogLine,
  { containerTool = 'compose' }: BackingServicesOptions,
): Promise<BackingServiceAddresses> {
  const named = await addressesFromEnvironment(process.env);
  const missing = backingServiceNames.filter((name) => named[name] === undefined);
  const source = missing.length > 0 && (await isDockerRunning()) ? 'containers' : 'embedded';
  const started = await (source === 'containers'
    ? startContainers(containerTool, dir, missing, log)
    : startEmbedded(dir, missing, log));
  const addresses = { ...named, ...started };
  const sourceOf = (name: BackingServiceName): AddressSource => (missing.includes(name) ? source : 'environment');
  await Promise.all(missing.map((name) => untilReady(dir, name, requireAddress(addresses, name), source)));
  const databaseUrl = requireAddress(addresses, 'postgres');
  const status: BackingServiceAddresses = {
    dir,
    kafkaBrokers: requireAddress(addresses, 'kafka'),
    schemaRegistryUrl: requireAddress(addresses, 'registry'),
    databaseUrl,
    // No login is created in a Postgres that the environment names: there DATABASE_URL is the services' login.
    servicesDatabaseUrl:
      sourceOf('postgres') === 'environment'
        ? (process.env[addressVariables.postgres] ?? databaseUrl)
        : servicesUrlIn(dir, databaseUrl),
    redisUrl: requireAddress(addresses, 'redis'),
    sources: {
      kafka: sourceOf('kafka'),
      registry: sourceOf('registry'),
      postgres: sourceOf('postgres'),
      redis: sourceOf('redis'),
    },
  };
  for (const name of backingServiceNames) log(`${name}: ${status.sources[name]}`);
  writePrivateFile(statusFile(dir), JSON.stringify(status, null, 2));
  return status;
}

function requireAddress(addresses: ServiceAddresses, name: BackingServiceName): string {
  const address = addresses[name];
  if (address === undefined) throw new Error(`no address for ${name}`);
  return address;
}

async function untilReady(
  dir: string,
  name: BackingServiceName,
  address: string,
  source: AddressSource,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    try {
      return await probes[name](address);
    } catch (cause) {
      const entry = findProcess(dir, name);
      const hasExited = entry !== undefined && !isRunning(entry);
      if (hasExited || Date.now() > deadline) {
        const failure = hasExited ? 'exited before it was ready' : `was not ready within ${readyTimeoutMs / 1000} s`;
        throw new Error(`${name} ${failure}${source === 'embedded' ? `; ${describeLog(dir, name)}` : ''}`, { cause });
      }
      await sleep(50);
    }
  }
}

type Controls = Pick<BackingServices, 'kill' | 'start' | 'pause' | 'resume'>;

/** How each kind of service is killed and restarted, from any process, by what its folder records. */
const controls: Readonly<Record<'containers' | 'embedded', (dir: string) => Controls>> = {
  containers: (dir) => ({
    kill: (name) => runCompose(dir, 'kill', '-s', 'KILL', name),
    start: (name) => runCompose(dir, 'start', name),
    pause: (name) => runComposeSync(dir, 'pause', name),
    resume: (name) => runComposeSync(dir, 'unpause', name),
  }),
  embedded: (dir) => ({
    async kill(name) {
      const entry = requireProcess(dir, name);
      sendSignal(entry, 'SIGKILL');
      while (isRunning(entry)) await sleep(5);
    },
    start: (name) => restartProcess(dir, requireProcess(dir, name)),
    pause: (name) => sendSignalToTree(requireProcess(dir, name), 'SIGSTOP'),
    resume: (name) => sendSignalToTree(requireProcess(dir, name), 'SIGCONT'),
  }),
};

function controlled(addresses: BackingServiceAddresses, stop?: () => Promise<void>): BackingServices {
  const { dir, sources } = addresses;
  const controlsOf = (name: BackingServiceName): Controls => {
    const source = sources[name];
    if (source === 'environment') {
      throw new Error(`cannot stop or start ${name}: ${addressVariables[name]} names it, and it was not started here`);
    }
    return controls[source](dir);
  };
  return {
    ...addresses,
    get processes() {
      return runningPids(dir);
    },
    isOwner: stop !== undefined,
    stop: stop ?? (async () => undefined),
    kill: async (name) => controlsOf(name).kill(name),
    async start(name) {
      await controlsOf(name).start(name);
      await untilReady(dir, name, addressOf(addresses, name), sources[name]);
    },
    pause: (name) => controlsOf(name).pause(name),
    resume: (name) => controlsOf(name).resume(name),
  };
}

function addressOf(addresses: BackingServiceAddresses, name: BackingServiceName): string {
  return {
    kafka: addresses.kafkaBrokers,
    registry: addresses.schemaRegistryUrl,
    postgres: addresses.databaseUrl,
    redis: addresses.redisUrl,
  }[name];
}

function servicesAddressOf(addresses: BackingServiceAddresses, name: BackingServiceName): string {
  return name === 'postgres' ? addresses.servicesDatabaseUrl : addressOf(addresses, name);
}

function statusFile(dir: string): string {
  return join(dir, 'stack.json');
}
