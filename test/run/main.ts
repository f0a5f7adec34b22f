/**
 * `npm test`: what needs nothing first, then the journeys and the faults against a real house, started for them and
 * stopped after them. Arguments go to jest, so that a file or a name is run alone: npm test -- libs/book -t 'late fee'
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilTold } from '#deploy/stack/told.ts';
import { startTestHouse, type TestHouse } from '../stack/start.ts';
import { add, hasTests, none, type Part, runJest, type Tally } from './jest.ts';

const args = process.argv.slice(2);
const report = join(tmpdir(), `lending-tests-${process.pid}.json`);
let house: TestHouse | undefined;

const told = untilTold().then(() => 'told' as const);
const tally = await Promise.race([all(), told]);
await house?.stop();
rmSync(report, { force: true });
if (tally === 'told') process.exit(130);
console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
if (tally.passed + tally.failed === 0) console.log('no test matches');
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

async function all(): Promise<Tally> {
  let sum = none;
  if (await hasTests('pure', args)) sum = add(sum, await runJest('pure', args, report, {}));
  for (const part of ['journeys', 'faults'] as const) sum = add(sum, await withHouse(part));
  return sum;
}

async function withHouse(part: Part): Promise<Tally> {
  if (!(await hasTests(part, args))) return none;
  try {
    house ??= await startTestHouse((line) => console.log(`house    ${line}`));
  } catch (cause) {
    console.error('the house did not start:', cause);
    return { ...none, failed: 1 };
  }
  const tally = await runJest(part, args, report, { LENDING_HOUSE: house.file });
  if (tally.failed > 0) house.keepLogs();
  return tally;
}
