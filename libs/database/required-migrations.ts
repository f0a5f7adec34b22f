/** Whether the database has the tables that this release needs. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { DependencyUnavailableError, waitForDependency } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { type Queryable, query } from './database.ts';
import { migrationsDir } from './migration-file.ts';

/** SQLSTATE where a release before this one has migrated last, or none has: the table is missing, or not readable. */
const notMigratedCodes = ['42P01', '42501'];

/**
 * A service without its tables would be ready and answer nothing, and a processor would take over partitions and commit
 * nothing. A database with later migrations is used: their release runs beside this one.
 */
export function waitForMigrations(database: Queryable, logger: Pick<Logger, 'warn'>): Promise<void> {
  return waitForDependency('the migrations of this release', () => checkMigrations(database), logger);
}

/** Of a further database, without which a service starts where it does not answer. */
export function waitForMigrationsIfReachable(database: Queryable, logger: Pick<Logger, 'warn'>): Promise<void> {
  const check = async (): Promise<void> => {
    const missing = await missingMigrations(database).catch((cause: unknown) => {
      if (cause instanceof DependencyUnavailableError) return [];
      throw cause;
    });
    requireNone(missing);
  };
  return waitForDependency('the migrations of this release in all databases', check, logger);
}

/** The names of those that this release needs and the database lacks. */
export async function missingMigrations(database: Queryable): Promise<string[]> {
  const applied = await readApplied(database);
  return readdirSync(migrationsDir)
    .map((file) => basename(file, '.sql'))
    .filter((name) => !applied.has(name));
}

async function checkMigrations(database: Queryable): Promise<void> {
  requireNone(await missingMigrations(database));
}

function requireNone(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const cause = new Error('run `lending prepare` of this release before its services');
  throw new DependencyUnavailableError(`migration ${missing.join(', ')}`, { cause });
}

async function readApplied(database: Queryable): Promise<Set<string>> {
  try {
    const rows = await query<{ name: string }>(database, 'applied_migrations', 'SELECT name FROM migrations', []);
    return new Set(rows.map(({ name }) => name));
  } catch (cause) {
    const { code } = ((cause as Error).cause ?? cause) as { code?: string };
    if (notMigratedCodes.includes(code ?? '')) return new Set();
    throw cause;
  }
}
