/** Runs jest for one tier of tests and counts its results. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { parseReport, type TestCounts } from './test-counts.ts';
import { waitForExitCode } from './wait-for-exit-code.ts';

/** jest.config.mjs says which files belong to each. */
export const testTiers = ['unit', 'integration', 'faults', 'release'] as const;
export type TestTier = (typeof testTiers)[number];

const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js');

/** A run that hangs ends after this time: twice what the longest tier takes on two slow cores. */
const jestTimeoutMs = 45 * 60_000 * Number(process.env['FAULT_ROUNDS'] ?? 1);

type JestResult = { readonly code: number | null; readonly output: string };

async function run(
  tier: TestTier,
  args: readonly string[],
  env: Record<string, string>,
  isShown: boolean,
): Promise<JestResult> {
  const colours = isShown && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  // Piped, not inherited: a process that outlives its test would keep the output of npm test open.
  const child = spawn(process.execPath, [...nodeOptions, jest, ...args], {
    cwd: projectDir,
    env: { ...process.env, ...colours, ...env, LENDING_TESTS: tier },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (isShown) process.stdout.write(chunk);
    else output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return { code: await waitForExitCode(child, jestTimeoutMs), output };
}

/** Asks jest itself, which knows all its filters: a stack is started only for a tier that has tests to run. */
export async function hasTests(tier: TestTier, args: readonly string[]): Promise<boolean> {
  const { code, output } = await run(tier, ['--listTests', '--passWithNoTests', ...args], {}, false);
  if (code !== 0) throw new Error(`jest --listTests exited with ${code} for the ${tier} tests; expected 0`);
  return output.split('\n').some((line) => line.endsWith('.test.ts'));
}

export async function runJest(
  tier: TestTier,
  args: readonly string[],
  report: string,
  env: Record<string, string>,
): Promise<TestCounts> {
  rmSync(report, { force: true });
  // A connection that a test leaves open must not keep the run from ending.
  const exit = tier === 'unit' ? [] : ['--forceExit'];
  const { code } = await run(tier, [...args, ...exit, '--json', `--outputFile=${report}`, '--no-watchman'], env, true);
  return parseReport(existsSync(report) ? readFileSync(report, 'utf8') : undefined, code);
}
