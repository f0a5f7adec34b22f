/** Where backing services come from: named in the environment, or containers. Docker is replaced by a script. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isDockerRunning } from './containers.ts';
import { addressesFromEnvironment, type BackingServiceName, probes } from './environment.ts';

let root: string;
let servers: { close(): unknown }[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-backing-'));
});
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
  rmSync(root, { recursive: true, force: true });
});

async function listen(server: Server, path?: string): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) =>
    path === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(path, resolve),
  );
  return path ?? `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const httpServer = (listener: RequestListener, path?: string): Promise<string> =>
  listen(createHttpServer(listener), path);

/** A TCP server whose connections are closed with it. */
function tcpServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  servers.push({ close: () => sockets.forEach((socket) => void socket.destroy()) });
  return listen(server);
}

describe('a service that the environment names', () => {
  test('fails the start where it does not answer, with the name of its variable', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1', KAFKA_BROKERS: '127.0.0.1:1' };
    await expect(addressesFromEnvironment(env)).rejects.toThrow(
      /KAFKA_BROKERS is set, but no kafka answers there.*\nREDIS_URL is set/,
    );
  });

  test('fails the start where something else answers', async () => {
    const host = await httpServer((_request, response) => response.end('<html></html>'));
    await expect(addressesFromEnvironment({ SCHEMA_REGISTRY_URL: `http://${host}` })).rejects.toThrow(
      'SCHEMA_REGISTRY_URL is set',
    );
  });

  test('is not named by an empty variable', async () => {
    expect(await addressesFromEnvironment({ DATABASE_URL: '' })).toEqual({});
  });

  test('npm run stack prints one line for a service that does not answer', async () => {
    const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/d' };
    const args = [join(import.meta.dirname, 'main.ts'), 'backing-services'];
    const result = await new Promise<{ code: unknown; err: string }>((resolve) => {
      execFile(process.execPath, args, { env }, (error, _out, err) => resolve({ code: error?.code, err }));
    });
    expect(result.code).toBe(1);
    expect(result.err).toMatch(/^.*DATABASE_URL.*\n$/);
  });
});

describe('a probe', () => {
  const addressAt: Readonly<Record<BackingServiceName, (host: string) => string>> = {
    kafka: (host) => host,
    registry: (host) => `http://${host}`,
    postgres: (host) => `postgres://lending:x@${host}/lending`,
    redis: (host) => `redis://${host}`,
  };

  test.each(Object.keys(addressAt) as BackingServiceName[])(
    'of a %s that accepts connections and never answers fails',
    async (name) => {
      const host = await tcpServer(() => undefined);
      await expect(probes[name](addressAt[name](host))).rejects.toThrow(/time|abort/i);
    },
  );

  test('of a postgres that accepts the login and never answers a query fails', async () => {
    const loginAccepted = Buffer.from([...message('R', [0, 0, 0, 0]), ...message('Z', [0x49])]);
    const host = await tcpServer((socket) => socket.once('data', () => socket.write(loginAccepted)));
    await expect(probes.postgres(addressAt.postgres(host))).rejects.toThrow('no answer within the timeout');
  });

  /** A message of Postgres's protocol: its letter, length and body. */
  function message(letter: string, body: readonly number[]): number[] {
    return [letter.charCodeAt(0), 0, 0, 0, 4 + body.length, ...body];
  }
});

describe('a Docker engine', () => {
  test('is running where it answers its ping', async () => {
    const socket = join(root, 'docker.sock');
    await httpServer((request, response) => response.writeHead(request.url === '/_ping' ? 200 : 404).end(), socket);
    expect(await isDockerRunning(`unix://${socket}`)).toBe(true);
  });

  test('is not running where nothing answers at its address', async () => {
    expect(await isDockerRunning('unix:///nowhere/docker.sock')).toBe(false);
    expect(await isDockerRunning('tcp://127.0.0.1:1')).toBe(false);
  });
});

type DockerCall = { readonly project: string; readonly port: string; readonly command: string };

function dockerCalls(): DockerCall[] {
  if (!existsSync(join(root, 'calls'))) return [];
  const lines = readFileSync(join(root, 'calls'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [project = '', port = '', ...command] = line.split(' ');
    return { project, port, command: command.join(' ').replace(/-f \S+ /, '') };
  });
}

const commands = (): string[] => dockerCalls().map(({ command }) => command);

/** Records its arguments, and fails on those that hold the word in the file `fails`. */
function replaceDocker(): NodeJS.ProcessEnv {
  const docker = `#!/bin/sh
echo "$LENDING_STACK $REDIS_PORT $*" >> "${root}/calls"
echo "$POSTGRES_PASSWORD" >> "${root}/passwords"
case "$*" in *" $(cat '${root}/fails' 2>/dev/null || echo never) "*) echo "no engine" >&2; exit 1;; esac
`;
  writeFileSync(join(root, 'docker'), docker);
  chmodSync(join(root, 'docker'), 0o755);
  return { ...process.env, PATH: `${root}:${process.env['PATH']}` };
}

