/** Backing services from deploy/compose.yaml, where a Docker engine answers. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { type LogLine, projectDir, readJsonFile } from './dev-files.ts';
import { type BackingServiceName, backingServiceNames, type ServiceAddresses } from './environment.ts';
import { localAddresses, ownerPassword, portsFor } from './ports.ts';

const run = promisify(execFile);

/** Both start the same file. testcontainers removes containers even when the test run is killed; compose keeps the data. */
export type ContainerTool = 'compose' | 'testcontainers';

const composeDir = join(projectDir, 'deploy');

export async function startContainers(
  tool: ContainerTool,
  dir: string,
  names: readonly BackingServiceName[],
  log: LogLine,
): Promise<ServiceAddresses> {
  const password = ownerPassword(dir);
  // One project per folder, so that two checkouts do not share a database, and per password, because the volumes of a
  // removed folder do not accept a new one.
  const project = `lending-${createHash('sha256').update(`${dir}\n${password}`).digest('hex').slice(0, 8)}`;
  // The registry's container needs the one of Postgres in any case.
  const ports = await portsFor(dir, backingServiceNames);
  const env = {
    LENDING_STACK: project,
    KAFKA_PORT: String(ports.kafka),
    REGISTRY_PORT: String(ports.registry),
    POSTGRES_PORT: String(ports.postgres),
    REDIS_PORT: String(ports.redis),
    POSTGRES_PASSWORD: password,
  };
  log(`starting containers ${names.join(', ')} (project ${project})`);
  // Recorded before the first one runs, so that an interrupted start can be cleaned up.
  writePrivateFile(recordFile(dir), JSON.stringify({ project, tool } satisfies ContainerRecord));
  await (tool === 'compose' ? startWithCompose(env, names) : startWithTestcontainers(project, env, names));
  return Object.fromEntries(names.map((name) => [name, localAddresses[name](dir, ports[name])]));
}

async function startWithCompose(env: Record<string, string>, names: readonly BackingServiceName[]): Promise<void> {
  const args = ['compose', '-f', join(composeDir, 'compose.yaml'), 'up', '-d', ...names];
  await run('docker', args, { env: { ...process.env, ...env } }).catch((cause: Error) => {
    throw new Error(
      `a Docker engine answers, but docker compose (version 2 expected) failed to start ${names.join(', ')}: ${cause.message.trim()}`,
    );
  });
}

async function startWithTestcontainers(
  project: string,
  env: Record<string, string>,
  names: readonly BackingServiceName[],
): Promise<void> {
  // A development dependency: a start without tests does not need it.
  const { DockerComposeEnvironment } = await import('testcontainers');
  await new DockerComposeEnvironment(composeDir, 'compose.yaml')
    .withProjectName(project)
    .withEnvironment(env)
    .up([...names]);
}

interface ContainerRecord {
  readonly project: string;
  readonly tool: ContainerTool;
}

/** Does nothing where no containers are recorded. */
export async function stopContainers(dir: string): Promise<void> {
  const record = readRecord(dir);
  if (record === undefined) return;
  // Development keeps its data for the next start; a test run does not.
  const command = record.tool === 'compose' ? ['stop', '-t', '5'] : ['down', '-v', '-t', '5'];
  await runCompose(dir, ...command);
  rmSync(recordFile(dir), { force: true });
}

/** A docker compose command for the containers of a folder. */
export async function runCompose(dir: string, ...command: readonly string[]): Promise<void> {
  await run('docker', composeArgs(dir, command));
}

export function runComposeSync(dir: string, ...command: readonly string[]): void {
  execFileSync('docker', composeArgs(dir, command), { stdio: 'pipe' });
}

function composeArgs(dir: string, command: readonly string[]): string[] {
  const record = readRecord(dir);
  if (record === undefined) throw new Error(`no containers are recorded in ${recordFile(dir)}; start them first`);
  return ['compose', '-p', record.project, ...command];
}

function readRecord(dir: string): ContainerRecord | undefined {
  return readJsonFile(recordFile(dir));
}

function recordFile(dir: string): string {
  return join(dir, 'containers.json');
}

/** Pings the engine itself: a docker command without a running engine is common. */
export function isDockerRunning(host: string | undefined = process.env['DOCKER_HOST']): Promise<boolean> {
  const url = host === undefined || host === '' ? 'unix:///var/run/docker.sock' : host;
  const target = url.startsWith('unix://')
    ? { socketPath: url.slice('unix://'.length) }
    : { host: new URL(url).hostname, port: new URL(url).port };
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
