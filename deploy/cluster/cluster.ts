/**
 * The production topology on one machine: three brokers, two Postgres servers with automatic failover, Redis with a
 * replica, the registry, two gateways and two processors, all over TLS.
 */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { type LogLine, projectDir, testPartitions } from '../dev/dev-files.ts';
import { describeLog, type ProcessSpec, sendSignal, startProcess, waitForExit } from '../dev/process-control.ts';
import { Supervisor } from '../dev/process-supervisor.ts';
import { nodeOptions } from '../dev/services.ts';
import { cellEnvironment, gatewayUrls, readinessUrl, serviceSpec } from './cluster-services.ts';
import { getJson } from './json-over-tls.ts';
import { adminKafka, createAcls, prepareBroker } from './kafka-brokers.ts';
import {
  brokerNames,
  type ClusterLayout,
  type ClusterServiceName,
  openLayout,
  postgresNames,
  redisNames,
  serviceNames,
} from './layout.ts';
import { createDatabase, findPostmaster, prepareEtcd, preparePatroni } from './postgres-pair.ts';
import { installPrograms } from './programs.ts';
import { proxyConfiguration } from './proxy-routes.ts';
import { prepareRedis } from './redis-pair.ts';
import { prepareRegistry } from './registry.ts';

const run = promisify(execFile);
const readyTimeoutMs = 120_000;
const pollMs = 200;

export type Cluster = {
  readonly layout: ClusterLayout;
  readonly gatewayUrls: readonly string[];
  /** The checkout whose services run. */
  readonly tree: string;
  readonly supervisor: Supervisor;
  stop(): Promise<void>;
};

export type ClusterOptions = {
  readonly dir: string;
  readonly log: LogLine;
  readonly tree?: string;
};

