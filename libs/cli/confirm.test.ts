/** The question of a command on a terminal, which the program `script` provides. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { readProfiles, writeProfiles } from './profiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-confirm-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = { LENDING_CONFIG: join(folder, 'profiles.json') };
beforeEach(() => {
  const key = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;
  writeProfiles(files, { profiles: { acme: { key } } });
});

const command = `${process.execPath} ${join(import.meta.dirname, 'main.ts')} profile remove acme`;

/** The exit code and the text of the terminal. */
async function answerWith(keys: string): Promise<readonly [code: number, text: string]> {
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...files } });
  let text = '';
  let isAnswered = false;
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (isAnswered || !text.includes('Type yes to continue:')) return;
    isAnswered = true;
    terminal.stdin.write(keys);
  });
  const [code] = await once(terminal, 'close');
  return [code, text];
}

const profileNames = (): string[] => Object.keys(readProfiles(files).profiles);

test('yes does it', async () => {
  const [code, text] = await answerWith('yes\r');
  expect(text).toContain('With the profile acme the secret of the key');
  expect([code, profileNames()]).toEqual([0, []]);
});

test.each(['no\r', 'y\r', '\r'])('the answer %j does nothing, with exit code 1', async (keys) => {
  const [code, text] = await answerWith(keys);
  expect(text).toContain('not confirmed; nothing was changed');
  expect([code, profileNames()]).toEqual([1, ['acme']]);
});

test('Ctrl-C does nothing, with exit code 130', async () => {
  const [code, text] = await answerWith('\x03');
  expect(text).toContain('ended by Ctrl-C; nothing was changed');
  expect([code, profileNames()]).toEqual([130, ['acme']]);
});
