/** Signing in with e-mail and password, and with a second factor where the person has set one. */
import type { Database } from '#libs/database/database.ts';
import { verifyPassword } from './passwords.ts';
import { findPendingSignIn, openPendingSignIn, takePendingSignIn } from './pending-sign-ins.ts';
import { findPersonByEmail, type Person, parseEmail } from './persons.ts';
import { useSecondFactor } from './second-factor.ts';
import { openSession, type SignInOrigin } from './sessions.ts';
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
}

export type SignInFailure = { readonly failure: 'wrong' | 'wait' };

/** The token of a new session, that of a sign-in that needs a second factor, or why there is none. */
export type SignInResult = { readonly token: string } | { readonly pendingToken: string } | SignInFailure;

/** Which of e-mail and password is wrong is not stated. */
export async function signIn(
  database: Database,
  credentials: PasswordCredentials,
  browser: SignInOrigin,
): Promise<SignInResult> {
  const email = parseEmail(credentials.email) ?? '';
  const password = typeof credentials.password === 'string' ? credentials.password : '';
  if (!(await mayAttempt(database, email, browser.address))) return { failure: 'wait' };
  const person = await findPersonByEmail(database, email);
  const isRight = await verifyPassword(password, person?.passwordHash);
  if (person === undefined || !isRight || person.isDisabled) return { failure: 'wrong' };
  if (person.totpSecret !== null) {
    // The account stays counted: otherwise the password could be sent again and again to guess codes without a pause.
    await takeBackAttempt(database, addressSubject(browser.address));
    return { pendingToken: await openPendingSignIn(database, person.id) };
  }
  await forgive(database, email, browser.address);
  const token = await openSession(database, person, browser, 'password');
  return token === undefined ? { failure: 'wrong' } : { token };
}

/** `expired` where the password has to be entered again. */
export async function completeSignIn(
  database: Database,
  { pendingToken, code }: { readonly pendingToken: string; readonly code: string },
  browser: SignInOrigin,
): Promise<{ readonly token: string } | { readonly failure: 'wrong' | 'wait' | 'expired' }> {
  const person = await findPendingSignIn(database, pendingToken);
  if (person === undefined) return { failure: 'expired' };
  if (!(await mayAttempt(database, person.email, browser.address))) return { failure: 'wait' };
  const method = await useSecondFactor(database, person, code);
  if (method === undefined) return { failure: 'wrong' };
  if (!(await takePendingSignIn(database, pendingToken))) return { failure: 'expired' };
  await forgive(database, person.email, browser.address);
  const token = await openSession(database, person, browser, `password and ${method}`);
  return token === undefined ? { failure: 'expired' } : { token };
}

/** Asked for again before a change of the account. Attempts count like those of signing in. */
export async function confirmPassword(
  database: Database,
  person: Person,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<'right' | 'wrong' | 'wait'> {
  if (!(await mayAttempt(database, person.email, address))) return 'wait';
  if (!(await verifyPassword(password, person.passwordHash))) return 'wrong';
  await forgive(database, person.email, address);
  return 'right';
}

/** Counts an attempt of the account and of the address; false where one of them has to wait. */
async function mayAttempt(database: Database, email: string, address: string): Promise<boolean> {
  for (const subject of [accountSubject(email), addressSubject(address)]) {
    if (!(await countAttempt(database, subject))) return false;
  }
  return true;
}

/** After a success. */
async function forgive(database: Database, email: string, address: string): Promise<void> {
  await forgetAttempts(database, accountSubject(email));
  await takeBackAttempt(database, addressSubject(address));
  await deleteOldAttempts(database);
}
