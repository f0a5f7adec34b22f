/** Postgres as a reader asks it: with what it waited for a connection and for the answer told apart. */

import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Database, isFault, type Queryable, query } from './database.ts';

/** Where the time of a request goes. */
export interface Watch {
  measure<T>(part: 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T>;
}

/** One connection for one piece of work, given back whatever comes of it. */
export async function onConnection<T>(
  database: Database,
  watch: Watch,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  const client = await watch
    .measure('conn', () => database.connect())
    .catch((cause: unknown) => {
      throw isFault(cause) ? new DependencyUnavailableError('connection', { cause }) : cause;
    });
  try {
    return await watch.measure('db', () => work(client));
  } finally {
    client.release();
  }
}

export function askTimed<Row>(
  database: Database,
  watch: Watch,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return onConnection(database, watch, (connection) => query<Row>(connection, name, text, values));
}
