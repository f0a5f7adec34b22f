/** Migrations are applied once, while other connections use the tables. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#libs/database/migrate.ts';
import { migrationsDir } from '#libs/database/migration-file.ts';
import { waitForMigrations } from '#libs/database/required-migrations.ts';
import { migrateUpTo } from '#test/support/migrate-up-to.ts';
import { addressOf } from '#test/support/migrated-database.ts';
import { createPartitions } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

const scratch = `migrate_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let address: string;
beforeAll(async () => {
  const { databaseUrl } = testEnvironment().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  address = addressOf(scratch);
});
afterAll(async () => {
  // A session that is still ending would report an error to its client when the database is dropped.
  const sessions = 'SELECT FROM pg_stat_activity WHERE datname = $1';
  await eventually(async () => (await owner.query(sessions, [scratch])).rowCount === 0);
  await owner.query(`DROP DATABASE ${scratch}`);
  await owner.end();
});

test('a migration that starts during another one waits and then has nothing to do', async () => {
  const runs = await Promise.all([migrate(address), migrate(address), migrate(address)]);
  const [all, ...others] = runs.sort((a, b) => b.length - a.length);
  expect(all?.[0]).toBe('001_baseline');
  expect(others).toEqual([[], []]);
});

test('every later migration can be applied to divided tables', async () => {
  const lastBefore = 18;
  const scratch = await createScratchDatabase('migrate', { migrated: false });
  await migrateUpTo(scratch.ownerUrl, lastBefore);
  await createPartitions(scratch.ownerUrl);
  const later = readdirSync(migrationsDir).filter((file) => Number.parseInt(file, 10) > lastBefore);
  expect(await migrate(scratch.ownerUrl)).toHaveLength(later.length);
  await scratch.drop();
});

describe('while other connections use its table', () => {
  let scratch: ScratchDatabase;
  let dir: string;
  beforeEach(async () => {
    scratch = await createScratchDatabase('migrate', { migrated: false });
    dir = mkdtempSync(join(tmpdir(), 'lending-migrations-'));
    await scratch.owner.query('CREATE TABLE t (id integer, note text)');
    await scratch.owner.query('INSERT INTO t SELECT n % 20 FROM generate_series(1, 25) AS n');
  });
  afterEach(async () => {
    rmSync(dir, { recursive: true });
    await scratch.drop();
  });

  function write(name: string, sql: string, mode = ''): void {
    writeFileSync(join(dir, `${name}.sql`), `-- Up Migration${mode}\n${sql}\n`);
  }

  test('a migration that does not get its lock lets others pass, and is tried again', async () => {
    write('001_column', 'ALTER TABLE t ADD COLUMN kind text;');
    const { owner: reader, ownerUrl } = scratch;
    const writer = new pg.Client({ connectionString: ownerUrl });
    await writer.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM t');
    const waits: unknown[] = [];
    const migrated = migrate(ownerUrl, { dir, onWait: (cause) => waits.push(cause) });

    await eventually(() => waits.length >= 2);
    await writer.query('INSERT INTO t VALUES (100)');
    expect(waits[0]).toMatchObject({ code: '55P03' });
    await reader.query('COMMIT');
    expect(await migrated).toEqual(['001_column']);
    await writer.end();
  });

  test('an index that could not be built is dropped and built again', async () => {
    const mode = ': without a transaction';
    write('001_index', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS t_id ON t (id);', mode);
    const { owner, ownerUrl } = scratch;
    await expect(migrate(ownerUrl, { dir })).rejects.toThrow('could not create unique index');
    await owner.query('DELETE FROM t WHERE ctid NOT IN (SELECT min(ctid) FROM t GROUP BY id)');

    expect(await migrate(ownerUrl, { dir })).toEqual(['001_index']);
    const { rows } = await owner.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 't_id'::regclass");
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('an index of a divided table is built table by table', async () => {
    const { owner, ownerUrl } = scratch;
    await owner.query('CREATE TABLE divided (partition smallint, id integer) PARTITION BY LIST (partition)');
    for (const partition of [0, 1])
      await owner.query(`CREATE TABLE divided_${partition} PARTITION OF divided FOR VALUES IN (${partition})`);
    await owner.query('INSERT INTO divided VALUES (0, 1), (1, 1), (1, 1)');
    const mode = ': without a transaction';
    write('001_index', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS d_id ON divided (partition, id);', mode);
    await expect(migrate(ownerUrl, { dir })).rejects.toThrow('could not create unique index');
    await owner.query('DELETE FROM divided WHERE partition = 1');

    expect(await migrate(ownerUrl, { dir })).toEqual(['001_index']);
    const { rows } = await owner.query(
      "SELECT indrelid::regclass::text AS table FROM pg_index WHERE indisvalid AND indexrelid::regclass::text LIKE 'd_id%' ORDER BY 1",
    );
    expect(rows).toEqual([{ table: 'divided' }, { table: 'divided_0' }, { table: 'divided_1' }]);
  });

  test('two processes that build an index do not wait for each other for ever', async () => {
    write('001_index', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS t_id ON t (id);', ': without a transaction');
    const runs = await Promise.all([migrate(scratch.ownerUrl, { dir }), migrate(scratch.ownerUrl, { dir })]);
    expect(runs.flat()).toEqual(['001_index']);
  });

  test('rows are changed in batches, each in a transaction of its own', async () => {
    const batch = "UPDATE t SET note = 'x' WHERE ctid IN (SELECT ctid FROM t WHERE note IS NULL LIMIT 10);";
    write('001_notes', batch, ': in batches');
    expect(await migrate(scratch.ownerUrl, { dir })).toEqual(['001_notes']);

    const { rows } = await scratch.owner.query(
      'SELECT count(*)::int AS rows, note FROM t GROUP BY note, xmin ORDER BY 1',
    );
    expect(rows).toEqual([
      { rows: 5, note: 'x' },
      { rows: 10, note: 'x' },
      { rows: 10, note: 'x' },
    ]);
  });
});

describe('a service', () => {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await createScratchDatabase('migrate', { migrated: false });
  });
  afterAll(() => scratch.drop());

  test('waits for the migrations of its release, and uses a database with later ones', async () => {
    const events: string[] = [];
    const logger = { warn: ({ event }: { event: string }) => void events.push(event) };
    const waited = waitForMigrations(scratch.database, logger);
    await eventually(() => events.includes('dependency.unavailable'));
    await migrate(scratch.ownerUrl);
    await waited;

    await scratch.owner.query("INSERT INTO migrations (name, run_on) VALUES ('999_later', now())");
    await waitForMigrations(scratch.database, logger);
    expect(events).toEqual(['dependency.unavailable', 'dependency.available']);
  });
});