/** Throws a MissingPartError where this machine lacks a part that cannot be installed. */
export async function startCluster({ dir, log, tree = projectDir }: ClusterOptions): Promise<Cluster> {
  const programs = await installPrograms(log);
  const supervisor = await Supervisor.acquire(dir, log);
  if (supervisor === undefined) throw new Error(`another process runs the cluster in ${dir}; stop it first`);
  const layout = await openLayout(dir, programs, resolve(tree) !== projectDir);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await stopPostmasters(layout);
  };
  try {
    await stopPostmasters(layout);
    await startBackingServices(layout, log);
    await prepareCell(layout, resolve(tree), log);
    await Promise.all(serviceNames.map((name) => startService(layout, name, resolve(tree))));
    log('gateways and processors are ready');
    return { layout, gatewayUrls: gatewayUrls(layout), tree: resolve(tree), supervisor, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Stops what an earlier run left behind, and removes its data. */
export async function removeCluster(dir: string, log: LogLine): Promise<void> {
  const supervisor = await Supervisor.acquire(dir, log);
  if (supervisor === undefined) throw new Error(`another process runs the cluster in ${dir}; stop it first`);
  await supervisor.stop();
  await stopPostmasters({ dir });
  rmSync(dir, { recursive: true, force: true });
}

async function startBackingServices(layout: ClusterLayout, log: LogLine): Promise<void> {
  const { dir } = layout;
  const configuration = join(dir, 'proxies.json');
  writePrivateFile(configuration, JSON.stringify(proxyConfiguration(layout)));
  startProcess(dir, proxySpec(configuration));
  const starting = [
    ...brokerNames.map((name) => prepareBroker(layout, name)),
    ...redisNames.map((name) => prepareRedis(layout, name)),
    prepareRegistry(layout),
    prepareEtcd(layout),
    ...postgresNames.map((name) => preparePatroni(layout, name)),
  ].map(async (preparing) => startProcess(dir, await preparing));
  // All settle before a failure is thrown: a process that starts later would not be stopped.
  await Promise.allSettled(starting);
  await Promise.all(starting);
  await Promise.all([untilBrokers(layout, log), untilPostgres(layout, log), untilRegistry(layout, log)]);
}

function proxySpec(configuration: string): ProcessSpec {
  return {
    name: 'proxies',
    command: process.execPath,
    args: [
      '--max-old-space-size=64',
      '--max-semi-space-size=4',
      join(import.meta.dirname, 'proxies.ts'),
      configuration,
    ],
    tier: 0,
  };
}

async function untilBrokers(layout: ClusterLayout, log: LogLine): Promise<void> {
  const kafka = adminKafka(layout);
  await until('three brokers', readyTimeoutMs, async () => {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length === brokerNames.length;
    } finally {
      await admin.disconnect();
    }
  });
  await createAcls(layout);
  log('three Kafka brokers are ready');
}

async function untilPostgres(layout: ClusterLayout, log: LogLine): Promise<void> {
  await until('a primary of Postgres', readyTimeoutMs, async () => {
    await createDatabase(layout);
    return true;
  });
  await untilSynchronousStandby(layout);
  log('Postgres is ready: a primary and a synchronous standby');
}

export async function untilSynchronousStandby(layout: ClusterLayout, timeoutMs = readyTimeoutMs): Promise<void> {
  await until('a synchronous standby', timeoutMs, async () => {
    const { members } = await patroniCluster(layout);
    return members.some(({ role, state }) => role === 'sync_standby' && state === 'streaming');
  });
}

export type PatroniMember = { readonly name: string; readonly role: string; readonly state: string };

/** What Patroni says of both servers; either may be down. */
export async function patroniCluster({ ports, authority }: ClusterLayout): Promise<{ members: PatroniMember[] }> {
  const ca = readFileSync(authority.file);
  const answers = postgresNames.map((name) => getJson(ports[`${name}.patroni`], '/cluster', ca));
  return (await Promise.any(answers)) as { members: PatroniMember[] };
}

async function untilRegistry(layout: ClusterLayout, log: LogLine): Promise<void> {
  await untilRegistryReady(layout);
  log('the schema registry is ready');
}

export async function untilRegistryReady({ ports, authority }: ClusterLayout): Promise<void> {
  const ca = readFileSync(authority.file);
  await until('the schema registry', readyTimeoutMs, async () =>
    Array.isArray(await getJson(ports.registry, '/apis/ccompat/v7/subjects', ca)),
  );
}

/** By the command line of the tree, because another tree has other migrations. */
async function prepareCell(layout: ClusterLayout, tree: string, log: LogLine): Promise<void> {
  // An earlier release may have a fixed number of partitions, and asks nothing.
  const ofThisRelease = tree === projectDir ? ['--partitions', String(testPartitions), '--yes'] : [];
  await runCommand(layout, tree, ['prepare', '--replicas', '3', ...ofThisRelease]);
  log('tables, topics and schemas are ready');
}

/** Runs the command line as an operator and returns its output. */
export async function runCommand(layout: ClusterLayout, tree: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...cellEnvironment(layout, 'operator'), LOG_LEVEL: 'error' };
  const { stdout } = await run(process.execPath, [...nodeOptions, join(tree, 'libs', 'cli', 'main.ts'), ...args], {
    cwd: tree,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

export async function startService(
  layout: ClusterLayout,
  name: ClusterServiceName,
  tree: string,
  env = {},
): Promise<void> {
  const spec = serviceSpec(layout, name, tree);
  startProcess(layout.dir, { ...spec, env: { ...spec.env, ...env } });
  await untilServiceReady(layout, name);
}

export async function untilServiceReady(layout: ClusterLayout, name: ClusterServiceName): Promise<void> {
  await until(name, readyTimeoutMs, async () => (await fetch(readinessUrl(layout, name))).status === 200).catch(
    (cause: unknown) => {
      throw new Error(`${name} is not ready; ${describeLog(layout.dir, name)}`, { cause });
    },
  );
}

/** Postgres outlives a Patroni that was killed. */
async function stopPostmasters(layout: Pick<ClusterLayout, 'dir'>): Promise<void> {
  for (const name of postgresNames) {
    const postmaster = findPostmaster(layout, name);
    if (postmaster === undefined) continue;
    sendSignal(postmaster, 'SIGCONT');
    sendSignal(postmaster, 'SIGINT');
    if (!(await waitForExit(postmaster, 10_000))) sendSignal(postmaster, 'SIGKILL');
    await waitForExit(postmaster, 5_000);
  }
}

/** Resolves once the condition holds; one that throws does not hold yet. */
export async function until(what: string, timeoutMs: number, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let reason: unknown;
  for (;;) {
    const isMet = await condition().catch((cause: unknown) => {
      reason = cause;
      return false;
    });
    if (isMet) return;
    if (performance.now() > deadline) {
      throw new Error(`${what}: not ready within ${timeoutMs / 1000} s`, { cause: reason });
    }
    await sleep(pollMs);
  }
}
