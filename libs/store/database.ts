/** Postgres as the services use it: a pool that owns no table, numbers read as numbers, faults named. */
import pg from 'pg';
import { StoreUnavailable } from './unavailable.ts';

export type Database = pg.Pool;
/** The pool, or one connection of it that somebody holds. */
export type Asked = pg.Pool | pg.PoolClient;

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connections?: number;
  /** How long a connection, and then an answer, is waited for. Left out where work may take as long as it takes. */
  readonly withinMs?: number;
}

const INT8 = 20;

/** Sequences, offsets and microseconds stay far below 2^53; one that does not must not be rounded in silence. */
function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what is read exactly`);
  return value;
}

/** How values are read. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return integer;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** The role is taken on at login: whatever the address logs in as, a service cannot alter or drop a table. */
export function openDatabase({ url, name, connections = 8, withinMs }: DatabaseOptions): Database {
  // Every statement of the services goes by an index. A plan is kept with its statement, and one that was made while a
  // table was small would read the whole of it ever after.
  const settings = '-c role=lending_service -c synchronous_commit=on -c enable_seqscan=off';
  return openPool({ url, name, connections, ...(withinMs === undefined ? {} : { withinMs }) }, settings);
}

/** What is said where a store is there and does not say anything; the driver tells it by this sentence alone. */
const nothingSaid = 'Query read timeout';

/** A pool whose connections begin with these settings. */
export function openPool(
  { url, name, connections, withinMs }: DatabaseOptions & { readonly connections: number },
  settings: string,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    options: settings,
    max: connections,
    connectionTimeoutMillis: withinMs ?? 5_000,
    ...(withinMs === undefined ? {} : { query_timeout: withinMs }),
    keepAlive: true,
    types,
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** A statement the server keeps prepared under its name. */
export async function ask<Row>(
  database: Asked,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const result = await database.query({ name, text, values: values as unknown[] });
    return result.rows as Row[];
  } catch (cause) {
    // A connection that still waits for an answer would keep the next one waiting behind it.
    if (database instanceof pg.Client && (cause as Error).message === nothingSaid) void database.end();
    throw isFault(cause) ? new StoreUnavailable(name, { cause }) : cause;
  }
}

/** All of the work or none of it. */
export async function inTransaction<T>(database: Database, work: (connection: Asked) => Promise<T>): Promise<T> {
  const connection = await database.connect();
  let broken: Error | undefined;
  try {
    await connection.query('BEGIN');
    const done = await work(connection);
    await connection.query('COMMIT');
    return done;
  } catch (cause) {
    // A connection on which nothing can be taken back is of no use to whoever would get it next.
    await connection.query('ROLLBACK').catch((error: Error) => {
      broken = error;
    });
    throw cause;
  } finally {
    connection.release(broken);
  }
}

/** Class 08, 53, 57, 58 and errors without a state come from the world, 40 and 55 from another transaction; the rest is ours. */
export function isFault(cause: unknown): boolean {
  const state = (cause as { code?: unknown } | null)?.code;
  if (typeof state !== 'string' || !/^[0-9A-Z]{5}$/.test(state)) return true;
  return /^(08|40|53|55|57|58)/.test(state) || state === '25006';
}
