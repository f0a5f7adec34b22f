/** Applies the migrations that a database lacks. Forward only; concurrent callers wait for each other. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { findPrimaryUrl } from './postgres-servers.ts';

const options = {
  dir: fileURLToPath(new URL('./migrations', import.meta.url)),
  migrationsTable: 'migrations',
  direction: 'up',
  count: Number.POSITIVE_INFINITY,
  singleTransaction: true,
  // The default fails when another process is migrating.
  advisoryLockMode: 'wait',
  log: () => undefined,
} as const;

/** Returns the names of the migrations it applied. `databaseUrl` must log in as the owner of the tables. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  try {
    const applied = await runner({ ...options, databaseUrl: await findPrimaryUrl(databaseUrl) });
    return applied.map((migration) => migration.name);
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
  await runner({ ...options, databaseUrl: await findPrimaryUrl(databaseUrl), schema, createSchema: true });
}
