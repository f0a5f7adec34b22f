/** Sets a password by a one-time link. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { findInvited } from './invitations.ts';
import { deletePasskeysOf, listPasskeys } from './passkeys.ts';
import { lockPerson, type Person, setPassword } from './persons.ts';
import { deleteSecondFactor } from './second-factor.ts';
import { tokenHash } from './secret-tokens.ts';
import { endSessionsOf } from './sessions.ts';
import { recordLater } from './unrecorded-acts.ts';

/** An admin's link sets a first password only. */
export type Redemption = 'done' | 'used' | 'has password';

/**
 * Replaces all that signs the person in: passwords, passkeys, sessions, links. The second factor stays, unless the earlier
 * password is from an admin, who may have set up the app.
 */
export function redeemLink(
  database: Database,
  token: string,
  { passwordHash, origin }: { readonly passwordHash: string; readonly origin: ActOrigin },
): Promise<Redemption> {
  return inTransaction(database, async (connection) => {
    const invited = await findInvited(connection, token);
    const person = invited && (await lockPerson(connection, invited.id));
    if (person === undefined || person.isDisabled) return 'used';
    const link = await findLink(connection, token);
    if (link === undefined) return 'used';
    if (link.scope !== null && person.passwordHash !== null) return 'has password';
    const removed = await removeCredentials(connection, person);
    await deleteLinks(connection, person.id, link);
    await setPassword(connection, person.id, { passwordHash, credentialScope: link.scope });
    const act = { action: 'password_set', actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: removed.join(', ') || null, after: 'password' });
    return 'done';
  });
}

interface Link {
  /** The Tenancies that its issuer administered; null for an operator. */
  readonly scope: readonly string[] | null;
}

/** Read once the person is locked: of two requests with one link the second finds none. */
async function findLink(connection: Queryable, token: string): Promise<Link | undefined> {
  const text = 'SELECT scope FROM console.one_time_links WHERE token_hash = $1 AND expires_at > $2';
  const [row] = await query<Link>(connection, 'link_scope', text, [tokenHash(token), Date.now()]);
  return row;
}

/** An operator's link outlives that of an admin: it is how the person gets rid of what the admin set. */
async function deleteLinks(connection: Queryable, personId: string, { scope }: Link): Promise<void> {
  const text = 'DELETE FROM console.one_time_links WHERE person_id = $1 AND ($2 OR scope IS NOT NULL)';
  await query(connection, 'delete_redeemed_links', text, [personId, scope === null]);
}

/** Returns what they were, for the audit list. */
async function removeCredentials(connection: Queryable, person: Person): Promise<readonly string[]> {
  const passkeys = await listPasskeys(connection, person.id);
  await deletePasskeysOf(connection, person.id);
  await endSessionsOf(connection, person.id);
  const isAppFromAdmin = person.totpSecret !== null && person.credentialScope !== null;
  if (isAppFromAdmin) await deleteSecondFactor(connection, person.id);
  return [
    ...(person.passwordHash === null ? [] : ['password']),
    ...(isAppFromAdmin ? ['authenticator app'] : []),
    ...passkeys.map(({ name }) => `passkey ${name}`),
  ];
}
