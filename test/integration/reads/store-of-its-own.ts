/** A database of a journey's own with the tables of a cell, to be filled at will, and what a statement looks at in it. */
import { randomUUID } from 'node:crypto';
import pg, { escapeLiteral } from 'pg';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import { house } from '#test/integration/tenant.ts';

export interface Store {
  /** As the owner of the tables, who may fill them. */
  readonly owner: pg.Client;
  /** As the services ask it. */
  readonly database: Database;
  close(): Promise<void>;
}

export async function openStore(name: string): Promise<Store> {
  const { databaseUrl, servicesDatabaseUrl } = house().stack;
  const scratch = `scratch_${randomUUID().slice(0, 8)}`;
  const cell = new pg.Client({ connectionString: databaseUrl });
  await cell.connect();
  await cell.query(`CREATE DATABASE ${scratch}`);
  const within = (address: string): string => {
    const url = new URL(address);
    url.pathname = `/${scratch}`;
    return url.href;
  };
  await migrate(within(databaseUrl));
  const owner = new pg.Client({ connectionString: within(databaseUrl) });
  await owner.connect();
  const database = openDatabase({ url: within(servicesDatabaseUrl), name });
  return {
    owner,
    database,
    async close() {
      await database.end();
      await owner.end();
      await cell.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
      await cell.end();
    },
  };
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows and entries of an index all that `work` asks looks at, by the plans of a statement that was asked often. */
export async function lookedAt(database: Database, work: (explained: Database) => Promise<unknown>): Promise<number> {
  let looked = 0;
  const connect = async () => {
    const client = await database.connect();
    const query = async ({ text, values }: { text: string; values: readonly (string | number)[] }) => {
      // Prepared, as the services have every statement: such a plan knows nothing of what is asked for.
      await client.query(`PREPARE explained AS ${text}`);
      const asked = values.map((value) => (typeof value === 'number' ? String(value) : escapeLiteral(value)));
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained (${asked.join(', ')})`);
      await client.query('DEALLOCATE explained');
      looked += rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      return client.query(text, [...values]);
    };
    return { query, release: () => client.release() };
  };
  await work({ connect } as unknown as Database);
  return looked;
}

function rowsOf(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
  if (!/Index|Seq Scan/.test(plan['Node Type'])) return below;
  return below + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
}
