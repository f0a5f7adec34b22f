/** Postgres as whoever goes through whole tables asks it: an audit, a rebuild. No service of a cell uses it. */
import type pg from 'pg';
import { type Database, type DatabaseOptions, openPool } from './database.ts';

/** Reads alone, with the rights of a service. */
export function openForAudit({ url, name, connections = 2 }: DatabaseOptions): Database {
  return open(url, name, connections, '-c role=lending_service -c default_transaction_read_only=on');
}

/** As the owner of the tables, who finds and makes them in `schema`. What it writes is made durable by whoever ends it. */
export function openAsOwner({ url, name, connections = 4 }: DatabaseOptions, schema: string): Database {
  return open(
    url,
    name,
    connections,
    `-c search_path=${schema} -c synchronous_commit=off -c maintenance_work_mem=128MB`,
  );
}

function open(url: string, name: string, connections: number, settings: string): Database {
  return openPool({ url, name, connections }, `${settings} -c jit=off`);
}

/** All that is asked on the connection is of one moment, however long it takes. */
export async function inOneMoment<T>(database: Database, work: (on: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const done = await work(client);
    await client.query('COMMIT');
    client.release();
    return done;
  } catch (cause) {
    client.release(true);
    throw cause;
  }
}
