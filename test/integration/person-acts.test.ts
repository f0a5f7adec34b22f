/** What was done to persons is submitted to the log by every console of the cell; the running one is one of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, query } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { recordLater } from '#libs/people/unrecorded-acts.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { ActRecorder, type ActRecorderOptions } from '#services/console/record-acts.ts';
import { createScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

const acts = 60;

const act = { actor: 'ana', origin: { channel: 'command_line' }, action: 'invited' } as const;

let tenant: Tenant;
let opened: OpenedDatabases;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  opened = await openTestDatabases(testEnvironment(), { name: 'person-acts', connections: 8 });
});
afterAll(() => Promise.all([tenant.close(), opened.close()]));

test('several consoles record each act once', async () => {
  const { databases } = opened;
  for (let at = 0; at < acts; at += 1) await recordLater(databases.home, { ...act, subject: `act-${at}` }, tenant.id);
  const { administration } = tenant;
  const recordAll = async (): Promise<void> => {
    const recorder = new ActRecorder({ databases, administration, logger: silentLogger });
    while (await recorder.recordNext());
  };
  const isWaiting = 'SELECT FROM console.unrecorded_acts WHERE tenant_id = $1 LIMIT 1';
  await eventually(async () => {
    await Promise.all([recordAll(), recordAll(), recordAll()]);
    return (await query(databases.home, 'waiting_acts', isWaiting, [tenant.id])).length === 0;
  });
  const text = `SELECT body::json ->> 'subject' AS subject, count(*) FROM facts
    WHERE tenant_id = $1 AND kind = 'person_act' GROUP BY subject ORDER BY count(*) DESC`;
  const recorded = await query<{ count: number }>(databases.ofTenancy(tenant.id), 'recorded_acts', text, [tenant.id]);
  expect(recorded.map(({ count }) => count)).toEqual(Array.from({ length: acts }, () => 1));
});

/** In a database without a console: this recorder alone records. */
async function recordInScratch(prepare: (database: Database) => Promise<unknown>, failures: Failures) {
  const { database: scratch, drop } = await createScratchDatabase('person_acts');
  try {
    const subjects = ['away/1', 'away/2', 'wrong/1', 'wrong/2', 'parked/1', 'fine/1', 'fine/2'];
    for (const subject of subjects)
      await recordLater(scratch, { ...act, subject }, subject.slice(0, subject.indexOf('/')));
    await prepare(scratch);
    const tried: string[] = [];
    const recordPersonAct: ActRecorderOptions['administration']['recordPersonAct'] = async (_actor, _tenant, body) => {
      tried.push(body.subject);
      return failures(body.subject);
    };
    const options = { databases: PartitionDatabases.of(scratch), administration: { recordPersonAct } };
    const recorder = new ActRecorder({ ...options, logger: silentLogger });
    for (let count = 0; count < subjects.length && (await recorder.recordNext()); count += 1);
    const text = `SELECT body::json ->> 'subject' AS subject FROM console.unrecorded_acts ORDER BY act_id`;
    const left = await query<{ subject: string }>(scratch, 'acts_left', text, []);
    return { tried, left: left.map(({ subject }) => subject) };
  } finally {
    await drop();
  }
}

type Failures = (subject: string) => Record<string, never> | ReturnType<typeof refuse>;

test('an act that cannot be recorded does not stop those of other books, and a refused one not those of its own', async () => {
  const parkBook = (scratch: Database) =>
    query(
      scratch,
      'test_park',
      `INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, recorded_at, parked)
       VALUES ('parked', 't', 0, 0, 0, 0, true)`,
      [],
    );
  const { tried, left } = await recordInScratch(parkBook, (subject) => {
    if (subject.startsWith('away/')) throw new DependencyUnavailableError('verdict');
    return subject === 'wrong/1' ? refuse('internal_error') : {};
  });
  expect(tried).toEqual(['away/1', 'wrong/1', 'wrong/2', 'fine/1', 'fine/2']);
  expect(left).toEqual(['away/1', 'away/2', 'wrong/1', 'parked/1']);
});
