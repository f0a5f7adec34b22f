/**
 * The four backing services, each taken from the environment where it is named there, else from containers where an
 * engine answers, else run from packages under the stack's folder.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Containers, engineAnswers, upContainers } from './containers.ts';
import { type Custody, takeCustody } from './custody.ts';
import { removeAbroad } from './embedded/reachable.ts';
import { type Embedded, embed } from './embedded.ts';
import { fromEnvironment, ownerVariable, variables } from './environment.ts';
import { projectDir, type Say } from './install.ts';
import { lastWords } from './last-words.ts';
import { ownerOf } from './owner.ts';
import { probes, type ServiceName, serviceNames } from './probes.ts';
import { entryOf, isAlive, pidsIn } from './processes.ts';
import { servicesUrlIn } from './services-login.ts';
import { switches } from './switches.ts';

export type Way = 'environment' | 'containers' | 'embedded';

export type StackFacts = {
  readonly dir: string;
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the database, who may make roles. */
  readonly databaseUrl: string;
  /** Logs in as the services do; there once the cell was prepared. */
  readonly servicesDatabaseUrl: string;
  readonly redisUrl: string;
  readonly took: Readonly<Record<ServiceName, Way>>;
};

export type Stack = StackFacts & {
  /** Name to pid of what runs in the folder now, services of the house included. */
  readonly processes: Readonly<Record<string, number>>;
  /** False where another starter's stack was found running: then `stop` leaves it alone. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
  /** kill -9; it stays dead until `start`, unless its starter revives. */
  kill(name: ServiceName): Promise<void>;
  /** Starts a killed service again on the same port and data, and waits until it answers. */
  start(name: ServiceName): Promise<void>;
  /** SIGSTOP and SIGCONT, or what an engine has for it: a service that is there and does not answer. */
  pause(name: ServiceName): void;
  resume(name: ServiceName): void;
};

export type StackOptions = {
  /** Where data, logs and the table of processes live. */
  readonly dir?: string;
  readonly say?: Say;
  /** Start again by itself what dies: for a stack that is lived with. Tests leave it out and say themselves when. */
  readonly revive?: boolean;
  /** It will work for minutes and more: what pays off only then is switched on. */
  readonly lasting?: boolean;
  /** testcontainers cleans up after a test run that died; `docker compose` keeps its volumes for the next start. */
  readonly containers?: Containers;
};

export const developmentDir = join(projectDir, '.data', 'stack');
/** What `npm run stack` writes for whoever reads addresses from a file. */
export const addressesFile = join(projectDir, '.data', 'stack.json');
const readyWithinMs = 60_000;

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dir = resolve(options.dir ?? developmentDir);
  const say = options.say ?? (() => undefined);
  for (;;) {
    const custody = await takeCustody(dir, say, tellsOf(dir));
    if (custody !== undefined) return begin(custody, say, options);
    say('a stack runs in this folder already, or is being started');
    const standing = await untilStands(dir);
    if (standing !== undefined) return sameAsTold(standing);
  }
}

async function begin(custody: Custody, say: Say, options: StackOptions): Promise<Stack> {
  const { dir } = custody;
  try {
    const facts = await bringUp(dir, say, options);
    if (options.revive === true) custody.revive(say);
    return handle(facts, () => custody.end());
  } catch (cause) {
    await custody.end();
    throw cause;
  }
}

/** All that a stopped stack left, for one that was made for one run; another starter's stays. */
export function removeStack({ dir, isOurs }: Stack): void {
  if (!isOurs) return;
  removeAbroad(dir);
  rmSync(dir, { recursive: true, force: true });
}

/** The stack that another process started in this folder; its `stop` leaves it alone. */
export function attachStack(dir: string): Stack {
  return handle(JSON.parse(readFileSync(factsFile(resolve(dir)), 'utf8')) as StackFacts);
}

/** Whoever names a service in the environment means that one, not the one that happens to run. */
function sameAsTold(stack: Stack): Stack {
  const named = serviceNames.map((name) => [variables[name], addressToServices(stack, name)] as const);
  for (const [variable, address] of [...named, [ownerVariable, stack.databaseUrl] as const]) {
    const told = process.env[variable];
    if (told !== undefined && told !== '' && told !== address) {
      throw new Error(`the stack that runs in this folder is another than ${variable} names`);
    }
  }
  return stack;
}

