/**
 * Databases with all migrations and their partitions. Each is a copy of one that is migrated once in a run, because the
 * migrations take ten times as long as the copy.
 */
import pg from 'pg';
import { migrate } from '#libs/database/migrate.ts';
import { createPartitions, partitionCount } from './partitions.ts';
import { testEnvironment } from './tenant.ts';

interface MigratedDatabaseOptions {
  readonly partitions?: number;
  readonly isDivided?: boolean;
}

const templateLock = 7_305_118;

/** `server` is connected as the owner of the databases. */
export async function createMigratedDatabase(
  server: pg.Client,
  name: string,
  { partitions = partitionCount, isDivided = true }: MigratedDatabaseOptions = {},
): Promise<void> {
  const create = async (database: string): Promise<void> => {
    await server.query(`CREATE DATABASE ${database}`);
    const url = addressOf(database);
    await migrate(url);
    await createPartitions(url, partitions, { isDivided });
  };
  const { sources } = testEnvironment().stack;
  // A template would stay on a server that is not of this run, and miss later migrations.
  if (sources.postgres === 'environment') return create(name);
  const template = `template_${partitions}_${isDivided ? 'divided' : 'undivided'}`;
  await createTemplate(server, template, create);
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await giveOwnIdentity(addressOf(name));
}

/** The test files of a run wait for each other. */
async function createTemplate(
  server: pg.Client,
  name: string,
  create: (database: string) => Promise<void>,
): Promise<void> {
  await server.query('SELECT pg_advisory_lock($1)', [templateLock]);
  try {
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    // It has its name once it is complete.
    const incomplete = `${name}_incomplete`;
    await server.query(`DROP DATABASE IF EXISTS ${incomplete} WITH (FORCE)`);
    await create(incomplete);
    await server.query(`ALTER DATABASE ${incomplete} RENAME TO ${name}`);
  } finally {
    await server.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  }
}

/** As migrations give each database one of its own. */
async function giveOwnIdentity(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('UPDATE database_identity SET cell = gen_random_uuid()');
    await owner.query('UPDATE cell_secrets SET secret = sha256(gen_random_uuid()::text::bytea)');
  } finally {
    await owner.end();
  }
}

/** Of a database on the same server, for the same user. */
export function addressOf(name: string, url = testEnvironment().stack.databaseUrl): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
