/** Persons of the console that were invited, have set a password and are signed in, without a browser. */
import type { Database } from '#libs/database/database.ts';
import { type Invitation, invite } from '#libs/people/invitations.ts';
import { hashPassword } from '#libs/people/passwords.ts';
import { findPersonByEmail, type Person } from '#libs/people/persons.ts';
import { redeemLink } from '#libs/people/redeem-link.ts';
import { openSession } from '#libs/people/sessions.ts';

const origin = { channel: 'command_line' } as const;

export async function addConsolePerson(
  database: Database,
  { email, as, password }: Pick<Invitation, 'email' | 'as'> & { readonly password: string },
): Promise<Person> {
  await setPasswordByLink(database, await invite(database, { email, as, actor: 'test', origin }), password);
  const person = await findPersonByEmail(database, email);
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
