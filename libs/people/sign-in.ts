/** Signing in with e-mail and password, and with a second factor where the person has set one. */
import type { Database } from '#libs/database/database.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { isKnownAddress } from './known-addresses.ts';
import { verifyPassword } from './passwords.ts';
import { findPendingSignIn, openPendingSignIn, takePendingSignIn } from './pending-sign-ins.ts';
import { findPersonByEmail, type Person, parseEmail } from './persons.ts';
import { type Attempt, recordPause, recordRefusedSecondFactor } from './refused-sign-ins.ts';
import { type SecondFactorContext, useSecondFactor } from './second-factor.ts';
import { openSession, type SignInOrigin } from './sessions.ts';
import {
  type AttemptSubject,
  accountFromAddressSubject,
  accountSubject,
  addressSubject,
  countAttempt,
  forgetAttempts,
  takeBackAttempt,
} from './sign-in-attempts.ts';
import { TotpKeyMissingError } from './totp-secrets.ts';

interface SignInContext {
  readonly database: Database;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

export interface PasswordCredentials {
  readonly email: unknown;
  readonly password: unknown;
}

export type SignInFailure = { readonly failure: 'wrong' } | SignInPause;

/** Too many attempts were made: the next one is judged after this time. */
export interface SignInPause {
  readonly failure: 'wait';
  readonly waitMs: number;
}

/** The token of a new session, that of a sign-in that needs a second factor, or why there is none. */
export type SignInResult = { readonly token: string } | { readonly pendingToken: string } | SignInFailure;

/** Which of e-mail and password is wrong is not stated. */
export async function signIn(
  context: SignInContext & SecondFactorContext,
  credentials: PasswordCredentials,
  browser: SignInOrigin,
): Promise<SignInResult> {
  const { database } = context;
  const email = parseEmail(credentials.email) ?? '';
  const password = typeof credentials.password === 'string' ? credentials.password : '';
  const attempt = { email, address: browser.address };
  const pause = await pauseBefore(context, attempt);
  if (pause !== undefined) return pause;
  const person = await findPersonByEmail(database, email);
  const isRight = await verifyPassword(password, person?.passwordHash);
  if (person === undefined || !isRight || person.isDisabled) return { failure: 'wrong' };
  if (person.totpSecret !== null) {
    // The account stays counted: otherwise the password could be sent again and again to guess codes without a pause.
    if (context.totpSecrets.isReadable(person.id, person.totpSecret))
      await takeBackAttempt(database, addressSubject(browser.address));
    // Without the key no code is accepted, so none can be guessed.
    else await takeBack(database, attempt);
    return { pendingToken: await openPendingSignIn(database, person.id) };
  }
  await forgive(database, attempt);
  const token = await openSession(database, person, browser, 'password');
  return token === undefined ? { failure: 'wrong' } : { token };
}

/**
 * `expired` where the password has to be entered again, `unreadable` where no key decrypts the secret of the person: a fault of
 * the installation, which is logged and not counted.
 */
export async function completeSignIn(
  context: SignInContext & SecondFactorContext,
  { pendingToken, code }: { readonly pendingToken: string; readonly code: string },
  browser: SignInOrigin,
): Promise<{ readonly token: string } | { readonly failure: 'expired' | 'unreadable' } | SignInFailure> {
  const { database } = context;
  const person = await findPendingSignIn(database, pendingToken);
  if (person === undefined) return { failure: 'expired' };
  const attempt = { email: person.email, address: browser.address };
  const pause = await pauseBefore(context, attempt);
  if (pause !== undefined) return pause;
  const method = await useSecondFactor(context, person, code).catch(async (err: unknown) => {
    if (!(err instanceof TotpKeyMissingError)) throw err;
    context.logger.error({ event: 'console.totp_key_missing', person: person.id, err }, 'failed to check a code');
    await takeBack(database, attempt);
    return 'unreadable' as const;
  });
  if (method === 'unreadable') return { failure: 'unreadable' };
  if (method === undefined) {
    await recordRefusedSecondFactor(database, attempt);
    return { failure: 'wrong' };
  }
  if (!(await takePendingSignIn(database, pendingToken))) return { failure: 'expired' };
  await forgive(database, attempt);
  const token = await openSession(database, person, browser, `password and ${method}`);
  return token === undefined ? { failure: 'expired' } : { token };
}

/** Asked for again before a change of the account. Attempts count like those of signing in. */
export async function confirmPassword(
  context: SignInContext,
  person: Person,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<'right' | 'wrong' | SignInPause> {
  const attempt = { email: person.email, address };
  const pause = await pauseBefore(context, attempt);
  if (pause !== undefined) return pause;
  if (!(await verifyPassword(password, person.passwordHash))) return 'wrong';
  await forgive(context.database, attempt);
  return 'right';
}

/** Of the network, or of the account as seen from it; undefined where the attempt may be judged. */
async function pauseBefore({ database, logger }: SignInContext, attempt: Attempt): Promise<SignInPause | undefined> {
  const ofAccount = await accountSubjects(database, attempt);
  const waiting = await countAttempt(database, [addressSubject(attempt.address), ...ofAccount]);
  const isOfAccount = waiting.some(({ name }) => ofAccount.some((subject) => subject.name === name));
  // Not awaited: it writes for an existing account only, which the time of the answer must not reveal.
  if (isOfAccount) {
    recordPause(database, attempt).catch((err: unknown) => {
      logger.warn({ event: 'console.pause_not_recorded', err }, 'failed to record that a sign-in had to wait');
    });
  }
  if (waiting.length === 0) return undefined;
  return { failure: 'wait', waitMs: Math.max(...waiting.map(({ waitMs }) => waitMs)) };
}

/** The account as seen from the network, and from all networks where this one is unknown. */
async function accountSubjects(database: Database, { email, address }: Attempt): Promise<readonly AttemptSubject[]> {
  const fromAddress = accountFromAddressSubject(email, address);
  return (await isKnownAddress(database, email, address)) ? [fromAddress] : [fromAddress, accountSubject(email)];
}

/** After an attempt that could not be judged: it counts for nothing. */
async function takeBack(database: Database, attempt: Attempt): Promise<void> {
  const subjects = [addressSubject(attempt.address), ...(await accountSubjects(database, attempt))];
  for (const subject of subjects) await takeBackAttempt(database, subject);
}

/** After a success. Failures from other networks, and of other accounts behind the same one, stay counted. */
async function forgive(database: Database, { email, address }: Attempt): Promise<void> {
  await forgetAttempts(database, accountFromAddressSubject(email, address));
  await takeBackAttempt(database, addressSubject(address));
  if (!(await isKnownAddress(database, email, address))) await takeBackAttempt(database, accountSubject(email));
}
