import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';
import { type Tally, tallyOf } from './tally.ts';

export type Part = 'pure' | 'journeys' | 'faults';
const node = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
];
const jest = join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js');

type Ended = { readonly code: number | null; readonly out: string };

function run(part: Part, args: readonly string[], env: Record<string, string>, isShown: boolean): Promise<Ended> {
  const child = spawn(process.execPath, [...node, jest, ...args], {
    cwd: projectDir,
    env: { ...process.env, ...env, LENDING_TESTS: part },
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out }));
  });
}

/** Asked of jest itself, so that whatever it takes as a filter decides whether a stack is started. */
export async function hasTests(part: Part, args: readonly string[]): Promise<boolean> {
  const { code, out } = await run(part, ['--listTests', '--passWithNoTests', ...args], {}, false);
  if (code !== 0) throw new Error(`jest could not list the tests of ${part}`);
  return out.split('\n').some((line) => line.endsWith('.test.ts'));
}

export async function runJest(
  part: Part,
  args: readonly string[],
  report: string,
  env: Record<string, string>,
): Promise<Tally> {
  rmSync(report, { force: true });
  // A line a journey leaves open to a service must not keep the whole run from ending.
  const ends = part === 'pure' ? [] : ['--forceExit'];
  const { code } = await run(part, [...args, ...ends, '--json', `--outputFile=${report}`, '--no-watchman'], env, true);
  return tallyOf(existsSync(report) ? readFileSync(report, 'utf8') : undefined, code);
}
