/** Sign-ins whose password was right and that wait for the second factor. The browser holds a token that permits nothing else. */
import { type Queryable, query } from '#libs/database/database.ts';
import { findPerson, type Person } from './persons.ts';
import { newToken, tokenHash } from './secret-tokens.ts';

const lifetimeMs = 5 * 60_000;

export async function openPendingSignIn(database: Queryable, personId: string): Promise<string> {
  const token = newToken();
  const text = 'INSERT INTO console.pending_sign_ins (token_hash, person_id, expires_at) VALUES ($1, $2, $3)';
  await query(database, 'insert_pending_sign_in', text, [tokenHash(token), personId, Date.now() + lifetimeMs]);
  return token;
}

export async function findPendingSignIn(database: Queryable, token: string): Promise<Person | undefined> {
  const text = 'SELECT person_id FROM console.pending_sign_ins WHERE token_hash = $1 AND expires_at > $2';
  const values = [tokenHash(token), Date.now()];
  const [row] = await query<{ person_id: string }>(database, 'pending_sign_in', text, values);
  const person = row && (await findPerson(database, row.person_id));
  return person?.isDisabled === false ? person : undefined;
}

/** False where it was used or ended meanwhile. */
export async function takePendingSignIn(database: Queryable, token: string): Promise<boolean> {
  const text = 'DELETE FROM console.pending_sign_ins WHERE token_hash = $1 RETURNING 1';
  return (await query(database, 'take_pending_sign_in', text, [tokenHash(token)])).length > 0;
}
