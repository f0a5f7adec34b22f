/** Whether a processor is connected to a database, as Postgres knows it. */
import { type Queryable, query } from './database.ts';

/** In a statement. */
export const hasProcessor = `EXISTS (
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'processor%')`;

export async function isProcessorConnected(database: Queryable): Promise<boolean> {
  const [row] = await query<{ connected: boolean }>(
    database,
    'has_processor',
    `SELECT ${hasProcessor} AS connected`,
    [],
  );
  return row?.connected === true;
}
