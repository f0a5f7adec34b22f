/** The services on top of a stack, each a process of its own in a folder of processes. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgain } from '#deploy/stack/custody.ts';
import { projectDir, type Say } from '#deploy/stack/install.ts';
import { lastWords } from '#deploy/stack/last-words.ts';
import { freePort } from '#deploy/stack/ports.ts';
import { type Entry, entryOf, isAlive, isGone, type Launch, launch, signal } from '#deploy/stack/processes.ts';
import type { StackFacts } from '#deploy/stack/stack.ts';

export const houseServices = ['processor', 'gateway'] as const;
export type HouseService = (typeof houseServices)[number];

export type HouseFacts = {
  readonly dir: string;
  readonly baseUrl: string;
  /** Where each tells its health and its figures. */
  readonly operations: Readonly<Record<HouseService, string>>;
};

export type HouseOptions = {
  readonly dir: string;
  readonly stack: StackFacts;
  /** The port callers come to; a free one where it is left out. */
  readonly port?: number;
  readonly say: Say;
};

const readyWithinMs = 60_000;

export async function startServices({ dir, stack, port, say }: HouseOptions): Promise<HouseFacts> {
  const ports = await choosePorts(port);
  for (const name of houseServices) {
    launch(dir, serviceLaunch(name, { ...environmentOf(stack), ...portsOf(name, ports) }));
  }
  const facts: HouseFacts = {
    dir,
    baseUrl: `http://127.0.0.1:${ports.callers}`,
    operations: {
      processor: `http://127.0.0.1:${ports.processor}`,
      gateway: `http://127.0.0.1:${ports.gateway}`,
    },
  };
  await Promise.all(houseServices.map((name) => untilReady(facts, name)));
  for (const name of houseServices) say(`${name} is ready; its health and figures are at ${facts.operations[name]}`);
  return facts;
}

/** SIGKILL, and gone when it resolves. */
export async function killService(facts: HouseFacts, name: HouseService): Promise<void> {
  const entry = mustEntry(facts.dir, name);
  signal(entry, 'SIGKILL');
  await isGone(entry, readyWithinMs);
}

/** The same service with the same ports, ready when it resolves. */
export async function startService(facts: HouseFacts, name: HouseService): Promise<void> {
  await startAgain(facts.dir, mustEntry(facts.dir, name));
  await untilReady(facts, name);
}

export function readinessUrl(facts: HouseFacts, name: HouseService): string {
  return name === 'gateway' ? `${facts.baseUrl}/readyz` : `${facts.operations[name]}/readyz`;
}

export function mustEntry(dir: string, name: string): Entry {
  const entry = entryOf(dir, name);
  if (entry === undefined) throw new Error(`${name} was not started here`);
  return entry;
}

export function environmentOf(stack: StackFacts): Record<string, string> {
  return {
    KAFKA_BROKERS: stack.kafkaBrokers,
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
    DATABASE_URL: stack.servicesDatabaseUrl,
    REDIS_URL: stack.redisUrl,
    // Whoever starts a service may have it in their environment; the service has no use for it.
    DATABASE_OWNER_URL: '',
  };
}

/** What a person at the command line works with, who also prepares the cell. */
export function operatorsEnvironmentOf(stack: StackFacts): Record<string, string> {
  return { ...environmentOf(stack), DATABASE_OWNER_URL: stack.databaseUrl };
}

export const nodeOptions = [
  '--disable-warning=TimeoutNegativeWarning',
  // A batch is garbage when it is committed: with room for some of them at a time, little of it is ever copied.
  '--max-semi-space-size=64',
];

/**
 * Hot books are many things to walk through, and V8 does so whenever the buffers that are not let go of yet have grown by 64 MiB:
 * at full load every ten seconds. Counted together with the heap, they make it walk when the heap has grown. It is an option
 * of the Node that is pinned: one that does not know it says so and does not start.
 */
const processorOptions = ['--external-memory-accounted-in-global-limit'];

export function serviceLaunch(name: HouseService, env: Record<string, string>): Launch {
  return {
    name,
    command: process.execPath,
    args: [
      ...nodeOptions,
      ...(name === 'processor' ? processorOptions : []),
      join(projectDir, 'services', name, 'main.ts'),
    ],
    cwd: projectDir,
    env,
    tier: 1,
    // What is under way is finished first; the patience of a caller ends after three seconds.
    patienceMs: 6_000,
  };
}

type Ports = { readonly callers: number; readonly gateway: number; readonly processor: number };

async function choosePorts(told: number | undefined): Promise<Ports> {
  const callers = told ?? (await freePort());
  const gateway = await freePort(new Set([callers]));
  return { callers, gateway, processor: await freePort(new Set([callers, gateway])) };
}

function portsOf(name: HouseService, ports: Ports): Record<string, string> {
  if (name === 'gateway') return { PORT: String(ports.callers), METRICS_PORT: String(ports.gateway) };
  return { METRICS_PORT: String(ports[name]) };
}

async function untilReady(facts: HouseFacts, name: HouseService): Promise<void> {
  const until = Date.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(readinessUrl(facts, name)).catch(() => undefined);
    if (answer?.status === 200) return;
    if (!isAlive(mustEntry(facts.dir, name))) {
      throw new Error(`${name} ended before it was ready; ${lastWords(facts.dir, name)}`);
    }
    if (Date.now() > until) {
      throw new Error(
        `${name} was not ready within ${readyWithinMs / 1000} s: ${(await answer?.text()) ?? 'no answer'}; ${lastWords(facts.dir, name)}`,
      );
    }
    await sleep(50);
  }
}
