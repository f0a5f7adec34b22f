/** Sessions of signed-in browsers. They expire when idle, and after a day's work in any case. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { findPerson, type Person } from './persons.ts';
import { newToken, tokenHash } from './secret-tokens.ts';
import { recordLater } from './unrecorded-acts.ts';

const idleLifetimeMs = 30 * 60_000;
const lifetimeMs = 12 * 3_600_000;
/** How exactly `last_seen_at` is kept: not every request writes. */
const touchIntervalMs = 60_000;

/** Returns the token, which is always new: one that was in the browser before is worth nothing. */
export function openSession(database: Database, person: Person, origin: ActOrigin): Promise<string> {
  const token = newToken();
  return inTransaction(database, async (connection) => {
    const now = Date.now();
    const text = `INSERT INTO console.sessions (token_hash, person_id, created_at, last_seen_at) VALUES ($1, $2, $3, $3)`;
    await query(connection, 'insert_session', text, [tokenHash(token), person.id, now]);
    await query(connection, 'delete_expired_sessions', 'DELETE FROM console.sessions WHERE created_at < $1', [
      now - lifetimeMs,
    ]);
    await recordLater(connection, { action: 'signed_in', actor: person.email, origin, subject: person.email });
    return token;
  });
}

/** The person of a session that has not expired. */
export async function findSession(database: Queryable, token: string): Promise<Person | undefined> {
  const now = Date.now();
  const hash = tokenHash(token);
  const text = `SELECT person_id, last_seen_at FROM console.sessions
    WHERE token_hash = $1 AND created_at > $2 AND last_seen_at > $3`;
  const [row] = await query<{ person_id: string; last_seen_at: number }>(database, 'session', text, [
    hash,
    now - lifetimeMs,
    now - idleLifetimeMs,
  ]);
  if (row === undefined) return undefined;
  if (row.last_seen_at < now - touchIntervalMs) {
    const touch = 'UPDATE console.sessions SET last_seen_at = $2 WHERE token_hash = $1';
    await query(database, 'touch_session', touch, [hash, now]);
  }
  return findPerson(database, row.person_id);
}

export async function endSession(database: Queryable, token: string): Promise<void> {
  await query(database, 'delete_session', 'DELETE FROM console.sessions WHERE token_hash = $1', [tokenHash(token)]);
}

export async function endSessionsOf(database: Queryable, personId: string): Promise<void> {
  await query(database, 'delete_sessions', 'DELETE FROM console.sessions WHERE person_id = $1', [personId]);
}
