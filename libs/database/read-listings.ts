/** What Postgres alone answers: pages of what is listed in a whole Tenancy. */
import { type Database, query } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

/** The key of cursors of this cell, for instances that were given none. */
export async function cellSecret(database: Database, name: string): Promise<Buffer> {
  const rows = await query<{ secret: Buffer }>(
    database,
    'cell_secret',
    'SELECT secret FROM cell_secrets WHERE name = $1',
    [name],
  );
  const found = rows[0];
  if (found === undefined) throw new Error(`the cell has no secret for ${name}`);
  return found.secret;
}

export interface ListedClient {
  readonly number: number;
  /** What was stated at registration, and whose. */
  readonly row: { readonly client_id: string };
  readonly recorded_at: number;
}

/** Newest first, before a number. */
export function clientsBefore(
  database: Database,
  watch: Watch,
  { tenantId, before, most }: { readonly tenantId: string; readonly before: number; readonly most: number },
): Promise<ListedClient[]> {
  const text = `
    SELECT l.number, l."row", f.recorded_at FROM listed l
    CROSS JOIN LATERAL (SELECT recorded_at FROM facts WHERE tenant_id = l.tenant_id AND book_id = l.book_id
      AND kind = 'registered' ORDER BY sequence LIMIT 1) f
    WHERE l.tenant_id = $1 AND l.listing = 'clients' AND l.number < $2 ORDER BY l.number DESC LIMIT $3`;
  return askTimed(database, watch, 'clients_before', text, [tenantId, before, most]);
}

export interface ListedConfiguration {
  readonly configuration_id: string;
  readonly version: number;
  /** JSON text of the whole answer. */
  readonly answer: string;
}

/** The latest version of each, newest product first. */
export function configurationsBefore(
  database: Database,
  watch: Watch,
  { tenantId, before, most }: { readonly tenantId: string; readonly before: string; readonly most: number },
): Promise<ListedConfiguration[]> {
  const text = `
    SELECT f.configuration_id, l.version, l.answer::text AS answer FROM configurations f
    CROSS JOIN LATERAL (SELECT version, answer FROM configurations WHERE tenant_id = f.tenant_id
      AND configuration_id = f.configuration_id ORDER BY version DESC LIMIT 1) l
    WHERE f.tenant_id = $1 AND f.version = 1 AND substr(f.configuration_id, 5) < $2
    ORDER BY substr(f.configuration_id, 5) DESC LIMIT $3`;
  return askTimed(database, watch, 'configurations_before', text, [tenantId, before, most]);
}

/** Oldest first, after a version. */
export function versionsAfter(
  database: Database,
  watch: Watch,
  named: { readonly tenantId: string; readonly id: string; readonly after: number; readonly most: number },
): Promise<ListedConfiguration[]> {
  const text = `
    SELECT configuration_id, version, answer::text AS answer FROM configurations
    WHERE tenant_id = $1 AND configuration_id = $2 AND version > $3 ORDER BY version LIMIT $4`;
  const { tenantId, id, after, most } = named;
  return askTimed(database, watch, 'versions_after', text, [tenantId, id, after, most]);
}

/** One version, or the latest. */
export async function configurationAt(
  database: Database,
  watch: Watch,
  { tenantId, id, version }: { readonly tenantId: string; readonly id: string; readonly version?: number },
): Promise<ListedConfiguration | undefined> {
  const ofIt = `
    SELECT configuration_id, version, answer::text AS answer FROM configurations
    WHERE tenant_id = $1 AND configuration_id = $2`;
  // A statement for each: one for both would walk down from the latest to any other.
  const rows =
    version === undefined
      ? await askTimed<ListedConfiguration>(
          database,
          watch,
          'configuration_now',
          `${ofIt} ORDER BY version DESC LIMIT 1`,
          [tenantId, id],
        )
      : await askTimed<ListedConfiguration>(database, watch, 'configuration_at', `${ofIt} AND version = $3`, [
          tenantId,
          id,
          version,
        ]);
  return rows[0];
}
