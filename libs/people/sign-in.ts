/** Signing in with e-mail and password. */
import type { Database } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { verifyPassword } from './passwords.ts';
import { findPersonByEmail, parseEmail } from './persons.ts';
import { openSession } from './sessions.ts';
import {
  accountSubject,
  addressSubject,
  countAttempt,
  deleteOldAttempts,
  forgetAttempts,
  takeBackAttempt,
} from './sign-in-attempts.ts';

export interface PasswordCredentials {
  readonly email: unknown;
  readonly password: unknown;
  readonly address: string;
}

/** The token of a new session, or why there is none. Which of e-mail and password is wrong is not told. */
export type SignInResult = { readonly token: string } | { readonly failure: 'wrong' | 'wait' };

export async function signIn(database: Database, credentials: PasswordCredentials): Promise<SignInResult> {
  const { address } = credentials;
  const email = parseEmail(credentials.email) ?? '';
  const password = typeof credentials.password === 'string' ? credentials.password : '';
  const account = accountSubject(email);
  const from = addressSubject(address);
  for (const subject of [account, from]) if (!(await countAttempt(database, subject))) return { failure: 'wait' };
  const person = await findPersonByEmail(database, email);
  const isRight = await verifyPassword(password, person?.passwordHash);
  if (person === undefined || !isRight) return { failure: 'wrong' };
  await forgetAttempts(database, account);
  await takeBackAttempt(database, from);
  await deleteOldAttempts(database);
  const origin: ActOrigin = { channel: 'console', address };
  return { token: await openSession(database, person, origin) };
}
