/** Network addresses from which a person signed in before: guesses from elsewhere do not make the person wait there. */
import { type Queryable, query } from '#libs/database/database.ts';
import { addressPrefix } from './address-prefix.ts';

export const knownAddressLifetimeMs = 90 * 24 * 3_600_000;

export async function rememberAddress(database: Queryable, personId: string, address: string): Promise<void> {
  const text = `INSERT INTO console.known_addresses (person_id, prefix, last_sign_in_at) VALUES ($1, $2, $3)
    ON CONFLICT (person_id, prefix) DO UPDATE SET last_sign_in_at = excluded.last_sign_in_at`;
  await query(database, 'remember_address', text, [personId, addressPrefix(address), Date.now()]);
}

/** By e-mail, so that it takes equally long where there is no account. */
export async function isKnownAddress(database: Queryable, email: string, address: string): Promise<boolean> {
  const text = `SELECT FROM console.persons p JOIN console.known_addresses k USING (person_id)
    WHERE p.email = $1 AND k.prefix = $2 AND k.last_sign_in_at > $3`;
  const values = [email, addressPrefix(address), Date.now() - knownAddressLifetimeMs];
  return (await query(database, 'is_known_address', text, values)).length > 0;
}
