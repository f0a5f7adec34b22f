/** The services from deploy/compose.yaml, where a Docker engine answers. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Embedded } from './embedded.ts';
import { projectDir, type Say } from './install.ts';
import { portsFor } from './ports.ts';
import { type ServiceName, serviceNames } from './probes.ts';
import { ownersPassword } from './secret.ts';

const run = promisify(execFile);

/** Both bring up the same file; testcontainers leaves nothing behind even where the test run is killed. */
export type Containers = 'compose' | 'testcontainers';

const composeDir = join(projectDir, 'deploy');

export async function upContainers(
  kind: Containers,
  dir: string,
  names: readonly ServiceName[],
  say: Say,
): Promise<Embedded> {
  const password = ownersPassword(dir);
  // One project a folder, so that two checkouts on one machine do not share a database; and one a password, which the
  // volumes of a folder that was removed do not know.
  const project = `lending-${createHash('sha256').update(`${dir}\n${password}`).digest('hex').slice(0, 8)}`;
  // The registry's container brings up the one of Postgres in any case.
  const ports = await portsFor(dir, serviceNames);
  const env = {
    LENDING_STACK: project,
    KAFKA_PORT: String(ports.kafka),
    REGISTRY_PORT: String(ports.registry),
    POSTGRES_PORT: String(ports.postgres),
    REDIS_PORT: String(ports.redis),
    POSTGRES_PASSWORD: password,
  };
  say(`starting containers ${names.join(', ')} (project ${project})`);
  // Before the first of them runs: whoever comes after us must know of it, however far we came.
  note(dir, { project, kind });
  await (kind === 'compose' ? byCompose(env, names) : byTestcontainers(project, env, names));
  return Object.fromEntries(names.map((name) => [name, addresses[name](ports[name], password)]));
}

const addresses: Readonly<Record<ServiceName, (port: number, password: string) => string>> = {
  kafka: (port) => `127.0.0.1:${port}`,
  registry: (port) => `http://127.0.0.1:${port}/apis/ccompat/v7`,
  postgres: (port, password) => `postgres://lending:${password}@127.0.0.1:${port}/lending`,
  redis: (port) => `redis://127.0.0.1:${port}`,
};

async function byCompose(env: Record<string, string>, names: readonly ServiceName[]): Promise<void> {
  const args = ['compose', '-f', join(composeDir, 'compose.yaml'), 'up', '-d', ...names];
  await run('docker', args, { env: { ...process.env, ...env } }).catch((cause: Error) => {
    throw new Error(
      `A Docker engine answers, but docker compose (version 2) did not bring up ${names.join(', ')}: ${cause.message.trim()}`,
    );
  });
}

async function byTestcontainers(
  project: string,
  env: Record<string, string>,
  names: readonly ServiceName[],
): Promise<void> {
  // A development dependency: a start without tests never needs it.
  const { DockerComposeEnvironment } = await import('testcontainers');
  await new DockerComposeEnvironment(composeDir, 'compose.yaml')
    .withProjectName(project)
    .withEnvironment(env)
    .up([...names]);
}

interface Noted {
  readonly project: string;
  readonly kind: Containers;
}

/** By the label of their project, so that neither their starter nor its settings are needed. Nothing where none were noted. */
export async function haltContainers(dir: string): Promise<void> {
  const noted = notedIn(dir);
  if (noted === undefined) return;
  // Development keeps its data for the next start; what a test run leaves is of use to nobody.
  const how = noted.kind === 'compose' ? ['stop', '-t', '5'] : ['down', '-v', '-t', '5'];
  await compose(dir, ...how);
  rmSync(fileOf(dir), { force: true });
}

/** A command to the containers of a folder. */
export async function compose(dir: string, ...command: readonly string[]): Promise<void> {
  await run('docker', commandIn(dir, command));
}

/** The same, done when it returns. */
export function composeNow(dir: string, ...command: readonly string[]): void {
  execFileSync('docker', commandIn(dir, command), { stdio: 'pipe' });
}

function commandIn(dir: string, command: readonly string[]): string[] {
  const noted = notedIn(dir);
  if (noted === undefined) throw new Error(`no containers are noted in ${dir}`);
  return ['compose', '-p', noted.project, ...command];
}

function note(dir: string, noted: Noted): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(fileOf(dir), JSON.stringify(noted));
}

function notedIn(dir: string): Noted | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dir), 'utf8')) as Noted;
  } catch {
    return undefined;
  }
}

function fileOf(dir: string): string {
  return join(dir, 'containers.json');
}

/** Asks the engine itself: a docker command without an engine behind it is common. */
export function engineAnswers(host: string | undefined = process.env['DOCKER_HOST']): Promise<boolean> {
  const url = host === undefined || host === '' ? 'unix:///var/run/docker.sock' : host;
  const target = url.startsWith('unix://')
    ? { socketPath: url.slice('unix://'.length) }
    : { host: new URL(url).hostname, port: new URL(url).port };
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
