/** How many processors are connected to a database, as Postgres knows it. */
import { type Queryable, query } from './database.ts';

/** Each has one session for its health checks, which is used every few seconds. */
export async function countProcessors(database: Queryable): Promise<number> {
  const [row] = await query<{ processors: number }>(
    database,
    'count_processors',
    `SELECT count(*)::int AS processors FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'processor health%'`,
    [],
  );
  return row?.processors ?? 0;
}
