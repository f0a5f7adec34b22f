/**
 * A lender's own store that follows the topic: whatever is killed on either side of it, it ends up as the service's
 * books are, with no fact missing and none twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { projectDir } from '#deploy/stack/install.ts';
import { killService, startService } from '#deploy/start/house.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';
import { Lenders, seeded } from './lenders.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const withinMs = 60_000 + 60_000 * rounds;
const workers = 16;
/** A group is left only once it is joined, which may wait for the others of it. */
const endsWithinMs = 20_000;

let here: House;
let tenant: Tenant;
let database: pg.Client;
let random: () => number;
let schemas = 0;
/** How often a consumer found that another had taken its batch. */
let superseded = 0;
const keepers = new Set<ChildProcess>();

beforeAll(async () => {
  here = house();
  tenant = await Tenant.open(here);
  database = new pg.Client({ connectionString: here.stack.databaseUrl });
  await database.connect();
  random = seeded(seed);
  console.log(`downstream with seed ${seed}`);
});
afterAll(async () => {
  await Promise.all([...keepers].map((keeper) => end(keeper, 'SIGKILL')));
  await tenant.close();
  await database.end();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tables without a rule against repeats: that there are none is what is to be shown. */
async function emptyStore(): Promise<string> {
  schemas += 1;
  const schema = `keeper_${seed}_${schemas}`;
  await database.query(`
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.positions (partition int PRIMARY KEY, sequence bigint NOT NULL, next_offset bigint NOT NULL);
    CREATE TABLE ${schema}.kept (
      place bigint GENERATED ALWAYS AS IDENTITY, partition int, sequence bigint, tenant_id text, book_id text, fact bigint,
      kind text, recorded_at timestamptz, body text);`);
  return schema;
}

function keeper(schema: string, group = schema): ChildProcess {
  const args = ['--disable-warning=TimeoutNegativeWarning', join(projectDir, 'test', 'faults', 'keeper.ts')];
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl } = here.stack;
  const env = {
    ...process.env,
    KAFKA_BROKERS: kafkaBrokers,
    SCHEMA_REGISTRY_URL: schemaRegistryUrl,
    DATABASE_URL: databaseUrl,
    KEEPER_SCHEMA: schema,
    KEEPER_GROUP: group,
  };
  const child = spawn(process.execPath, args, { cwd: projectDir, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  keepers.add(child);
  child.stdout?.on('data', (said: Buffer) => {
    superseded += said.toString('utf8').split('superseded').length - 1;
  });
  return child;
}

/** Its code; null for one that was killed, as one is that does not end when it is told to. */
function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    const bound = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
    child.once('exit', (code) => {
      clearTimeout(bound);
      keepers.delete(child);
      resolve(code);
    });
    child.kill(signal);
  });
}

async function count(from: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`SELECT count(*) AS count FROM ${from}`);
  return Number(rows[0]?.count);
}

async function untilKept(schema: string, more: number): Promise<void> {
  const from = await count(`${schema}.kept`);
  await eventually(async () => (await count(`${schema}.kept`)) >= from + more, 45_000);
}

/** What of the store is not as the service keeps it. */
async function differences(schema: string): Promise<unknown[]> {
  await eventually(async () => (await count(`${schema}.kept`)) >= (await count('facts')), 30_000);
  const { rows: outOfOrder } = await database.query(`
    SELECT partition, sequence, before FROM (
      SELECT partition, sequence, lag(sequence, 1, 0) OVER (PARTITION BY partition ORDER BY place) AS before
      FROM ${schema}.kept) k WHERE sequence <> before + 1 LIMIT 5`);
  const { rows: unlike } = await database.query(`
    SELECT coalesce(k.partition, f.partition) AS partition, coalesce(k.sequence, f.event_no) AS sequence, k.body AS kept, f.body::text AS is
    FROM ${schema}.kept k FULL JOIN facts f ON k.partition = f.partition AND k.sequence = f.event_no
    WHERE (k.tenant_id, k.book_id, k.fact, k.kind, k.body, (extract(epoch FROM k.recorded_at) * 1000000)::bigint)
      IS DISTINCT FROM (f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text, f.recorded_at) LIMIT 5`);
  const found = [...outOfOrder, ...unlike];
  // What is not as it was told cannot be folded either, and would only hide what it is.
  return found.length > 0 ? found : foldedOtherwise(schema);
}

interface Kept {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly fact: string;
  readonly kind: string;
  readonly body: string;
  readonly moment: string;
}

