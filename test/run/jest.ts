import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';
import { ending } from './ending.ts';
import { type Tally, tallyOf } from './tally.ts';

export type Part = 'pure' | 'journeys' | 'faults';
const node = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
];
const jest = join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js');

type Ended = { readonly code: number | null; readonly out: string };

/** Several times what the longest part takes on two slow cores: whoever waits for the run learns that it hangs. */
const withinMs = 25 * 60_000 * Number(process.env['FAULT_ROUNDS'] ?? 1);

async function run(part: Part, args: readonly string[], env: Record<string, string>, isShown: boolean): Promise<Ended> {
  const colours = isShown && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  // Never our own outputs: a process that outlives its test would keep them open for whoever reads ours to the end.
  const child = spawn(process.execPath, [...node, jest, ...args], {
    cwd: projectDir,
    env: { ...process.env, ...colours, ...env, LENDING_TESTS: part },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (isShown) process.stdout.write(chunk);
    else out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return { code: await ending(child, withinMs), out };
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
