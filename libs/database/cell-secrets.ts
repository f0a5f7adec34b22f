/** Secrets that all instances of a cell share and that are not configured. The migrations create them. */
import { type Database, query } from './database.ts';

export async function readCellSecret(database: Database, name: string): Promise<Buffer> {
  const [row] = await query<{ secret: Buffer }>(
    database,
    'cell_secret',
    'SELECT secret FROM cell_secrets WHERE name = $1',
    [name],
  );
  if (row === undefined) throw new Error(`table cell_secrets has no row "${name}": are all migrations applied?`);
  return row.secret;
}
