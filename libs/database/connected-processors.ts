/** How many processors are connected to a database, as Postgres knows it. */
import { type Queryable, query } from './database.ts';

/** Begins the session name of the health checks of a processor: each has one such session, used every few seconds. */
export const processorHealthName = 'processor health';

export async function countProcessors(database: Queryable): Promise<number> {
  const [row] = await query<{ processors: number }>(
    database,
    'count_processors',
    `SELECT count(*)::int AS processors FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE '${processorHealthName}%'`,
    [],
  );
  return row?.processors ?? 0;
}
