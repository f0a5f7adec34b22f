/** A database that is restored to an earlier moment, and topics that are lost: repaired by one command each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { requireProcess, restartProcess, waitForExit } from '#deploy/dev/process-control.ts';
import { killService, startService } from '#deploy/dev/services.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { checkTopicOfCell, planRemakeOfCell, reconcileCell, remakeTopicsOfCell } from '#libs/cli/repair.ts';
import { openReadOnlyDatabase } from '#libs/database/pool.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { groupOffsets } from '#libs/kafka/topic-offsets.ts';
import { processorGroupId, topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { audit } from '#libs/verify/audit/audit.ts';
import { formatFinding } from '#libs/verify/audit/findings.ts';
import { planRestore, rebuild } from '#libs/verify/rebuild/rebuild.ts';
import { hasSeveralDatabases } from '#test/stack/database-count.ts';
import { auditFindings } from '#test/support/audit-findings.ts';
import { stopService } from '#test/support/service-process.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { findViolations } from './invariants.ts';
import { Workload } from './workload.ts';

/** The same of a cell with several: several-databases-repair.test.ts. */
const testOfOneDatabase = hasSeveralDatabases ? test.skip : test;

const testTimeoutMs = 360_000;
const stopTimeoutMs = 30_000;

let here: TestEnvironment;
/** Connected to another database of the server, so that the cell's database can be copied. */
let server: pg.Client;
let databaseName: string;
let copyName: string;
const tenantIds: string[] = [];
beforeAll(async () => {
  here = testEnvironment();
  const url = new URL(here.stack.databaseUrl);
  databaseName = decodeURIComponent(url.pathname.slice(1));
  copyName = `backup_${randomUUID().slice(0, 8)}`;
  url.pathname = '/template1';
  server = new pg.Client({ connectionString: url.href });
  await server.connect();
});
afterAll(async () => {
  await server.query(`DROP DATABASE IF EXISTS ${copyName} WITH (FORCE)`);
  await server.end();
});

/** Probably between an acknowledgement and its publication. The group then waits for the session of the processor. */
async function crashServices(): Promise<void> {
  await killService(here.services, 'processor');
  await killService(here.services, 'gateway');
}

async function stopServices(): Promise<void> {
  await stopService(here.services, 'gateway');
  await stopService(here.services, 'processor');
}

async function startServices(): Promise<void> {
  await startService(here.services, 'processor');
  await startService(here.services, 'gateway');
}

async function copyDatabase(source: string, target: string): Promise<void> {
  // Services that go on running would connect again before the copy.
  await server.query(`ALTER DATABASE "${source}" ALLOW_CONNECTIONS false`);
  await server.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1) AND pid <> pg_backend_pid()',
    [[source, target]],
  );
  await server.query(`DROP DATABASE IF EXISTS "${target}" WITH (FORCE)`);
  await server.query(`CREATE DATABASE "${target}" TEMPLATE "${source}"`);
  await server.query(`ALTER DATABASE "${source}" ALLOW_CONNECTIONS true`);
}

async function deleteTopics(names: readonly string[] = Object.values(topics)): Promise<void> {
  const admin = connectKafka(here.stack.kafkaBrokers, 'loss').admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [...names] });
  await eventually(async () => !(await admin.listTopics()).some((name) => names.includes(name)));
  await admin.disconnect();
}

/** Of the Tenancies of all tests so far, also in the topics. */
async function findingsInCell(): Promise<string[]> {
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl } = here.stack;
  const database = openReadOnlyDatabase({ url: databaseUrl, name: 'audit' });
  const kafka = connectKafka(kafkaBrokers, 'audit');
  try {
    const options = { database, kafka, schemaRegistryUrl, deciderFor, logger: silentLogger, maxFindings: 10_000 };
    const { findings } = await audit(options);
    const places = [...tenantIds, 'partition'];
    return findings.map(formatFinding).filter((line) => places.some((place) => line.includes(place)));
  } finally {
    await database.end();
  }
}

async function openWorkload(seed: number): Promise<{ tenant: Tenant; workload: Workload }> {
  const tenant = await Tenant.open(here);
  tenantIds.push(tenant.id);
  const workload = new Workload({ tenant, seed, clients: 6, workers: 2, requestTimeoutMs: testTimeoutMs });
  await workload.prepare();
  workload.start();
  await eventually(() => workload.acknowledged.size > 50);
  return { tenant, workload };
}

