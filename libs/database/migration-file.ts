/** One migration: a file of SQL whose first line states how it runs. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationBuilder } from 'node-pg-migrate';

export const migrationsDir = fileURLToPath(new URL('./migrations', import.meta.url));

/** How the statements of a migration are run. */
export type MigrationMode = 'in a transaction' | 'without a transaction' | 'in batches';

export interface MigrationFile {
  readonly name: string;
  readonly mode: MigrationMode;
  readonly sql: string;
}

/** Statements of the services queue behind a lock that is waited for, so it is not waited for longer. */
const maxLockWait = '500ms';

const firstLine = /^-- Up Migration(?:: (without a transaction|in batches))?\n/;
const concurrentIndex = /\bCREATE (UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(\w+) ON (\w+)([^;]*)/i;

export function parseMigration(name: string, sql: string): MigrationFile {
  const match = firstLine.exec(sql);
  if (match === null) {
    throw new Error(
      `migration ${name} begins with ${JSON.stringify(sql.split('\n')[0])}; expected "-- Up Migration", ` +
        '"-- Up Migration: without a transaction" or "-- Up Migration: in batches"',
    );
  }
  return { name, mode: (match[1] as MigrationMode | undefined) ?? 'in a transaction', sql };
}

/** For node-pg-migrate. */
export function loadMigrationFiles(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const file = parseMigration(basename(path, '.sql'), await readFile(path, 'utf8'));
      return { id: path, filePaths: [path], actions: actionsOf(file) };
    }),
  );
}

interface MigrationActions {
  readonly up: (pgm: MigrationBuilder) => Promise<void> | void;
  /** There is no way back. */
  readonly down: false;
}

function actionsOf({ mode, sql }: MigrationFile): MigrationActions {
  switch (mode) {
    case 'in a transaction':
      return { up: (pgm) => pgm.sql(`SET LOCAL lock_timeout = '${maxLockWait}';\n${sql}`), down: false };
    case 'without a transaction':
      return { up: (pgm) => runAlone(pgm, sql), down: false };
    case 'in batches':
      return { up: (pgm) => runInBatches(pgm, sql), down: false };
  }
}

async function runAlone(pgm: MigrationBuilder, sql: string): Promise<void> {
  pgm.noTransaction();
  const match = concurrentIndex.exec(sql);
  if (match === null) {
    pgm.sql(sql);
    return;
  }
  const [, unique = '', index, table, definition] = match as RegExpExecArray & Record<2 | 3 | 4, string>;
  const parts = await findPartitionTables(pgm, table);
  if (parts.length === 0) {
    await dropInvalid(pgm, index);
    pgm.sql(sql);
    return;
  }
  // Postgres builds no index of a divided table concurrently: each of its tables gets one so, and the whole the sum of them.
  // Each statement is a transaction of its own, and what is there already is left as it is where the migration is tried again.
  for (const part of parts) {
    await dropInvalid(pgm, `${index}_${part}`);
    pgm.sql(`CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${index}_${part} ON ${part}${definition}`);
  }
  const withinLockWait = (statement: string) => pgm.sql(`SET LOCAL lock_timeout = '${maxLockWait}'; ${statement};`);
  withinLockWait(`CREATE ${unique}INDEX IF NOT EXISTS ${index} ON ONLY ${table}${definition}`);
  for (const part of parts) withinLockWait(`ALTER INDEX ${index} ATTACH PARTITION ${index}_${part}`);
}

async function findPartitionTables(pgm: MigrationBuilder, table: string): Promise<string[]> {
  const text =
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY inhrelid';
  const { rows } = await pgm.db.query(text, [table]);
  return rows.map(({ name }) => name);
}

/** A concurrent index that failed stays behind, invalid, and would pass for the finished one. */
async function dropInvalid(pgm: MigrationBuilder, index: string): Promise<void> {
  const invalid = 'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid';
  const { rowCount } = await pgm.db.query(invalid, [index]);
  if (rowCount === 1) pgm.sql(`DROP INDEX CONCURRENTLY ${index}`);
}

/** Repeats the statement until it changes no row, and pauses after each time for as long as it took. */
async function runInBatches(pgm: MigrationBuilder, sql: string): Promise<void> {
  pgm.noTransaction();
  await pgm.db.query(`SET lock_timeout = '${maxLockWait}'`);
  for (;;) {
    const startedAt = performance.now();
    const { rowCount } = await pgm.db.query(sql);
    if (!rowCount) return;
    await sleep(performance.now() - startedAt);
  }
}
