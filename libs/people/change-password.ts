/** A signed-in person changes the own password. */
import { type Database, inTransaction } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { deleteLinksOf } from './invitations.ts';
import { deletePasskeysOf, listPasskeys } from './passkeys.ts';
import { lockUnchanged, type Person, setPassword } from './persons.ts';
import { endOtherSessions } from './sessions.ts';
import { recordLater } from './unrecorded-acts.ts';

/**
 * Other browsers are signed out, and unused links end: the old password may be known to someone else. False where it is not
 * the password any more.
 */
export function changePassword(
  database: Database,
  person: Person,
  change: {
    readonly passwordHash: string;
    readonly removePasskeys: boolean;
    readonly presentToken: string;
    readonly origin: ActOrigin;
  },
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    if (!(await lockUnchanged(connection, person))) return false;
    const removed = change.removePasskeys ? await listPasskeys(connection, person.id) : [];
    if (change.removePasskeys) await deletePasskeysOf(connection, person.id);
    await setPassword(connection, person.id, { ...person, passwordHash: change.passwordHash });
    await endOtherSessions(connection, person.id, change.presentToken);
    await deleteLinksOf(connection, person.id);
    const act = { action: 'password_set', actor: person.email, origin: change.origin, subject: person.email } as const;
    const before = ['password', ...removed.map(({ name }) => `passkey ${name}`)].join(', ');
    await recordLater(connection, { ...act, before, after: 'password' });
    return true;
  });
}
