/**
 * A lender's own store that consumes `lending.book-events`. Whatever is killed on either side, it ends up with every fact
 * exactly once and the same books as the service.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { killService, startService } from '#deploy/dev/services.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { type Database, query } from '#libs/database/database.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { Random } from '#libs/runtime/random.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';
import { Workload } from './workload.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const testTimeoutMs = 60_000 + 60_000 * rounds;
const workers = 16;
/** A consumer must join its group before it can leave, which may take as long as a rebalance. */
const exitTimeoutMs = 20_000;

let here: TestEnvironment;
let tenant: Tenant;
let opened: OpenedDatabases;
/** The tables of the lender are in the home database. */
let database: Database;
let random: Random;
let schemaCount = 0;
/** How often a consumer found that another one had stored its batch. */
let supersededBatches = 0;
const consumers = new Set<ChildProcess>();

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  opened = await openTestDatabases(here, { name: 'downstream', as: 'owner' });
  database = opened.databases.home;
  random = new Random(seed);
  console.log(`downstream with seed ${seed}`);
});
afterAll(async () => {
  await Promise.all([...consumers].map((consumer) => end(consumer, 'SIGKILL')));
  await tenant.close();
  await opened.close();
});

/** The tables have no unique constraint, so that repeated facts are stored and found. */
async function createStore(): Promise<string> {
  schemaCount += 1;
  const schema = `downstream_${seed}_${schemaCount}`;
  await database.query(`
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.positions (partition int PRIMARY KEY, sequence bigint NOT NULL, next_offset bigint NOT NULL);
    CREATE TABLE ${schema}.stored_facts (
      position bigint GENERATED ALWAYS AS IDENTITY, partition int, sequence bigint, tenant_id text, book_id text, fact bigint,
      kind text, recorded_at timestamptz, body text);`);
  return schema;
}

function startConsumer(schema: string, group = schema): ChildProcess {
  const args = [join(projectDir, 'test', 'faults', 'downstream-consumer.ts')];
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl } = here.stack;
  const env = {
    ...process.env,
    KAFKA_BROKERS: kafkaBrokers,
    SCHEMA_REGISTRY_URL: schemaRegistryUrl,
    DATABASE_URL: databaseUrl,
    CONSUMER_SCHEMA: schema,
    CONSUMER_GROUP: group,
  };
  const child = spawn(process.execPath, args, { cwd: projectDir, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  consumers.add(child);
  child.stdout?.on('data', (output: Buffer) => {
    supersededBatches += output.toString('utf8').split('superseded').length - 1;
  });
  return child;
}

/** The exit code; null for a killed process. A process that does not exit in time is killed. */
function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), exitTimeoutMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      consumers.delete(child);
      resolve(code);
    });
    child.kill(signal);
  });
}

async function count(from: string, databases: readonly Database[] = opened.databases.all): Promise<number> {
  const text = `SELECT count(*) AS count FROM ${from}`;
  const counts = await Promise.all(databases.map((each) => query<{ count: number }>(each, `count ${from}`, text, [])));
  return counts.flat().reduce((sum, { count }) => sum + count, 0);
}

const countStored = (schema: string): Promise<number> => count(`${schema}.stored_facts`, [database]);

async function untilStored(schema: string, more: number): Promise<void> {
  const from = await countStored(schema);
  await eventually(async () => (await countStored(schema)) >= from + more);
}

const moment = '(extract(epoch FROM recorded_at) * 1000000)::bigint AS moment';

interface StoredFact {
  readonly partition: number;
  readonly sequence: number;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly fact: number;
  readonly kind: string;
  readonly body: string;
  readonly moment: Moment;
}

/** How the store differs from the facts of the service. */
async function differences(schema: string): Promise<unknown[]> {
  await eventually(async () => (await countStored(schema)) >= (await count('facts')));
  const { rows: outOfOrder } = await database.query(`
    SELECT partition, sequence, before FROM (
      SELECT partition, sequence, lag(sequence, 1, 0) OVER (PARTITION BY partition ORDER BY position) AS before
      FROM ${schema}.stored_facts) k WHERE sequence <> before + 1 LIMIT 5`);
  const { rows: stored } = await database.query<StoredFact>(
    `SELECT partition, sequence, tenant_id, book_id, fact, kind, body, ${moment} FROM ${schema}.stored_facts ORDER BY position`,
  );
  const factsText = `SELECT partition, event_number AS sequence, tenant_id, book_id, sequence AS fact, kind, body::text AS body,
    recorded_at AS moment FROM facts`;
  const expected = byPlace(await queryAll<StoredFact>(opened.databases, 'test facts', factsText));
  const found = byPlace(stored);
  const unequal = [...new Set([...expected.keys(), ...found.keys()])]
    .map((place) => ({ place, stored: found.get(place), expected: expected.get(place) }))
    .filter(({ stored, expected }) => !isDeepStrictEqual(stored, expected));
  const differences = [...outOfOrder, ...unequal.slice(0, 5)];
  // Wrong facts cannot be folded, and the failure would hide the cause.
  return differences.length > 0 ? differences : wrongFolds(stored);
}

