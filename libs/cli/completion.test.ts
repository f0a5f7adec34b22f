import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'lending-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers for the last word. Written as a program, because only an interactive shell reads keys. */
const offer = `source "$1"
shift
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
$(complete -p lending | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;

test('bash offers the commands and the choices that its script asks the command line for', async () => {
  const command = join(folder, 'lending');
  // As npm link does.
  symlinkSync(join(import.meta.dirname, '..', '..', 'deploy', 'dev', 'lending'), command);
  const run = promisify(execFile);
  const script = join(folder, 'completion.bash');
  writeFileSync(script, (await run(command, ['completion', 'bash'])).stdout);
  const offered = async (...words: string[]): Promise<string[]> => {
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const { stdout } = await run('bash', ['-c', offer, 'bash', script, 'lending', ...words], { env });
    return stdout.trim().split('\n');
  };
  expect(await offered('ke')).toEqual(['key']);
  expect(await offered('key', 'mint', 'demo', '--scope', '')).toEqual(['read', 'write']);
}, 30_000);
