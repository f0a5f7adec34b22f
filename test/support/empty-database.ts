import type { Database } from '#libs/database/database.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';

/** As if the database was restored to before the first fact. `owner` is connected as the owner of its tables. */
export async function emptyDatabase(owner: Database): Promise<void> {
  const { rows } = await owner.query(
    `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
       WHERE schemaname = $1 AND tablename <> ALL ($2)`,
    [servingSchema, ['migrations', 'partitions', 'cell_secrets']],
  );
  await owner.query(`TRUNCATE ${rows[0].names}`);
  await owner.query('TRUNCATE console.sessions, console.one_time_links');
  await owner.query('UPDATE partitions SET next_event = 1, next_offset = 0, log_start = 0, owner = NULL');
}
