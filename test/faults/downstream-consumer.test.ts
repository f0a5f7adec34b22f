/**
 * A lender's own store that consumes `lending.book-events`. Whatever is killed on either side, it ends up with every fact
 * exactly once and the same books as the service.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { killService, startService } from '#deploy/dev/services.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { Random } from '#libs/runtime/random.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { Workload } from './workload.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const testTimeoutMs = 60_000 + 60_000 * rounds;
const workers = 16;
/** A consumer must join its group before it can leave, which may take as long as a rebalance. */
const exitTimeoutMs = 20_000;

let here: TestEnvironment;
let tenant: Tenant;
let database: pg.Client;
let random: Random;
let schemaCount = 0;
/** How often a consumer found that another one had stored its batch. */
let supersededBatches = 0;
const consumers = new Set<ChildProcess>();

beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  database = new pg.Client({ connectionString: here.stack.databaseUrl });
  await database.connect();
  random = new Random(seed);
  console.log(`downstream with seed ${seed}`);
});
afterAll(async () => {
  await Promise.all([...consumers].map((consumer) => end(consumer, 'SIGKILL')));
  await tenant.close();
  await database.end();
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

async function count(from: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`SELECT count(*) AS count FROM ${from}`);
  return Number(rows[0]?.count);
}

async function untilStored(schema: string, more: number): Promise<void> {
  const from = await count(`${schema}.stored_facts`);
  await eventually(async () => (await count(`${schema}.stored_facts`)) >= from + more);
}

/** How the store differs from the facts of the service. */
async function differences(schema: string): Promise<unknown[]> {
  await eventually(async () => (await count(`${schema}.stored_facts`)) >= (await count('facts')));
  const { rows: outOfOrder } = await database.query(`
    SELECT partition, sequence, before FROM (
      SELECT partition, sequence, lag(sequence, 1, 0) OVER (PARTITION BY partition ORDER BY position) AS before
      FROM ${schema}.stored_facts) k WHERE sequence <> before + 1 LIMIT 5`);
  const { rows: unequal } = await database.query(`
    SELECT coalesce(k.partition, f.partition) AS partition, coalesce(k.sequence, f.event_number) AS sequence, k.body AS stored, f.body::text AS expected
    FROM ${schema}.stored_facts k FULL JOIN facts f ON k.partition = f.partition AND k.sequence = f.event_number
    WHERE (k.tenant_id, k.book_id, k.fact, k.kind, k.body, (extract(epoch FROM k.recorded_at) * 1000000)::bigint)
      IS DISTINCT FROM (f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text, f.recorded_at) LIMIT 5`);
  const differences = [...outOfOrder, ...unequal];
  // Wrong facts cannot be folded, and the failure would hide the cause.
  return differences.length > 0 ? differences : wrongFolds(schema);
}

interface StoredFact {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly fact: string;
  readonly kind: string;
  readonly body: string;
  readonly moment: string;
}

/** Compares the books folded from the store's rows with the snapshots of the service. */
async function wrongFolds(schema: string): Promise<string[]> {
  const { rows: facts } = await database.query<StoredFact>(
    `SELECT tenant_id, book_id, fact, kind, body, (extract(epoch FROM recorded_at) * 1000000)::bigint AS moment
     FROM ${schema}.stored_facts WHERE tenant_id = $1 ORDER BY position`,
    [tenant.id],
  );
  const { rows: snapshots } = await database.query<{ book_id: string; sequence: string; data: string }>(
    'SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1',
    [tenant.id],
  );
  expect(snapshots.length).toBeGreaterThan(0);
  const byBook = Map.groupBy(facts, ({ book_id }) => book_id);
  return snapshots.flatMap(({ book_id, sequence, data }) => {
    const decider = deciderFor(book_id);
    let book = decider.empty(tenant.id, book_id);
    for (const { fact, kind, body, moment } of (byBook.get(book_id) ?? []).slice(0, Number(sequence)))
      book = decider.replay(book, { sequence: Number(fact), kind, body, recordedAt: Number(moment) as Moment });
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
