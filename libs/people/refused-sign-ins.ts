/** Refused attempts to sign in, for the audit list. Whose account it was is known; who tried is not. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import { recordLater } from './unrecorded-acts.ts';

const unknownActor = 'unknown';
/** A long attack must not fill the list. */
const pauseIntervalMs = 3_600_000;

/** The account that is signed in to, and the network address from which. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/** Attempts had to wait: recorded once an hour for each account. */
export function recordPause(database: Database, attempt: Attempt): Promise<void> {
  return inTransaction(database, async (connection) => {
    const now = Date.now();
    const text = `UPDATE console.persons SET lockout_recorded_at = $2
      WHERE email = $1 AND coalesce(lockout_recorded_at, 0) <= $3 RETURNING 1`;
    const rows = await query(connection, 'mark_pause', text, [attempt.email, now, now - pauseIntervalMs]);
    if (rows.length > 0) await record(connection, 'sign_in_paused', attempt);
  });
}

/** The password was right: it may be known to someone else. */
export function recordRefusedSecondFactor(database: Database, attempt: Attempt): Promise<void> {
  return record(database, 'second_factor_refused', attempt);
}

function record(
  database: Queryable,
  action: 'sign_in_paused' | 'second_factor_refused',
  { email, address }: Attempt,
): Promise<void> {
  const origin = { channel: 'console', address } as const;
  return recordLater(database, { action, actor: unknownActor, origin, subject: email });
}