/** For as long as whoever starts it lives: a first start may fetch for minutes. Undefined where it ended before. */
async function untilStands(dir: string): Promise<Stack | undefined> {
  for (;;) {
    if (existsSync(factsFile(dir))) return attachStack(dir);
    const owner = ownerOf(dir);
    if (owner === undefined || !isAlive(owner)) return undefined;
    await sleep(100);
  }
}

async function bringUp(
  dir: string,
  say: Say,
  { containers = 'compose', lasting = false }: StackOptions,
): Promise<StackFacts> {
  const given = await fromEnvironment(process.env);
  const rest = serviceNames.filter((name) => given[name] === undefined);
  const way: Way = rest.length > 0 && (await engineAnswers()) ? 'containers' : 'embedded';
  const addresses = await (way === 'containers'
    ? upContainers(containers, dir, rest, say)
    : embed(dir, rest, say, lasting));
  const all: Embedded = { ...given, ...addresses };
  await Promise.all(rest.map((name) => untilReady(dir, name, addressOf(all, name), way)));
  const facts: StackFacts = {
    dir,
    kafkaBrokers: addressOf(all, 'kafka'),
    schemaRegistryUrl: addressOf(all, 'registry'),
    databaseUrl: addressOf(all, 'postgres'),
    servicesDatabaseUrl: servicesAddress(
      dir,
      addressOf(all, 'postgres'),
      rest.includes('postgres') ? way : 'environment',
    ),
    redisUrl: addressOf(all, 'redis'),
    took: Object.fromEntries(
      serviceNames.map((name) => [name, rest.includes(name) ? way : 'environment']),
    ) as StackFacts['took'],
  };
  for (const name of serviceNames) say(`${name}: ${facts.took[name]}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${factsFile(dir)}.new`, JSON.stringify(facts, null, 2), { mode: 0o600 });
  renameSync(`${factsFile(dir)}.new`, factsFile(dir));
  return facts;
}

/** In a Postgres of somebody else nobody is let in unasked: there it is what DATABASE_URL says. */
function servicesAddress(dir: string, databaseUrl: string, way: Way): string {
  if (way === 'environment') return process.env[variables.postgres] ?? databaseUrl;
  return servicesUrlIn(dir, databaseUrl);
}

function addressOf(addresses: Embedded, name: ServiceName): string {
  const address = addresses[name];
  if (address === undefined) throw new Error(`no address for ${name}`);
  return address;
}

async function untilReady(dir: string, name: ServiceName, address: string, way: Way): Promise<void> {
  const until = Date.now() + readyWithinMs;
  for (;;) {
    try {
      return await probes[name](address);
    } catch (cause) {
      const entry = entryOf(dir, name);
      const isLate = Date.now() > until;
      const hasEnded = entry !== undefined && !isAlive(entry);
      if (hasEnded || isLate) {
        const what = hasEnded ? 'ended before it was ready' : `was not ready within ${readyWithinMs / 1000} s`;
        throw new Error(`${name} ${what}${way === 'embedded' ? `; ${lastWords(dir, name)}` : ''}`, { cause });
      }
      await sleep(50);
    }
  }
}

function handle(facts: StackFacts, stop?: () => Promise<void>): Stack {
  const { dir } = facts;
  const switchesOf = (name: ServiceName) => {
    const way = facts.took[name];
    if (way === 'environment') throw new Error(`${name} is not ours to stop or start: it was taken from the ${way}`);
    return switches[way];
  };
  return {
    ...facts,
    get processes() {
      return pidsIn(dir);
    },
    isOurs: stop !== undefined,
    stop: stop ?? (async () => undefined),
    kill: async (name) => switchesOf(name).kill(dir, name),
    async start(name) {
      await switchesOf(name).start(dir, name);
      await untilReady(dir, name, addressIn(facts, name), facts.took[name]);
    },
    pause: (name) => switchesOf(name).pause(dir, name),
    resume: (name) => switchesOf(name).resume(dir, name),
  };
}

function addressIn(facts: StackFacts, name: ServiceName): string {
  return {
    kafka: facts.kafkaBrokers,
    registry: facts.schemaRegistryUrl,
    postgres: facts.databaseUrl,
    redis: facts.redisUrl,
  }[name];
}

function addressToServices(facts: StackFacts, name: ServiceName): string {
  return name === 'postgres' ? facts.servicesDatabaseUrl : addressIn(facts, name);
}

function tellsOf(dir: string): string[] {
  return dir === developmentDir ? [factsFile(dir), addressesFile] : [factsFile(dir)];
}

function factsFile(dir: string): string {
  return join(dir, 'stack.json');
}
