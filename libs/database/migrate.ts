/** Brings the database to the newest schema. Forward only; several starters wait for one another. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

const dir = fileURLToPath(new URL('./migrations', import.meta.url));

const options = {
  dir,
  migrationsTable: 'migrations',
  direction: 'up',
  count: Number.POSITIVE_INFINITY,
  singleTransaction: true,
  // Left to itself it fails where another migrates.
  advisoryLockMode: 'wait',
  log: () => undefined,
} as const;

/** The names of the migrations that were run now. `databaseUrl` logs in as the owner of the tables. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const done = await runner({ ...options, databaseUrl });
  return done.map((migration) => migration.name);
}

/** The same tables once more, in a schema that is made for them. */
export async function migrateBeside(databaseUrl: string, schema: string): Promise<void> {
  await runner({ ...options, databaseUrl, schema, createSchema: true });
}