describe('containers', () => {
  let dir: string;
  let starter: ChildProcess | undefined;
  beforeEach(() => {
    dir = join(root, 'stack');
  });
  afterEach(() => {
    starter?.kill('SIGKILL');
  });

  const starterSource = `
import { startContainers } from '${import.meta.dirname}/containers.ts';
import { Supervisor } from '${import.meta.dirname}/process-supervisor.ts';

const log = (line) => console.log(line);
const supervisor = await Supervisor.acquire(process.argv[2], log);
process.on('SIGTERM', () => supervisor.stop().then(() => process.exit()));
await startContainers('compose', process.argv[2], ['redis'], log).then(() => log('ready'), () => log('failed'));
setInterval(() => undefined, 1000);
`;

  async function start(): Promise<string> {
    writeFileSync(join(root, 'starter.ts'), starterSource);
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [join(root, 'starter.ts'), dir], { stdio: [...stdio], env: replaceDocker() });
    starter = child;
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    while (!/^(ready|failed)$/m.test(output)) await new Promise((resolve) => setTimeout(resolve, 20));
    return output;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(starter as ChildProcess, 'exit');
    starter?.kill(signal);
    await exited;
  }

  test('stop with their supervisor, keep their data, and start again with the same name and port', async () => {
    await start();
    await end('SIGTERM');
    await start();
    const [first, stop, second] = dockerCalls();
    expect(first?.command).toBe('compose up -d redis');
    expect(first?.project).toMatch(/^lending-[0-9a-f]{8}$/);
    expect(stop?.command).toBe(`compose -p ${first?.project} stop -t 5`);
    expect(second).toEqual(first);
  });

  test('have a random password of their folder, and are new ones after the folder was removed', async () => {
    for (const attempt of [0, 1, 2]) {
      if (attempt === 2) rmSync(dir, { recursive: true });
      await start();
      await end('SIGTERM');
    }
    const passwords = readFileSync(join(root, 'passwords'), 'utf8').split('\n');
    const [first, second, third] = dockerCalls().flatMap(({ project, command }, at) =>
      command.includes(' up ') ? [{ project, password: passwords[at] }] : [],
    );
    expect(first?.password).toMatch(/^[\w-]{24}$/);
    expect(second).toEqual(first);
    // The volumes of the first project accept only its password.
    expect(third?.password).not.toBe(first?.password);
    expect(third?.project).not.toBe(first?.project);
  });

  test('are stopped by the next start when their supervisor was killed', async () => {
    await start();
    await end('SIGKILL');
    expect(commands()).toEqual(['compose up -d redis']);
    expect(await start()).toContain('stopping what an earlier start left behind');
    expect(commands()).toEqual(['compose up -d redis', expect.stringContaining(' stop '), 'compose up -d redis']);
  });

  test('are stopped too when only some of them started', async () => {
    writeFileSync(join(root, 'fails'), 'up');
    expect(await start()).toContain('failed');
    await end('SIGTERM');
    expect(commands().at(-1)).toContain(' stop ');
  });

  test('that cannot be stopped are stopped by a later start', async () => {
    writeFileSync(join(root, 'fails'), 'stop');
    await start();
    await end('SIGTERM');
    expect(await start()).toContain('failed to stop containers');
    await end('SIGTERM');
    rmSync(join(root, 'fails'));
    expect(await start()).not.toContain('failed to stop containers');
    expect(commands().slice(-2)).toEqual([expect.stringContaining(' stop '), 'compose up -d redis']);
    await end('SIGTERM');
  });

  /** Kills, starts, pauses and resumes the registry from another process; returns the error messages. */
  async function controlRegistry(source: 'containers' | 'environment'): Promise<string> {
    const registry = await httpServer((_request, response) => response.end('[]'));
    mkdirSync(dir);
    writeFileSync(join(dir, 'containers.json'), JSON.stringify({ project: 'lending-0', tool: 'testcontainers' }));
    const status = { dir, schemaRegistryUrl: `http://${registry}`, sources: { registry: source } };
    writeFileSync(join(dir, 'stack.json'), JSON.stringify(status));
    const file = join(root, 'control.ts');
    writeFileSync(
      file,
      `import { attachBackingServices } from '${import.meta.dirname}/backing-services.ts';
const services = attachBackingServices('${dir}');
for (const control of ['kill', 'start', 'pause', 'resume']) {
  try { await services[control]('registry'); } catch (cause) { console.log(cause.message); }
}
`,
    );
    return (await promisify(execFile)(process.execPath, [file], { env: replaceDocker() })).stdout;
  }

  test('can be killed, started, paused and resumed from any process', async () => {
    expect(await controlRegistry('containers')).toBe('');
    const expected = ['kill -s KILL', 'start', 'pause', 'unpause'];
    expect(commands()).toEqual(expected.map((command) => `compose -p lending-0 ${command} registry`));
  });

  test('report an error of the engine', async () => {
    writeFileSync(join(root, 'fails'), '-p');
    expect((await controlRegistry('containers')).match(/no engine/g)).toHaveLength(4);
  });

  test('are not controlled where the environment names the service', async () => {
    expect((await controlRegistry('environment')).match(/cannot stop or start registry/g)).toHaveLength(4);
    expect(dockerCalls()).toEqual([]);
  });
});
