/** Which commands an engine is given, and that containers outlive neither their starter nor its watchdog. No engine here. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ownerOf } from './owner.ts';

let root: string;
let dir: string;
let starter: ChildProcess | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lending-containers-'));
  dir = join(root, 'stack');
  // Writes down what it is asked for, and fails where it is told to.
  const docker = `#!/bin/sh
echo "$LENDING_STACK $REDIS_PORT $*" >> "${root}/asked"
echo "$POSTGRES_PASSWORD" >> "${root}/passwords"
case "$*" in *" $(cat '${root}/fails' 2>/dev/null || echo never) "*) echo "no engine" >&2; exit 1;; esac
`;
  writeFileSync(join(root, 'docker'), docker);
  chmodSync(join(root, 'docker'), 0o755);
});
afterEach(() => {
  starter?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

type Asked = { readonly project: string; readonly port: string; readonly command: string };

function asked(): Asked[] {
  if (!existsSync(join(root, 'asked'))) return [];
  return readFileSync(join(root, 'asked'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [project = '', port = '', ...command] = line.split(' ');
      return { project, port, command: command.join(' ').replace(/-f \S+ /, '') };
    });
}

const commands = (): string[] => asked().map(({ command }) => command);

// Brings up one container and stays; what it says on its way is what a person would read.
const source = `
import { upContainers } from '${import.meta.dirname}/containers.ts';
import { takeCustody } from '${import.meta.dirname}/custody.ts';

const say = (line) => console.log(line);
const custody = await takeCustody(process.argv[2], say);
await upContainers('compose', process.argv[2], ['redis'], say).then(() => console.log('ready'), () => console.log('failed'));
process.on('SIGTERM', () => custody.end().then(() => process.exit()));
setInterval(() => undefined, 1000);
`;

async function start(): Promise<string> {
  writeFileSync(join(root, 'starter.ts'), source);
  const child = spawn(process.execPath, [join(root, 'starter.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${root}:${process.env['PATH']}` },
  });
  starter = child;
  let said = '';
  while (!/^(ready|failed)$/m.test(said)) said += String((await once(child.stdout, 'data'))[0]);
  return said;
}

async function end(signal: NodeJS.Signals): Promise<void> {
  const ended = once(starter as ChildProcess, 'exit');
  starter?.kill(signal);
  await ended;
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`asked were ${JSON.stringify(asked())}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('containers', () => {
  test('are stopped with their starter, keep their data, and come again under the same name and port', async () => {
    await start();
    await end('SIGTERM');
    await start();
    const [first, stop, second] = asked();
    expect(first?.command).toBe('compose up -d redis');
    expect(first?.project).toMatch(/^lending-[0-9a-f]{8}$/);
    expect(stop?.command).toBe(`compose -p ${first?.project} stop -t 5`);
    expect(second).toEqual(first);
  });

  test('have an owner whose password nobody knows who cannot read their folder, and begin anew without that', async () => {
    for (const nth of [0, 1, 2]) {
      if (nth === 2) rmSync(dir, { recursive: true });
      await start();
      await end('SIGTERM');
    }
    const ups = asked().flatMap(({ project, command }, nth) => (command.includes(' up ') ? [{ project, nth }] : []));
    const passwords = readFileSync(join(root, 'passwords'), 'utf8').split('\n');
    const [first, again, anew] = ups.map(({ project, nth }) => ({ project, password: passwords[nth] }));
    expect(first?.password).toMatch(/^[\w-]{24}$/);
    expect(again).toEqual(first);
    // Their volumes know the old password alone: with a new one they are others.
    expect(anew?.password).not.toBe(first?.password);
    expect(anew?.project).not.toBe(first?.project);
  }, 30_000);

  test('are stopped by the watchdog where their starter is killed', async () => {
    await start();
    await end('SIGKILL');
    await until(() => commands().some((command) => command.includes(' stop ')));
  });

  test('are stopped by the next start where the watchdog is killed as well', async () => {
    await start();
    process.kill(ownerOf(dir)?.watchdog?.pid as number, 'SIGKILL');
    await end('SIGKILL');
    expect(commands()).toEqual(['compose up -d redis']);
    expect(await start()).toContain('cleaning up');
    expect(commands()).toEqual(['compose up -d redis', expect.stringContaining(' stop '), 'compose up -d redis']);
  });

  test('of which only some came up are stopped too', async () => {
    writeFileSync(join(root, 'fails'), 'up');
    expect(await start()).toContain('failed');
    await end('SIGTERM');
    // By the starter, or by its watchdog where it was told to end before it came to that.
    await until(() => commands().at(-1)?.includes(' stop ') === true);
  });

  test('that cannot be stopped stay noted until they can', async () => {
    writeFileSync(join(root, 'fails'), 'stop');
    await start();
    await end('SIGTERM');
    expect(await start()).toContain('could not be stopped');
    await end('SIGTERM');
    rmSync(join(root, 'fails'));
    expect(await start()).not.toContain('could not be stopped');
    expect(commands().slice(-2)).toEqual([expect.stringContaining(' stop '), 'compose up -d redis']);
    await end('SIGTERM');
  });
});

describe('a stack in containers', () => {
  let registry: Server;
  beforeEach(async () => {
    registry = createServer((_request, response) => response.end('[]'));
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    registry.close();
  });

  // From a process that started nothing of it; what it says is what it was refused.
  async function switchAll(took: 'containers' | 'environment'): Promise<string> {
    mkdirSync(dir);
    writeFileSync(join(dir, 'containers.json'), JSON.stringify({ project: 'lending-0', kind: 'testcontainers' }));
    const schemaRegistryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    writeFileSync(join(dir, 'stack.json'), JSON.stringify({ dir, schemaRegistryUrl, took: { registry: took } }));
    const file = join(root, 'switches.ts');
    writeFileSync(
      file,
      `import { attachStack } from '${import.meta.dirname}/stack.ts';
const stack = attachStack('${dir}');
for (const how of ['kill', 'start', 'pause', 'resume']) {
  try { await stack[how]('registry'); } catch (cause) { console.log(cause.message); }
}
`,
    );
    const env = { ...process.env, PATH: `${root}:${process.env['PATH']}` };
    return (await promisify(execFile)(process.execPath, [file], { env })).stdout;
  }

  test('lets one of them be killed and started, paused and resumed, from any process', async () => {
    expect(await switchAll('containers')).toBe('');
    expect(commands()).toEqual(
      ['kill -s KILL', 'start', 'pause', 'unpause'].map((how) => `compose -p lending-0 ${how} registry`),
    );
  });

  test('says so where the engine does not obey', async () => {
    writeFileSync(join(root, 'fails'), '-p');
    expect((await switchAll('containers')).match(/no engine/g)).toHaveLength(4);
  });

  test('leaves alone what the environment gave', async () => {
    expect((await switchAll('environment')).match(/registry is not ours to stop or start/g)).toHaveLength(4);
    expect(asked()).toEqual([]);
  });
});
