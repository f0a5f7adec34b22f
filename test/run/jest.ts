import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';

export type Part = 'pure' | 'journeys' | 'faults';
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const none: Tally = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

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
  const { out } = await run(part, ['--listTests', '--passWithNoTests', ...args], {}, false);
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
  await run(part, [...args, ...ends, '--json', `--outputFile=${report}`, '--no-watchman'], env, true);
  return tallyOf(report);
}

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that could not even be loaded: they hold tests that did not pass. */
  readonly numRuntimeErrorTestSuites: number;
};

function tallyOf(file: string): Tally {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    // jest ended without a word: nothing of it can be counted as passed.
    return { ...none, failed: 1 };
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
