/**
 * Applies the migrations that a database lacks, while services use it: no statement waits for a lock for long, and what
 * could not get its lock is tried again. Forward only; concurrent callers wait for each other.
 */
import { type RunnerOption, runner } from 'node-pg-migrate';
import pg from 'pg';
import { retry } from '#libs/runtime/retry.ts';
import { isLockConflict } from './database.ts';
import { loadMigrationFiles, migrationsDir } from './migration-file.ts';
import { findPrimaryUrl } from './postgres-servers.ts';

const options = {
  migrationsTable: 'migrations',
  direction: 'up' as const,
  // One at a time, so that each is tried again alone.
  count: 1,
  singleTransaction: false,
  noLock: true,
  migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrationFiles }],
  log: () => undefined,
} satisfies Partial<RunnerOption>;

/** That of node-pg-migrate, which releases before this one take. */
const migrationLock = 7241865325823964n;
const lockPollMs = 100;
/** Another process that migrates, or transactions of services that hold a lock, may take as long as this. */
const waitTimeoutMs = 600_000;

class MigrationInProgressError extends Error {
  override readonly name = 'MigrationInProgressError';
}

export interface MigrateOptions {
  /** Called when a migration has to wait. */
  readonly onWait?: (cause: unknown) => void;
  /** Of the files, for tests. */
  readonly dir?: string;
}

/** Returns the names of the migrations it applied. `databaseUrl` must log in as the owner of the tables. */
export async function migrate(
  databaseUrl: string,
  { onWait, dir = migrationsDir }: MigrateOptions = {},
): Promise<string[]> {
  try {
    return await applyAll(databaseUrl, { dir }, onWait);
  } catch (cause) {
    if (!String(cause).includes('preceding already run migration')) throw cause;
    throw new Error(
      'the database was created before the baseline migration; prepare an empty database and run `lending rebuild --lost`, ' +
        'or delete .data/stack of a development stack',
      { cause },
    );
  }
}

/** Creates the tables in another schema of the same database. */
export async function migrateSchema(databaseUrl: string, schema: string): Promise<void> {
  await applyAll(databaseUrl, { dir: migrationsDir, schema, createSchema: true }, undefined);
}

interface MigrationTarget {
  readonly dir: string;
  readonly schema?: string;
  readonly createSchema?: true;
}

async function applyAll(address: string, target: MigrationTarget, onWait: MigrateOptions['onWait']): Promise<string[]> {
  const databaseUrl = await findPrimaryUrl(address);
  const connection = new pg.Client({ connectionString: databaseUrl, application_name: 'lending migrate' });
  await connection.connect();
  try {
    await acquireLock(connection, onWait);
    const applied: string[] = [];
    for (;;) {
      const [migration] = await retry(() => runner({ ...options, ...target, databaseUrl }), {
        isRetryable: isLockConflict,
        firstDelayMs: 200,
        maxDelayMs: 5_000,
        timeoutMs: waitTimeoutMs,
        ...(onWait === undefined ? {} : { onRetry: onWait }),
      });
      if (migration === undefined) break;
      applied.push(migration.name);
    }
    // A service checks that its migrations are applied before it writes.
    await connection.query(`GRANT SELECT ON "${target.schema ?? 'public'}".migrations TO lending_service`);
    return applied;
  } finally {
    await connection.end();
  }
}

/** Polled: a session that waits for the lock would block CREATE INDEX CONCURRENTLY of the session that holds it. */
function acquireLock(connection: pg.Client, onWait: MigrateOptions['onWait']): Promise<void> {
  const attempt = async (): Promise<void> => {
    const { rows } = await connection.query(`SELECT pg_try_advisory_lock(${migrationLock}) AS is_acquired`);
    if (rows[0].is_acquired !== true) throw new MigrationInProgressError('another process is migrating the database');
  };
  let isWaiting = false;
  return retry(attempt, {
    isRetryable: (cause) => cause instanceof MigrationInProgressError,
    firstDelayMs: lockPollMs,
    maxDelayMs: lockPollMs,
    timeoutMs: waitTimeoutMs,
    onRetry: (cause) => {
      if (!isWaiting) onWait?.(cause);
      isWaiting = true;
    },
  });
}
