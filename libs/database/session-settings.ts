/** The settings of a database session: sent when it starts, and checked before its first use. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { StandbyError } from './postgres-servers.ts';

/** By name, in the unit of `pg_settings`: milliseconds, kB. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Present in no other session: shows that this session was started by us and is shared with no one. */
const sessionIdSetting = 'lending.session';

export class SessionSettingsError extends Error {
  override readonly name = 'SessionSettingsError';

  constructor(differences: readonly string[]) {
    super(
      `a Postgres session has other settings than the service requested (${differences.join('; ')}). A connection pooler ` +
        'such as PgBouncer drops the startup parameter "options" or shares sessions; connect to Postgres directly or ' +
        'through a TCP proxy, because the services pool connections themselves',
    );
  }
}

export interface RequestedSession {
  readonly id: string;
  readonly settings: SessionSettings;
}

export function requestSession(settings: SessionSettings): RequestedSession {
  return { id: randomUUID(), settings };
}

/** The startup parameter `options`. */
export function startupOptions({ id, settings }: RequestedSession): string {
  return Object.entries({ ...settings, [sessionIdSetting]: id })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

interface FoundSession {
  readonly in_recovery: boolean;
  readonly id: string | null;
  readonly role: string;
  readonly settings: SessionSettings | null;
}

/** One statement per physical connection. Rejects where the session is not as requested. */
export async function checkSession(
  client: pg.ClientBase,
  { id, settings }: RequestedSession,
  requiresPrimary: boolean,
): Promise<void> {
  const { rows } = await client.query<FoundSession>(
    `SELECT pg_is_in_recovery() AS in_recovery, current_setting('${sessionIdSetting}', true) AS id,
       current_setting('role') AS role,
       (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name = ANY($1)) AS settings`,
    [Object.keys(settings)],
  );
  const [found] = rows;
  // "role" is not in pg_settings.
  const values: SessionSettings = { ...found?.settings, role: found?.role ?? '' };
  const differences = Object.entries(settings)
    .filter(([name, value]) => values[name] !== value)
    .map(([name, value]) => `${name} is ${values[name] ?? 'not set'}, expected ${value}`);
  if (found?.id !== id) differences.push(`${sessionIdSetting} is not that of this connection`);
  if (differences.length > 0) throw new SessionSettingsError(differences);
  if (requiresPrimary && found?.in_recovery !== false) throw new StandbyError();
}
