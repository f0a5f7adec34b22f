/** Ports, passwords and addresses of a folder. The next start in the folder uses the same ones. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions } from 'node:net';
import { join } from 'node:path';
import { type Environment, optional, portSetting, readConfig } from '#libs/runtime/config.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { readJsonFile } from './dev-files.ts';
import type { BackingServiceName } from './environment.ts';

// Below the range that systems use for outgoing connections: a broker that is killed and restarted must find its port
// free, and a client that dials a dead port inside that range can connect to itself.
const minPort = 15_000;
const maxPort = 30_000;

/** A port on which nothing listens, other than the given ones. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const candidate = minPort + Math.floor(Math.random() * (maxPort - minPort));
    if (!taken.has(candidate) && (await isFree(candidate))) return candidate;
  }
  throw new Error(`no free port between ${minPort} and ${maxPort}`);
}

/** Free on all addresses and on the loopback address: not every system reports the one for the other. */
export async function isFree(candidate: number): Promise<boolean> {
  return (await canListen({ port: candidate })) && (await canListen({ port: candidate, host: '127.0.0.1' }));
}

function canListen(options: ListenOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(options, () => server.close(() => resolve(true)));
  });
}

export interface ChosenPort {
  readonly port: number;
  /** What listens on it, and the variable that chooses it. */
  readonly what: string;
  readonly variable: string;
  /** The usual port, where that was in use. */
  readonly busy?: number;
}

/** The port of the API: PORT where it is set (0 for any free one), else 8080 or a free one. */
export function chooseHttpPort(env: Environment): Promise<ChosenPort> {
  return choosePort(env, { what: 'the API', variable: 'PORT', usual: 8080 });
}

/** The port of the console, in the same way: CONSOLE_PORT, else 8090 or a free one. Not one of those taken. */
export function chooseConsolePort(env: Environment, taken: ReadonlySet<number>): Promise<ChosenPort> {
  return choosePort(env, { what: 'the console', variable: 'CONSOLE_PORT', usual: 8090 }, taken);
}

async function choosePort(
  env: Environment,
  { what, variable, usual }: { readonly what: string; readonly variable: string; readonly usual: number },
  taken: ReadonlySet<number> = new Set(),
): Promise<ChosenPort> {
  const { requested } = readConfig(env, { requested: optional(portSetting(variable, 0)) });
  if (requested === undefined) {
    if (!taken.has(usual) && (await isFree(usual))) return { port: usual, what, variable };
    return { port: await freePort(taken), what, variable, busy: usual };
  }
  if (requested === 0) return { port: await freePort(taken), what, variable };
  if (!(await isFree(requested))) {
    throw new Error(
      `${variable} is ${requested}, which is in use or not permitted; set another one, or 0 for any free port`,
    );
  }
  return { port: requested, what, variable };
}

/** The ports of the last start where they are still free. */
export async function portsFor<Name extends string>(
  dir: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const file = join(dir, 'ports.json');
  const previous = readJsonFile<Record<string, number>>(file) ?? {};
  const ports = { ...previous };
  const taken = new Set(Object.values(previous));
  for (const name of names) {
    const last = previous[name];
    const chosen = last !== undefined && (await isFree(last)) ? last : await freePort(taken);
    ports[name] = chosen;
    taken.add(chosen);
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, JSON.stringify(ports));
  return ports as Record<Name, number>;
}

/** By service, its address on a port of this machine. Apicurio serves the Confluent API under its path. */
export const localAddresses: Readonly<Record<BackingServiceName, (dir: string, port: number) => string>> = {
  kafka: (_dir, port) => `127.0.0.1:${port}`,
  registry: (_dir, port) => `http://127.0.0.1:${port}/apis/ccompat/v7`,
  postgres: (dir, port) => `postgres://lending:${ownerPassword(dir)}@127.0.0.1:${port}/lending`,
  redis: (_dir, port) => `redis://127.0.0.1:${port}`,
};

/** The password of the database's owner. */
export function ownerPassword(dir: string): string {
  return passwordIn(dir, 'postgres-password');
}

/** The address with which services log in to a Postgres of ours; `prepare` creates the login. */
export function servicesUrlIn(dir: string, ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = 'lending_services';
  url.password = passwordIn(dir, 'services-password');
  return url.href;
}

/** Random, because every local user can reach a port of this machine. */
function passwordIn(dir: string, name: string): string {
  const file = join(dir, name);
  if (!existsSync(file)) writePrivateFile(file, randomBytes(18).toString('base64url'));
  return readFileSync(file, 'utf8');
}
