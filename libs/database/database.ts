/** Queries to Postgres: named statements, transactions, and which errors mean that the database is unavailable. */
import type pg from 'pg';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { isLoginError } from './pool.ts';

export type Database = pg.Pool;
/** The pool, or one connection of it. */
export type Queryable = pg.Pool | pg.PoolClient;

/** Measures where the time of a request goes. */
export interface StageTimer {
  measure<T>(stage: 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T>;
}

/** For reads of no single request, and within a time that is measured already. */
export const untimed: StageTimer = { measure: async (_, work) => work() };

/** Runs a statement that the server keeps prepared under its name. */
export async function query<Row>(
  database: Queryable,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const result = await database.query({ name, text, values: [...values] });
    return result.rows as Row[];
  } catch (cause) {
    throw isEnvironmentError(cause) ? new DependencyUnavailableError(name, { cause }) : cause;
  }
}

/** Like `query`, with the waits for a connection and for the answer measured apart. */
export function queryTimed<Row>(
  database: Database,
  timer: StageTimer,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return withConnection(database, timer, (connection) => query<Row>(connection, name, text, values));
}

export async function withConnection<T>(
  database: Database,
  timer: StageTimer,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  const client = await timer
    .measure('conn', () => database.connect())
    .catch((cause: unknown) => {
      throw isEnvironmentError(cause) ? new DependencyUnavailableError('connection', { cause }) : cause;
    });
  try {
    return await timer.measure('db', () => work(client));
  } finally {
    client.release();
  }
}

export function inTransaction<T>(database: Database, work: (connection: Queryable) => Promise<T>): Promise<T> {
  return runTransaction(database, work, 'COMMIT');
}

/** Runs `work` and takes back what it wrote. */
export function inRolledBackTransaction<T>(
  database: Database,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  return runTransaction(database, work, 'ROLLBACK');
}

async function runTransaction<T>(
  database: Database,
  work: (connection: Queryable) => Promise<T>,
  end: 'COMMIT' | 'ROLLBACK',
): Promise<T> {
  const connection = await database.connect();
  // Set where the connection must not return to the pool.
  let unusable: unknown;
  try {
    await connection.query('BEGIN');
    const result = await work(connection);
    await connection.query(end);
    return result;
  } catch (cause) {
    // Like the pool's own queries: a prepared statement may fail for as long as its connection lives, for example after
    // a rebuild has replaced the tables.
    if (isEnvironmentError(cause) && !isOwnError(cause)) unusable = cause;
    await connection.query('ROLLBACK').catch((error: Error) => {
      unusable = error;
    });
    throw cause;
  } finally {
    connection.release(unusable !== undefined);
  }
}

/** All reads of `work` see the database as of one moment. */
export async function inReadSnapshot<T>(
  database: Database,
  work: (connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (cause) {
    client.release(true);
    throw cause;
  }
}

/** A lock was not available in time, or of two transactions that waited for each other this one was ended. */
export function isLockConflict(cause: unknown): boolean {
  return ['55P03', '40P01'].includes((cause as { code?: string } | null)?.code ?? '');
}

/** Raised by a function of ours (class LX): the connection is as good as before. */
function isOwnError(cause: unknown): boolean {
  return String((cause as { code?: unknown } | null)?.code).startsWith('LX');
}

/** SQLSTATE classes that reject the values themselves: cardinality, data, constraint, limit; and damaged data. */
const valueErrors = /^((21|22|23|54)[0-9A-Z]{3}|XX00[12])$/;

/**
 * Whether an error comes from the environment and not from the values of the statement. Such errors are temporary (a
 * changed login, a table that a migration will create), so nothing permanent may follow from them (A9).
 */
export function isEnvironmentError(cause: unknown): boolean {
  // Login errors come first: a missing role is reported with the code of an invalid value.
  if (isLoginError(cause)) return true;
  // Thrown while a value was encoded or decoded.
  if (cause instanceof TypeError || cause instanceof RangeError) return false;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code !== 'string' || !valueErrors.test(code);
}
