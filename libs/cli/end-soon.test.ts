import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';

const endSoon = join(import.meta.dirname, 'end-soon.ts');

/** The code a process ended with that runs this, and what it said. */
async function ended(body: string, readAfterMs = 0): Promise<{ code: number | null; out: string }> {
  const script = `import { endSoon } from ${JSON.stringify(endSoon)};\n${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let out = '';
  await pause(readAfterMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const [code] = await once(child, 'close');
  return { code, out };
}

test('a command ends with its code though something is held open', async () => {
  const body = `setInterval(() => undefined, 1_000); process.exitCode = 3; console.log('told'); endSoon(10);`;
  expect(await ended(body)).toEqual({ code: 3, out: 'told\n' });
});

test('what was told is told whole, to a reader that is slow as well', async () => {
  const body = `setInterval(() => undefined, 1_000); console.log('x'.repeat(1_000_000)); endSoon(10);`;
  const { code, out } = await ended(body, 500);
  expect([code, out.length]).toEqual([0, 1_000_001]);
});

test.each([
  ['that told something', `console.log('told');`],
  ['that told nothing', ''],
])('a reader that has left changes nothing of a command %s', async (_which, telling) => {
  // It is gone before the end is near: the child says over another line that it may go on.
  const script = `import { endSoon } from ${JSON.stringify(endSoon)};
    setInterval(() => undefined, 1_000);
    process.on('message', () => { process.exitCode = 3; ${telling} endSoon(10); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdout?.destroy();
  child.send('go on');
  const [code] = await once(child, 'close');
  expect([code, err]).toEqual([3, '']);
});

test('where nothing is held open it ends by itself, and is not waited for', async () => {
  const body = `process.exitCode = 4; endSoon(600_000); process.on('exit', () => console.log('ended'));`;
  expect(await ended(body)).toEqual({ code: 4, out: 'ended\n' });
});