/** The books folded from the store's own rows, beside the service's snapshots. */
async function foldedOtherwise(schema: string): Promise<string[]> {
  const { rows: kept } = await database.query<Kept>(
    `SELECT tenant_id, book_id, fact, kind, body, (extract(epoch FROM recorded_at) * 1000000)::bigint AS moment
     FROM ${schema}.kept WHERE tenant_id = $1 ORDER BY place`,
    [tenant.id],
  );
  const { rows: snapshots } = await database.query<{ book_id: string; sequence: string; data: string }>(
    'SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1',
    [tenant.id],
  );
  expect(snapshots.length).toBeGreaterThan(0);
  const byBook = Map.groupBy(kept, ({ book_id }) => book_id);
  return snapshots.flatMap(({ book_id, sequence, data }) => {
    const kind = deciderFor(book_id);
    let book = kind.empty(tenant.id, book_id);
    for (const { fact, kind: what, body, moment } of (byBook.get(book_id) ?? []).slice(0, Number(sequence)))
      book = kind.replay(book, { sequence: Number(fact), kind: what, body, recordedAt: Number(moment) as Moment });
    return kind.encode(book) === data ? [] : [`${book_id} at ${sequence} is not what its kept facts amount to`];
  });
}

async function underLoad(work: () => Promise<void>): Promise<void> {
  const lenders = new Lenders({ tenant, seed: seed * 100 + schemas, clients: 12, workers });
  await lenders.prepare();
  lenders.start();
  try {
    await work();
    // However little came through in that time: without one, there would be nothing of the service to compare with.
    await eventually(async () => (await count(`snapshots WHERE tenant_id = '${tenant.id}'`)) > 0, 30_000);
  } finally {
    await lenders.stop();
  }
  expect(lenders.surprises).toEqual([]);
}

describe('a store that follows the topic', () => {
  test(
    'is the service’s books, though its consumer and the publisher are killed at any moment',
    async () => {
      const schema = await emptyStore();
      let consumer = keeper(schema);
      await underLoad(async () => {
        for (let round = 0; round < rounds; round += 1) {
          await untilKept(schema, workers);
          await pause(random() * 300);
          await end(consumer, 'SIGKILL');
          await killService(here.services, 'processor');
          consumer = keeper(schema);
          await startService(here.services, 'processor');
          await untilKept(schema, workers * 2);
          await pause(random() * 300);
          await killService(here.services, 'processor');
          await startService(here.services, 'processor');
          await pause(random() * 300);
          await end(consumer, 'SIGKILL');
          consumer = keeper(schema);
        }
      });
      expect(await differences(schema)).toEqual([]);
      expect(await end(consumer, 'SIGTERM')).toBe(0);
    },
    withinMs,
  );

  test(
    'is the service’s books, though partitions go from one consumer to another and back',
    async () => {
      const schema = await emptyStore();
      const first = keeper(schema);
      await underLoad(async () => {
        await untilKept(schema, workers);
        for (let round = 0; round < rounds; round += 1) {
          const second = keeper(schema);
          await untilKept(schema, workers * 4);
          await pause(500 + random() * 500);
          await end(second, random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
          await untilKept(schema, workers);
        }
      });
      expect(await differences(schema)).toEqual([]);
      expect(await end(first, 'SIGTERM')).toBe(0);
    },
    withinMs,
  );

  test(
    'is left alone by a consumer that is told to end, at any moment of its joining',
    async () => {
      const schema = await emptyStore();
      const first = keeper(schema);
      await underLoad(async () => {
        for (let round = 0; round < 3 * rounds; round += 1) {
          const second = keeper(schema);
          await pause(300 + random() * 1_200);
          await end(second, 'SIGTERM');
          expect(second.signalCode).not.toBe('SIGKILL');
        }
      });
      expect(await differences(schema)).toEqual([]);
      expect(await end(first, 'SIGTERM')).toBe(0);
    },
    withinMs,
  );

  test(
    'is the service’s books, though two consumers each hold a partition for theirs',
    async () => {
      const schema = await emptyStore();
      // Two groups know nothing of each other, as an owner that was paused knows nothing of its successor.
      const rivals = [keeper(schema, `${schema}-a`), keeper(schema, `${schema}-b`)];
      superseded = 0;
      await underLoad(() => untilKept(schema, workers * 10 * rounds));
      expect(await differences(schema)).toEqual([]);
      await eventually(() => superseded > 0);
      for (const rival of rivals) expect(await end(rival, 'SIGTERM')).toBe(0);
    },
    withinMs,
  );
});
