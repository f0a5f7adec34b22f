/** A signed-in person changes the own password. */
import { type Database, inTransaction } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { deleteLinksOf } from './invitations.ts';
import { type Person, setPasswordHash } from './persons.ts';
import { endOtherSessions } from './sessions.ts';
import { recordLater } from './unrecorded-acts.ts';

/** Other browsers are signed out, and unused links end: the old password may be known to someone else. */
export function changePassword(
  database: Database,
  person: Person,
  change: { readonly passwordHash: string; readonly presentToken: string; readonly origin: ActOrigin },
): Promise<void> {
  return inTransaction(database, async (connection) => {
    await setPasswordHash(connection, person.id, change.passwordHash);
    await endOtherSessions(connection, person.id, change.presentToken);
    await deleteLinksOf(connection, person.id);
    const act = { action: 'password_set', actor: person.email, origin: change.origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: 'set', after: 'set' });
  });
}