function byPlace(facts: readonly StoredFact[]): Map<string, StoredFact> {
  return new Map(facts.map((fact) => [`${fact.partition}/${fact.sequence}`, fact]));
}

/** Compares the books folded from the store's rows with the snapshots of the service. */
async function wrongFolds(facts: readonly StoredFact[]): Promise<string[]> {
  const text = 'SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1';
  type Snapshot = { readonly book_id: string; readonly sequence: number; readonly data: string };
  const snapshots = await queryAll<Snapshot>(opened.databases, 'test snapshots', text, [tenant.id]);
  expect(snapshots.length).toBeGreaterThan(0);
  const ofTenancy = facts.filter(({ tenant_id }) => tenant_id === tenant.id);
  const byBook = Map.groupBy(ofTenancy, ({ book_id }) => book_id);
  return snapshots.flatMap(({ book_id, sequence, data }) => {
    const decider = deciderFor(book_id);
    let book = decider.empty(tenant.id, book_id);
    for (const { fact, kind, body, moment } of (byBook.get(book_id) ?? []).slice(0, sequence))
      book = decider.replay(book, { sequence: fact, kind, body, recordedAt: moment });
    return runToEnd(decider.encode(book)) === data
      ? []
      : [`${book_id} at ${sequence} differs from the fold of the stored facts`];
  });
}

async function underLoad(work: () => Promise<void>): Promise<void> {
  const workload = new Workload({ tenant, seed: seed * 100 + schemaCount, clients: 12, workers });
  await workload.prepare();
  workload.start();
  try {
    await work();
    // The comparison needs at least one snapshot.
    await eventually(async () => (await count(`snapshots WHERE tenant_id = '${tenant.id}'`)) > 0);
  } finally {
    await workload.stop();
  }
  expect(workload.unexpected).toEqual([]);
}

test(
  'a store has every fact exactly once when its consumer and the publisher are killed at any moment',
  async () => {
    const schema = await createStore();
    let consumer = startConsumer(schema);
    await underLoad(async () => {
      for (let round = 0; round < rounds; round += 1) {
        await untilStored(schema, workers);
        await sleep(random.integer(0, 300));
        await end(consumer, 'SIGKILL');
        await killService(here.services, 'processor');
        consumer = startConsumer(schema);
        await startService(here.services, 'processor');
        await untilStored(schema, workers * 2);
        await sleep(random.integer(0, 300));
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
        await sleep(random.integer(0, 300));
        await end(consumer, 'SIGKILL');
        consumer = startConsumer(schema);
      }
    });
    expect(await differences(schema)).toEqual([]);
    expect(await end(consumer, 'SIGTERM')).toBe(0);
  },
  testTimeoutMs,
);

test(
  'a store has every fact exactly once when partitions move from one consumer to another and back',
  async () => {
    const schema = await createStore();
    const first = startConsumer(schema);
    await underLoad(async () => {
      await untilStored(schema, workers);
      for (let round = 0; round < rounds; round += 1) {
        const second = startConsumer(schema);
        await untilStored(schema, workers * 4);
        await sleep(random.integer(500, 1_000));
        await end(second, random.chance(0.5) ? 'SIGTERM' : 'SIGKILL');
        await untilStored(schema, workers);
      }
    });
    expect(await differences(schema)).toEqual([]);
    expect(await end(first, 'SIGTERM')).toBe(0);
  },
  testTimeoutMs,
);

test(
  'a store has every fact exactly once when another consumer is stopped at any moment while it joins',
  async () => {
    const schema = await createStore();
    const first = startConsumer(schema);
    await underLoad(async () => {
      for (let round = 0; round < 3 * rounds; round += 1) {
        const second = startConsumer(schema);
        await sleep(random.integer(300, 1_500));
        await end(second, 'SIGTERM');
        expect(second.signalCode).not.toBe('SIGKILL');
      }
    });
    expect(await differences(schema)).toEqual([]);
    expect(await end(first, 'SIGTERM')).toBe(0);
  },
  testTimeoutMs,
);

test(
  'a store has every fact exactly once when two consumers own the same partitions at the same time',
  async () => {
    const schema = await createStore();
    // Two groups, like an owner that was paused and its successor.
    const rivals = [startConsumer(schema, `${schema}-a`), startConsumer(schema, `${schema}-b`)];
    supersededBatches = 0;
    await underLoad(() => untilStored(schema, workers * 10 * rounds));
    expect(await differences(schema)).toEqual([]);
    await eventually(() => supersededBatches > 0);
    for (const rival of rivals) expect(await end(rival, 'SIGTERM')).toBe(0);
  },
  testTimeoutMs,
);
