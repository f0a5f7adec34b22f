/** An empty database of its own for one test file, on the Postgres server of the test run. */
import { randomUUID } from 'node:crypto';
import pg, { escapeLiteral } from 'pg';
import type { Database, Queryable } from '#libs/database/database.ts';
import { int8 } from '#libs/database/pg-binary.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { addressOf, createMigratedDatabase } from './migrated-database.ts';
import { testEnvironment } from './tenant.ts';

export interface ScratchDatabase {
  readonly ownerUrl: string;
  readonly servicesUrl: string;
  /** Connected as the owner of the tables. */
  readonly owner: pg.Client;
  /** Connected with the rights of the services. */
  readonly database: Database;
  drop(): Promise<void>;
}

export async function createScratchDatabase(
  name: string,
  { migrated = true, isDivided = true } = {},
): Promise<ScratchDatabase> {
  const { databaseUrl, servicesDatabaseUrl } = testEnvironment().stack;
  const databaseName = `scratch_${randomUUID().slice(0, 8)}`;
  const server = new pg.Client({ connectionString: databaseUrl });
  await server.connect();
  const ownerUrl = addressOf(databaseName);
  const servicesUrl = addressOf(databaseName, servicesDatabaseUrl);
  if (migrated) await createMigratedDatabase(server, databaseName, { isDivided });
  else await server.query(`CREATE DATABASE ${databaseName}`);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const database = openDatabase({ url: servicesUrl, name });
  return {
    ownerUrl,
    servicesUrl,
    owner,
    database,
    async drop() {
      await database.end();
      await owner.end();
      await server.query(`DROP DATABASE ${databaseName} WITH (FORCE)`);
      await server.end();
    },
  };
}

interface QueryPlan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly QueryPlan[];
}

/** Counts the table rows and index entries that the statements of `work` read, according to their plans. */
export async function countRowsExamined(
  database: Database,
  work: (explained: Database) => Promise<unknown>,
): Promise<number> {
  let examined = 0;
  const connect = async () => {
    const client = await database.connect();
    const query = async ({ text, values }: { text: string; values: readonly (string | number | Buffer)[] }) => {
      // Prepared, as in the services: a generic plan does not know the parameters.
      await client.query(`PREPARE explained AS ${text}`);
      const literals: string[] = [];
      for (const value of values) {
        const text = Buffer.isBuffer(value) ? await arrayText(client, value) : value;
        literals.push(typeof text === 'number' ? String(text) : escapeLiteral(text));
      }
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained (${literals.join(', ')})`);
      await client.query('DEALLOCATE explained');
      examined += rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      return client.query(text, [...values]);
    };
    return { query, release: () => client.release() };
  };
  await work({ connect } as object as Database);
  return examined;
}

/** A binary array as Postgres writes it as text. Its header has the type of the elements. */
async function arrayText(client: Queryable, array: Buffer): Promise<string> {
  const type = array.readInt32BE(8) === int8.oid ? 'bigint[]' : 'text[]';
  const { rows } = await client.query(`SELECT $1::${type}::text AS array`, [array]);
  return rows[0].array;
}

function rowsOf(plan: QueryPlan): number {
  const ofChildren = (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  if (!/Index|Seq Scan/.test(plan['Node Type'])) return ofChildren;
  return ofChildren + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
}
