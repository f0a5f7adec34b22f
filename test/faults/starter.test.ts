/** A stack outlives neither its starter nor its starter's watchdog for long. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/stack/install.ts';
import { ownerOf } from '#deploy/stack/owner.ts';
import { entries, isAlive, isGone } from '#deploy/stack/processes.ts';
import { startStack } from '#deploy/stack/stack.ts';
import { eventually } from '#test/integration/tenant.ts';

let dir: string;
let starter: ChildProcess | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-starter-'));
});
afterEach(async () => {
  if (starter?.exitCode === null && starter.signalCode === null) {
    const ended = once(starter, 'exit');
    starter.kill('SIGTERM');
    await ended;
  }
  rmSync(dir, { recursive: true, force: true });
});

// Two commands of the system stand for the services: what is looked at here is who stops them.
const source = `
import { takeCustody } from '${projectDir}/deploy/stack/custody.ts';
import { writeFileSync } from 'node:fs';
import { launch, pidsIn } from '${projectDir}/deploy/stack/processes.ts';

const dir = process.argv[2];
const custody = await takeCustody(dir, (line) => console.log(line), [dir + '/../told']);
if (custody === undefined) console.log('theirs');
else {
  if (Object.keys(pidsIn(dir)).length > 0) console.log('found alive');
  for (const name of ['one', 'two']) launch(dir, { name, command: 'sleep', args: ['1000'], tier: 0 });
  process.on('SIGTERM', async () => {
    await custody.end();
    process.exit();
  });
  writeFileSync(dir + '/../told', 'where it runs');
  console.log('ready');
  setInterval(() => undefined, 1000);
}
`;

async function start(): Promise<string> {
  writeFileSync(join(dir, 'starter.ts'), source);
  const child = spawn(process.execPath, [join(dir, 'starter.ts'), join(dir, 'stack')]);
  starter = child;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  while (!said.includes('ready') && !said.includes('theirs')) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null && !said.includes('theirs')) throw new Error(said);
  }
  return said;
}

async function kill(): Promise<void> {
  const ended = once(starter as ChildProcess, 'exit');
  starter?.kill('SIGKILL');
  await ended;
}

describe('what a starter started', () => {
  test('is stopped when the starter is killed', async () => {
    await start();
    const running = entries(join(dir, 'stack'));
    expect(running.filter(isAlive)).toHaveLength(2);
    await kill();
    for (const entry of running) expect(await isGone(entry, 10_000)).toBe(true);
  });

  test('is not told of any longer when the starter is killed', async () => {
    await start();
    expect(existsSync(join(dir, 'told'))).toBe(true);
    await kill();
    await eventually(async () => !existsSync(join(dir, 'told')));
    await eventually(async () => ownerOf(join(dir, 'stack')) === undefined);
  });

  test('is stopped by the next start when the watchdog is killed as well', async () => {
    await start();
    const running = entries(join(dir, 'stack'));
    const watchdog = ownerOf(join(dir, 'stack'))?.watchdog;
    process.kill(watchdog?.pid as number, 'SIGKILL');
    await kill();
    expect(running.filter(isAlive)).toHaveLength(2);
    expect(await start()).toContain('cleaning up');
    expect(running.filter(isAlive)).toHaveLength(0);
  });

  test('is left alone by a second start while the first lives', async () => {
    await start();
    const first = starter;
    const running = entries(join(dir, 'stack'));
    expect(await start()).toContain('theirs');
    expect(running.filter(isAlive)).toHaveLength(2);
    starter = first;
  });

  test('is waited for by a second start of the stack while the first lives, which then takes its place', async () => {
    // The first never gets as far as a stack: packages are still being fetched, say.
    await start();
    process.env['REDIS_URL'] = 'redis://127.0.0.1:1';
    let isWaiting = true;
    const said: string[] = [];
    const second = startStack({ dir: join(dir, 'stack'), say: (line) => void said.push(line) }).finally(() => {
      isWaiting = false;
    });
    // Its own turn ends at once, at an address where nobody answers.
    const ended = expect(second).rejects.toThrow('REDIS_URL is set');
    // A third finds the folder taken too; by then the second has looked many times.
    const first = starter;
    await start();
    starter = first;
    expect(said).toEqual(['a stack runs in this folder already, or is being started']);
    expect(isWaiting).toBe(true);
    await kill();
    await ended;
    delete process.env['REDIS_URL'];
  });

  test('is gone when the starter has ended as it should', async () => {
    await start();
    const running = entries(join(dir, 'stack'));
    const ended = once(starter as ChildProcess, 'exit');
    starter?.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(running.filter(isAlive)).toHaveLength(0);
    expect(entries(join(dir, 'stack'))).toEqual([]);
    expect(existsSync(join(dir, 'told'))).toBe(false);
  });
});
