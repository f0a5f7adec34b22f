/** Persons of the console that were invited, have set a password and are signed in, without a browser. */
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type Invitation, invite } from '#libs/people/invitations.ts';
import { hashPassword } from '#libs/people/passwords.ts';
import { findPersonByEmail, type Person } from '#libs/people/persons.ts';
import { redeemLink } from '#libs/people/redeem-link.ts';
import { openSession } from '#libs/people/sessions.ts';

const origin = { channel: 'command_line' } as const;

type Invited = Pick<Invitation, 'email' | 'as'>;

/** Returns the path of the sign-in link. Persons are in the home database. */
export function inviteToConsole(databases: PartitionDatabases, { email, as }: Invited): Promise<string> {
  const tenancies = as === 'operator' ? {} : { tenancies: databases.ofTenancy(as.tenantId) };
  return invite(databases.home, { email, as, actor: 'test', origin, ...tenancies });
}

export async function addConsolePerson(
  databases: PartitionDatabases,
  { password, ...invited }: Invited & { readonly password: string },
): Promise<Person> {
  const { email } = invited;
  await setPasswordByLink(databases.home, await inviteToConsole(databases, invited), password);
  const person = await findPersonByEmail(databases.home, email);
  if (person === undefined) throw new Error(`${email} was not added`);
  return person;
}

/** `path` is that of a sign-in link. */
export async function setPasswordByLink(database: Database, path: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await redeemLink(database, path.split('/').at(-1) ?? '', { passwordHash, origin });
}

/** Returns the token of the session. */
export async function openConsoleSession(database: Database, person: Person, userAgent = 'test'): Promise<string> {
  const session = await openSession(database, person, { address: '127.0.0.1', userAgent }, 'password');
  if (session === undefined) throw new Error(`${person.email} cannot sign in`);
  return session;
}
