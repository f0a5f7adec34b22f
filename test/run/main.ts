/**
 * `npm test`: what needs nothing first, then the journeys and the faults against a real house, started for them and
 * stopped after them. Arguments go to jest, so that a file or a name is run alone: npm test -- libs/book -t 'late fee'
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilTold } from '#deploy/stack/told.ts';
import { startTestHouse, type TestHouse } from '../stack/start.ts';
import { hasTests, type Part, runJest } from './jest.ts';
import { add, none, oneFailed, type Tally } from './tally.ts';

const args = process.argv.slice(2);
const report = join(tmpdir(), `lending-tests-${process.pid}.json`);
let house: TestHouse | undefined;

const told = untilTold().then(() => 'told' as const);
const ended = await Promise.race([all(), told]);
const stopped = await counted('the house did not stop', stop);
rmSync(report, { force: true });
if (ended === 'told') process.exit(130);
const tally = add(ended, stopped);
if (tally.passed + tally.failed === 0) console.log('no test matches');
// The last line of all.
console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

async function all(): Promise<Tally> {
  let sum = none;
  for (const part of ['pure', 'journeys', 'faults'] as const) {
    sum = add(sum, await counted(`${part} tests`, () => runPart(part)));
  }
  return sum;
}

async function runPart(part: Part): Promise<Tally> {
  if (!(await hasTests(part, args))) return none;
  if (part === 'pure') return runJest(part, args, report, {});
  house ??= await startTestHouse((line) => console.log(`house    ${line}`));
  const tally = await runJest(part, args, report, { LENDING_HOUSE: house.file });
  if (tally.failed > 0) house.keepLogs();
  return tally;
}

async function stop(): Promise<Tally> {
  await house?.stop();
  return none;
}

/** What breaks around the tests is a failure like theirs, and does not keep the others from being run. */
async function counted(what: string, work: () => Promise<Tally>): Promise<Tally> {
  try {
    return await work();
  } catch (cause) {
    console.error(`${what}:`, cause);
    return oneFailed;
  }
}
