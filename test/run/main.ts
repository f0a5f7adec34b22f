/**
 * `npm test`: the unit tests and then the integration tests; beside both the fault tests, which wait more than they compute. Each tier
 * with services has a stack of its own. `npm run test:all` then runs the release tests, and compares what was executed with the code
 * of the documents. Arguments go to jest: npm test -- libs/ledger -t 'late fee'
 */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { screenshotDir, wereScreenshotsTakenSince } from '../browser/screenshots.ts';
import { compareExecuted, documentedCode, readRecords, recordsVariable } from '../documentation/executed-code.ts';
import { type IsolatedStack, startIsolatedStack } from '../stack/isolated-stack.ts';
import { hasTests, runJest, type TestTier, testTiers } from './jest.ts';
import { addCounts, noTests, oneFailure, type TestCounts } from './test-counts.ts';

const startedAt = Date.now();
const args = process.argv.slice(2);
/** A tier, `all`, or `daily`, which is all but the release tests. Unset: daily, or all where an argument names a release test. */
const selected = process.env['LENDING_TESTS'] ?? (args.some((arg) => arg.includes('test/release')) ? 'all' : 'daily');
const selections = [...testTiers, 'all', 'daily'];
if (!selections.includes(selected))
  throw new Error(`LENDING_TESTS is ${selected}; expected one of ${selections.join(', ')}`);
const isWhole = selected === 'all' && args.length === 0;
const tiers = testTiers.filter(
  (tier) => [tier, 'all'].includes(selected) || (selected === 'daily' && tier !== 'release'),
);
const root = join(projectDir, '.data', 'test', String(process.pid));
// Tests start hundreds of processes: with compiled code kept, each takes half the processor time to start.
process.env['NODE_COMPILE_CACHE'] ??= join(projectDir, '.data', 'compile-cache');
/** Also those that are still being started. */
const stacks = new Map<TestTier, Promise<IsolatedStack>>();
const stops = new Map<TestTier, Promise<void>>();
let hasFailures = false;
let isInterrupted = false;

const shutdown = untilShutdownSignal().then(() => {
  isInterrupted = true;
  return 'interrupted' as const;
});
const result = await Promise.race([runTests(), shutdown]);
const stopResult = await countingErrors('failed to stop the test stacks', stopStacks);
if (result === 'interrupted') process.exit(130);
const counts = addCounts(result, stopResult);
if (counts.passed + counts.failed === 0) console.log('no test matches');
if (wereScreenshotsTakenSince(startedAt))
  console.log(`\nscreenshots of the console: ${relative(projectDir, screenshotDir)}`);
if (selected === 'daily' && args.length === 0) console.log('\nwithout test/release: npm run test:all runs it, too');
// Read by .ci/run: this line stays the last one.
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/** A whole run has executed the code of the documents; a part of the tests executes a part of it. */
async function runTests(): Promise<TestCounts> {
  if (!isWhole) return runTiers();
  const records = join(tmpdir(), `lending-executed-code-${process.pid}.jsonl`);
  writeFileSync(records, '');
  process.env[recordsVariable] = records;
  try {
    const counts = await runTiers();
    const { text, isComplete } = compareExecuted(documentedCode(), readRecords(records));
    console.log(`\nThe code in the documents for callers:\n${text}`);
    return addCounts(counts, isComplete ? { ...noTests, passed: 1 } : oneFailure);
  } finally {
    rmSync(records, { force: true });
  }
}

async function runTiers(): Promise<TestCounts> {
  const run = (tier: TestTier, earlier?: Promise<unknown>): Promise<TestCounts> =>
    tiers.includes(tier)
      ? countingErrors(`failed to run the ${tier} tests`, () => runTier(tier, earlier))
      : Promise.resolve(noTests);
  const unit = run('unit');
  const withStack = [run('integration', unit), run('faults')];
  // They build packages and start other cells, which takes both cores.
  const release = Promise.all(withStack).then(() => run('release'));
  return (await Promise.all([unit, ...withStack, release])).reduce(addCounts, noTests);
}

/** Its tests begin after `earlier`, for which its stack need not wait. */
async function runTier(tier: TestTier, earlier?: Promise<unknown>): Promise<TestCounts> {
  if (!(await hasTests(tier, args)) || isInterrupted) return noTests;
  const report = join(tmpdir(), `lending-tests-${process.pid}-${tier}.json`);
  try {
    const environment = await environmentOf(tier);
    await earlier;
    const counts = await runJest(tier, args, report, environment);
    hasFailures ||= counts.failed > 0;
    return counts;
  } catch (cause) {
    hasFailures = true;
    throw cause;
  } finally {
    rmSync(report, { force: true });
    // A failure of it is reported at the end of the run.
    await stopStack(tier).catch(() => undefined);
  }
}

async function environmentOf(tier: TestTier): Promise<Record<string, string>> {
  if (tier === 'unit') return { PROPERTY_BOOKS: process.env['PROPERTY_BOOKS'] ?? '50' };
  const dir = join(root, tier);
  const log = (line: string): void => console.log(`${tier.padEnd(12)} ${line}`);
  const starting = startIsolatedStack(dir, log, { containerTool: 'testcontainers' });
  stacks.set(tier, starting);
  const { backingServices, services, partitionDatabases } = await starting;
  const environmentFile = join(dir, 'environment.json');
  writePrivateFile(
    environmentFile,
    JSON.stringify({ stackDir: backingServices.dir, services, partitionDatabases: [...partitionDatabases] }),
  );
  return { LENDING_TEST_ENVIRONMENT: environmentFile };
}

/** Once: after the tests of its tier, or because the run was interrupted. */
function stopStack(tier: TestTier): Promise<void> {
  const stop = async (): Promise<void> => {
    // A stack that failed to start has stopped itself and kept its logs.
    const stack = await stacks.get(tier)?.catch(() => undefined);
    await stack?.stop({ keepLogs: hasFailures });
  };
  const stopped = stops.get(tier) ?? stop();
  stops.set(tier, stopped);
  return stopped;
}

async function stopStacks(): Promise<TestCounts> {
  await Promise.all([...stacks.keys()].map(stopStack));
  if (!hasFailures) rmSync(root, { recursive: true, force: true });
  return noTests;
}

/** An error around the tests counts as one failed test, and the other tiers still run. */
async function countingErrors(what: string, work: () => Promise<TestCounts>): Promise<TestCounts> {
  try {
    return await work();
  } catch (cause) {
    console.error(`${what}:`, cause);
    return oneFailure;
  }
}
