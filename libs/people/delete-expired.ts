/** Deletes what has expired. Requests only look at the time: none of them pays for rows of others. */
import { type Queryable, query } from '#libs/database/database.ts';
import { knownAddressLifetimeMs } from './known-addresses.ts';
import { sessionLifetimeMs } from './sessions.ts';
import { attemptLifetimeMs } from './sign-in-attempts.ts';

/** By table, the column with its moment, and how long a row is of use after it. */
const expirations = [
  ['known_addresses', 'last_sign_in_at', knownAddressLifetimeMs],
  ['one_time_links', 'expires_at', 0],
  ['passkey_challenges', 'expires_at', 0],
  ['pending_sign_ins', 'expires_at', 0],
  // Forms of an expired session can still be sent after signing in again.
  ['sessions', 'created_at', 2 * sessionLifetimeMs],
  ['sign_in_attempts', 'last_attempt_at', attemptLifetimeMs],
] as const;

export async function deleteExpired(database: Queryable, now = Date.now()): Promise<void> {
  for (const [table, column, lifetimeMs] of expirations) {
    const text = `DELETE FROM console.${table} WHERE ${column} < $1`;
    await query(database, `delete_expired_${table}`, text, [now - lifetimeMs]);
  }
}
