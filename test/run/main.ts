/**
 * `npm test`: the unit tests, then the integration and fault tests against a stack that is started for them. Arguments
 * go to jest: npm test -- libs/ledger -t 'late fee'
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir, writePrivateFile } from '#deploy/dev/dev-files.ts';
import { untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { type IsolatedStack, startIsolatedStack } from '../stack/isolated-stack.ts';
import { hasTests, runJest, type TestTier, testTiers } from './jest.ts';
import { addCounts, noTests, oneFailure, type TestCounts } from './test-counts.ts';

const args = process.argv.slice(2);
/** All tiers, or the one in LENDING_TESTS. */
const tiers = testTiers.filter((tier) => (process.env['LENDING_TESTS'] ?? tier) === tier);
const report = join(tmpdir(), `lending-tests-${process.pid}.json`);
const root = join(projectDir, '.data', 'test', String(process.pid));
const environmentFile = join(root, 'environment.json');
let stack: IsolatedStack | undefined;
let hasFailures = false;

const shutdown = untilShutdownSignal().then(() => 'interrupted' as const);
const result = await Promise.race([runAllTiers(), shutdown]);
const stopResult = await countingErrors('failed to stop the test stack', stopStack);
rmSync(report, { force: true });
if (result === 'interrupted') process.exit(130);
const counts = addCounts(result, stopResult);
if (counts.passed + counts.failed === 0) console.log('no test matches');
// Read by .ci/run: this line stays the last one.
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

async function runAllTiers(): Promise<TestCounts> {
  let sum = noTests;
  for (const tier of tiers) {
    sum = addCounts(sum, await countingErrors(`failed to run the ${tier} tests`, () => runTier(tier)));
  }
  return sum;
}

async function runTier(tier: TestTier): Promise<TestCounts> {
  if (!(await hasTests(tier, args))) return noTests;
  if (tier === 'unit') return runJest(tier, args, report, { PROPERTY_BOOKS: process.env['PROPERTY_BOOKS'] ?? '500' });
  const { backingServices, services } = await startStack();
  writePrivateFile(environmentFile, JSON.stringify({ stackDir: backingServices.dir, services }));
  const tierCounts = await runJest(tier, args, report, { LENDING_TEST_ENVIRONMENT: environmentFile });
  hasFailures ||= tierCounts.failed > 0;
  return tierCounts;
}

async function startStack(): Promise<IsolatedStack> {
  const log = (line: string): void => console.log(`stack    ${line}`);
  stack ??= await startIsolatedStack(root, log, { containerTool: 'testcontainers' });
  return stack;
}

async function stopStack(): Promise<TestCounts> {
  await stack?.stop({ keepLogs: hasFailures });
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
