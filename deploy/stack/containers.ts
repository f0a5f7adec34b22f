/** The services from deploy/compose.yaml, where a Docker engine answers. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Embedded } from './embedded.ts';
import { projectDir, type Say } from './install.ts';
import { freePort } from './ports.ts';
import type { ServiceName } from './probes.ts';

const run = promisify(execFile);

/** Both bring up the same file; testcontainers leaves nothing behind even where the test run is killed. */
export type Containers = 'compose' | 'testcontainers';

export type ContainerWay = {
  up(dir: string, names: readonly ServiceName[], say: Say): Promise<Embedded>;
  /** Nothing where nothing was brought up. */
  down(): Promise<void>;
};

const composeDir = join(projectDir, 'deploy');
const password = 'lending';

export function containersFor(kind: Containers): ContainerWay {
  let stop: (() => Promise<void>) | undefined;
  return {
    async up(dir, names, say) {
      // One project a folder, so that two checkouts on one machine do not share a database.
      const project = `lending-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;
      const ports = await freePorts();
      const env = {
        LENDING_STACK: project,
        KAFKA_PORT: String(ports.kafka),
        REGISTRY_PORT: String(ports.registry),
        POSTGRES_PORT: String(ports.postgres),
        REDIS_PORT: String(ports.redis),
        POSTGRES_PASSWORD: password,
      };
      say(`starting containers ${names.join(', ')} (project ${project})`);
      stop = kind === 'compose' ? await byCompose(env, names) : await byTestcontainers(project, env, names);
      return Object.fromEntries(names.map((name) => [name, addresses[name](ports[name])]));
    },
    async down() {
      await stop?.();
      stop = undefined;
    },
  };
}

const addresses: Readonly<Record<ServiceName, (port: number) => string>> = {
  kafka: (port) => `127.0.0.1:${port}`,
  registry: (port) => `http://127.0.0.1:${port}/apis/ccompat/v7`,
  postgres: (port) => `postgres://lending:${password}@127.0.0.1:${port}/lending`,
  redis: (port) => `redis://127.0.0.1:${port}`,
};

async function freePorts(): Promise<Record<ServiceName, number>> {
  const taken = new Set<number>();
  const next = async (): Promise<number> => {
    const port = await freePort(taken);
    taken.add(port);
    return port;
  };
  return { kafka: await next(), registry: await next(), postgres: await next(), redis: await next() };
}

async function byCompose(env: Record<string, string>, names: readonly ServiceName[]): Promise<() => Promise<void>> {
  const compose = (...args: string[]) =>
    run('docker', ['compose', '-f', join(composeDir, 'compose.yaml'), ...args], { env: { ...process.env, ...env } });
  await compose('up', '-d', ...names);
  return async () => {
    await compose('stop', '-t', '5');
  };
}

async function byTestcontainers(
  project: string,
  env: Record<string, string>,
  names: readonly ServiceName[],
): Promise<() => Promise<void>> {
  // A development dependency: a start without tests never needs it.
  const { DockerComposeEnvironment } = await import('testcontainers');
  const started = await new DockerComposeEnvironment(composeDir, 'compose.yaml')
    .withProjectName(project)
    .withEnvironment(env)
    .up([...names]);
  return async () => {
    await started.down();
  };
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