async function executeInCell(text: string): Promise<unknown[]> {
  const owner = new pg.Client({ connectionString: here.stack.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query(text).finally(() => owner.end());
  return rows;
}

/** Of a book that does not exist, so that nothing else of the cell changes. */
async function addParkedRecord(): Promise<void> {
  await executeInCell(`INSERT INTO parked_log_entries (partition, "offset", value) VALUES (0, -1, 'a record')`);
  await executeInCell(
    `INSERT INTO parked_submissions (tenant_id, book_id, partition, "offset", item) VALUES ('unknown', 'c/unknown', 0, -1, 0)`,
  );
}

const nextOffsets = () => executeInCell('SELECT partition, next_offset FROM partitions ORDER BY partition');

/** What the processors committed to Kafka, over all partitions. They do so every two seconds. */
async function processedSubmissions(): Promise<number> {
  const kafka = connectKafka(here.stack.kafkaBrokers, 'group');
  const offsets = await groupOffsets(kafka, processorGroupId, topics.submissions);
  return [...offsets.values()].reduce((sum, offset) => sum + offset, 0);
}

/** As a supervisor does, which starts a process again whenever it ends. */
async function startProcessorUntilItEnds(): Promise<void> {
  const { dir } = here.services;
  await restartProcess(dir, requireProcess(dir, 'processor'));
  expect(await waitForExit(requireProcess(dir, 'processor'), stopTimeoutMs)).toBe(true);
}

/** Everything that is committed now is in the topic. What is not would be lost with the database. */
async function eventuallyPublished(): Promise<void> {
  const committed = (await readTopicState()).map((partition) => partition.committed);
  const isPublished = async (): Promise<boolean> =>
    (await readTopicState()).every(({ published }, partition) => published >= (committed[partition] ?? 0));
  await eventually(isPublished, 60_000);
}

/** By partition. */
async function readTopicState(): Promise<{ readonly published: number; readonly committed: number }[]> {
  const lines: string[] = [];
  expect(await checkTopicOfCell(here.stack, (line) => lines.push(line))).toMatchObject({ isWhole: true });
  return lines.map((line) => {
    const [, published, committed] = /: (\d+) of (\d+) events/.exec(line) ?? [];
    return { published: Number(published), committed: Number(committed) };
  });
}

async function eventuallyAcknowledged(workload: Workload, more: number): Promise<void> {
  const before = workload.acknowledged.size;
  await eventually(() => workload.acknowledged.size > before + more, 60_000);
}

/** More is acknowledged, and everything that ever was is recorded once. */
async function expectNothingLost({ tenant, workload }: { tenant: Tenant; workload: Workload }): Promise<void> {
  await eventuallyAcknowledged(workload, 50);
  await workload.stop();
  expect(workload.unexpected).toEqual([]);
  expect(await findViolations(here, tenant.id, workload.acknowledged)).toEqual([]);
  await tenant.close();
}

testOfOneDatabase(
  'a database restored to an earlier moment is brought forward from the topics, and every acknowledged write is recorded once',
  async () => {
    const load = await openWorkload(91);
    await stopServices();
    await copyDatabase(databaseName, copyName);
    const processed = await processedSubmissions();
    await startServices();
    await eventuallyAcknowledged(load.workload, 100);
    await eventually(async () => (await processedSubmissions()) > processed);
    await crashServices();
    await copyDatabase(copyName, databaseName);
    const before = { database: await nextOffsets(), group: await processedSubmissions() };
    for (let start = 0; start < 2; start += 1) await startProcessorUntilItEnds();
    expect({ database: await nextOffsets(), group: await processedSubmissions() }).toEqual(before);
    const lines: string[] = [];
    await reconcileCell(here.stack, (line) => lines.push(line));
    expect(Number(lines.find((line) => line.includes('read back'))?.split(' ')[0])).toBeGreaterThan(50);
    const again: string[] = [];
    await reconcileCell(here.stack, (line) => again.push(line));
    expect(again).toContain('0 facts were read back from the topic');
    await startServices();
    await expectNothingLost(load);
    // The console of the stack writes to the log what was done by commands, an attempt without an answer a second time.
    const text = `SELECT DISTINCT body ->> 'act_id' FROM facts WHERE kind = 'person_act' AND body ->> 'action' = 'cell_command' AND body ->> 'subject' = 'reconcile'`;
    await eventually(async () => (await executeInCell(text)).length === 2);
    expect(await findingsInCell()).toEqual([]);
  },
  testTimeoutMs,
);

testOfOneDatabase('nothing is reconciled or made again while a processor runs', async () => {
  await expect(reconcileCell(here.stack, () => undefined)).rejects.toThrow('a processor is running');
  await deleteTopics([topics.parked]);
  await expect(remakeTopicsOfCell(here.stack, 1, () => undefined)).rejects.toThrow('a processor is running');
  expect((await planRemakeOfCell(here.stack, () => undefined)).missingTopics).toEqual([topics.parked]);
  await prepare(here.stack);
});

testOfOneDatabase(
  'after the loss of Kafka the topics are made again, and every acknowledged write is recorded once',
  async () => {
    const load = await openWorkload(92);
    await stopServices();
    await deleteTopics();
    const lines: string[] = [];
    const plan = await planRemakeOfCell(here.stack, () => undefined);
    expect([...plan.missingTopics].sort()).toEqual(Object.values(topics).sort());
    expect(await planRemakeOfCell(here.stack, () => undefined)).toEqual(plan);
    await addParkedRecord();
    const { restarted } = await remakeTopicsOfCell(here.stack, 1, (line) => lines.push(line));
    expect(lines[0]).toContain('lending.submissions continues at its present end');
    expect(restarted).toEqual(plan.restarted);
    const again: string[] = [];
    await remakeTopicsOfCell(here.stack, 1, (line) => again.push(line));
    expect(again[0]).toBe('lending.submissions holds what was processed');
    // As after a command that was interrupted before it wrote them.
    for (const printed of [lines, again])
      expect(printed).toContain('1 records of parked books were written to lending.parked');
    await startServices();
    await eventuallyAcknowledged(load.workload, 50);
    await eventuallyPublished();
    // The database is lost as well, with its knowledge that the log was made again.
    await crashServices();
    await server.query(`DROP DATABASE "${databaseName}" WITH (FORCE)`);
    await server.query(`CREATE DATABASE "${databaseName}"`);
    const { kafkaBrokers, schemaRegistryUrl, databaseUrl } = here.stack;
    const kafka = connectKafka(kafkaBrokers, 'rebuild');
    await prepare(here.stack);
    const options = { kafka, schemaRegistryUrl, ownerUrl: databaseUrl, logger: silentLogger, databaseLost: true };
    const lost = await planRestore(options);
    const { eventCount, restored, previousSchema } = await rebuild(options);
    expect([lost.events >= eventCount, lost.submissions > 0]).toEqual([true, true]);
    await expect(planRestore(options)).rejects.toThrow('the database contains facts');
    await executeInCell(`DROP SCHEMA ${previousSchema} CASCADE`);
    expect(restored?.resubmitted).toBeGreaterThan(0);
    await startServices();
    await expectNothingLost(load);
    // The next test audits the topics: each such audit waits until all movements are computed again.
    expect(await auditFindings(here, load.tenant.id)).toEqual([]);
  },
  testTimeoutMs,
);

testOfOneDatabase(
  'a database restored to a moment before its topics were made again is brought forward from them',
  async () => {
    const load = await openWorkload(93);
    await stopServices();
    await copyDatabase(databaseName, copyName);
    await startServices();
    await eventuallyAcknowledged(load.workload, 50);
    await stopServices();
    await deleteTopics();
    await remakeTopicsOfCell(here.stack, 1, () => undefined);
    await startServices();
    await eventuallyPublished();
    await eventuallyAcknowledged(load.workload, 100);
    await crashServices();
    await copyDatabase(copyName, databaseName);
    await reconcileCell(here.stack, () => undefined);
    const again: string[] = [];
    await reconcileCell(here.stack, (line) => again.push(line));
    expect(again).toContain('0 facts were read back from the topic');
    await startServices();
    await expectNothingLost(load);
    expect(await findingsInCell()).toEqual([]);
  },
  testTimeoutMs,
);
