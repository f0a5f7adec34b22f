/** Passkeys (WebAuthn): a person signs in with one alone. The authenticator itself checks who uses it. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { type ChallengeUse, newChallenge, takeChallenge } from './passkey-challenges.ts';
import { findPerson, lockUnchanged, type Person } from './persons.ts';
import { openSession, type SignInOrigin } from './sessions.ts';
import type { SignInFailure } from './sign-in.ts';
import { addressSubject, countAttempt, takeBackAttempt } from './sign-in-attempts.ts';
import { recordLater } from './unrecorded-acts.ts';

/** The site that passkeys are bound to. */
export interface RelyingParty {
  /** Its host name. */
  readonly id: string;
  readonly origin: string;
}

/** A dialog of a browser with its authenticator. */
export interface PasskeyDialog {
  readonly site: RelyingParty;
  /** What signs challenges. */
  readonly challengeKey: Buffer;
  readonly browserToken: string;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export const maxPasskeys = 20;

export async function listPasskeys(database: Queryable, personId: string): Promise<readonly Passkey[]> {
  const text = `SELECT credential_id AS id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
    FROM console.passkeys WHERE person_id = $1 ORDER BY created_at LIMIT ${maxPasskeys}`;
  return query<Passkey>(database, 'list_passkeys', text, [personId]);
}

export async function removePasskey(
  database: Database,
  person: Person,
  { id, origin }: { readonly id: string; readonly origin: ActOrigin },
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const text = 'DELETE FROM console.passkeys WHERE credential_id = $1 AND person_id = $2 RETURNING name';
    const [row] = await query<{ name: string }>(connection, 'delete_passkey', text, [id, person.id]);
    if (row === undefined) return false;
    const act = { action: 'passkey_removed', actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: row.name, after: null });
    return true;
  });
}

export async function deletePasskeysOf(database: Queryable, personId: string): Promise<void> {
  await query(database, 'delete_passkeys', 'DELETE FROM console.passkeys WHERE person_id = $1', [personId]);
}

/** What the browser passes to the authenticator to make a passkey. */
export async function passkeyCreationOptions(
  database: Database,
  person: Person,
  { site, siteName, browserToken, challengeKey }: PasskeyDialog & { readonly siteName: string },
) {
  const known = await listPasskeys(database, person.id);
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: site.id,
    userName: person.email,
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    challenge: newChallenge({ key: challengeKey, use: 'register', browserToken }),
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** False where the answer of the authenticator is not in order. */
export async function addPasskey(
  database: Database,
  person: Person,
  answer: PasskeyDialog & { readonly response: unknown; readonly name: string; readonly origin: ActOrigin },
): Promise<boolean> {
  const verified = await verifyRegistrationResponse({
    response: answer.response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(database, challenge, { ...challengeOf(answer), use: 'register' }),
    expectedOrigin: answer.site.origin,
    expectedRPID: answer.site.id,
    requireUserVerification: true,
  }).catch(() => undefined);
  const credential = verified?.registrationInfo?.credential;
  if (verified?.verified !== true || credential === undefined) return false;
  return inTransaction(database, async (connection) => {
    if (!(await lockUnchanged(connection, person))) return false;
    const text = `INSERT INTO console.passkeys
        (credential_id, person_id, name, public_key, sign_count, transports, created_at)
      SELECT $1, $2::uuid, $3, $4, $5, $6, $7
      WHERE (SELECT count(*) FROM console.passkeys WHERE person_id = $2::uuid) < ${maxPasskeys}
      ON CONFLICT (credential_id) DO NOTHING RETURNING 1`;
    const { id, publicKey, counter, transports = [] } = credential;
    const values = [
      id,
      person.id,
      answer.name,
      Buffer.from(publicKey),
      counter,
      [transports]
        .flat()
        .filter((name) => /^[a-z-]{1,20}$/.test(name))
        .join(','),
      Date.now() * 1_000,
    ];
    if ((await query(connection, 'insert_passkey', text, values)).length === 0) return false;
    const act = { action: 'passkey_added', actor: person.email, origin: answer.origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: null, after: answer.name });
    return true;
  });
}

/** What the browser passes to the authenticator to sign in. It counts as no attempt: people cancel the dialog. */
export function passkeyRequestOptions({ site, browserToken, challengeKey }: PasskeyDialog) {
  const challenge = newChallenge({ key: challengeKey, use: 'sign in', browserToken });
  return generateAuthenticationOptions({ rpID: site.id, userVerification: 'required', challenge });
}

interface StoredPasskey {
  readonly person_id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
}

export async function signInWithPasskey(
  database: Database,
  answer: PasskeyDialog & { readonly response: unknown },
  browser: SignInOrigin,
): Promise<{ readonly token: string } | SignInFailure> {
  const response = answer.response as AuthenticationResponseJSON;
  const id = (response as { readonly id?: unknown } | null)?.id;
  const [waiting] = await countAttempt(database, [addressSubject(browser.address)]);
  if (waiting !== undefined) return { failure: 'wait', waitMs: waiting.waitMs };
  const stored = isCredentialId(id) ? await findPasskey(database, id) : undefined;
  const person = stored && (await findPerson(database, stored.person_id));
  if (!isCredentialId(id) || stored === undefined || person?.isDisabled !== false) return { failure: 'wrong' };
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(database, challenge, { ...challengeOf(answer), use: 'sign in' }),
    expectedOrigin: answer.site.origin,
    expectedRPID: answer.site.id,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(stored.public_key), counter: stored.sign_count },
  }).catch(() => undefined);
  if (verified?.verified !== true) return { failure: 'wrong' };
  const text = 'UPDATE console.passkeys SET sign_count = $2, last_used_at = $3 WHERE credential_id = $1 RETURNING 1';
  const values = [id, verified.authenticationInfo.newCounter, Date.now() * 1_000];
  const isKept = (await query(database, 'use_passkey', text, values)).length > 0;
  const token = isKept ? await openSession(database, person, browser, 'passkey') : undefined;
  if (token === undefined) return { failure: 'wrong' };
  await takeBackAttempt(database, addressSubject(browser.address));
  return { token };
}

/** As WebAuthn states it. */
function isCredentialId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{1,1400}$/.test(text);
}

async function findPasskey(database: Queryable, id: string): Promise<StoredPasskey | undefined> {
  const text = 'SELECT person_id, public_key, sign_count FROM console.passkeys WHERE credential_id = $1';
  const [row] = await query<StoredPasskey>(database, 'passkey', text, [id]);
  return row;
}

/** A challenge for signing in, which needs no password, must not register a passkey. */
function challengeOf({ challengeKey: key, browserToken }: PasskeyDialog): Omit<ChallengeUse, 'use'> {
  return { key, browserToken };
}
