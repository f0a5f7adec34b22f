/** Sessions of signed-in browsers. They expire when idle, and after a day's work in any case. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import { rememberAddress } from './known-addresses.ts';
import { findPerson, lockUnchanged, type Person } from './persons.ts';
import { newToken, tokenHash } from './secret-tokens.ts';
import { recordLater } from './unrecorded-acts.ts';

const idleLifetimeMs = 30 * 60_000;
export const sessionLifetimeMs = 12 * 3_600_000;
/** How exactly `last_seen_at` is kept: not every request writes. */
const touchIntervalMs = 60_000;
const maxUserAgentCharacters = 300;

/** The browser that signs in. */
export interface SignInOrigin {
  readonly address: string;
  readonly userAgent: string;
}

export type SignInMethod = 'password' | 'password and code' | 'password and recovery code' | 'passkey';

/**
 * Returns the token, which is always new: one that was in the browser before is worth nothing. Undefined where the password
 * was replaced since `person` was read.
 */
export function openSession(
  database: Database,
  person: Person,
  { address, userAgent }: SignInOrigin,
  method: SignInMethod,
): Promise<string | undefined> {
  const token = newToken();
  return inTransaction(database, async (connection) => {
    if (!(await lockUnchanged(connection, person))) return undefined;
    const now = Date.now();
    const text = `INSERT INTO console.sessions (token_hash, person_id, created_at, last_seen_at, address, user_agent)
      VALUES ($1, $2, $3, $3, $4, $5)`;
    const browser = userAgent.slice(0, maxUserAgentCharacters);
    await query(connection, 'insert_session', text, [tokenHash(token), person.id, now, address, browser]);
    await rememberAddress(connection, person.id, address);
    const seen = 'UPDATE console.persons SET last_sign_in_at = $2 WHERE person_id = $1';
    await query(connection, 'set_last_sign_in', seen, [person.id, now * 1_000]);
    const origin = { channel: 'console', address } as const;
    const act = { action: 'signed_in', actor: person.email, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: null, after: method });
    return token;
  });
}

interface SessionRow {
  readonly person_id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
}

export interface Session {
  readonly person: Person;
  /** Without another request. */
  readonly endsInMs: number;
}

/** A session that has not expired. */
export async function findSession(database: Queryable, token: string): Promise<Session | undefined> {
  const now = Date.now();
  const hash = tokenHash(token);
  const text = `SELECT person_id, created_at, last_seen_at FROM console.sessions
    WHERE token_hash = $1 AND created_at > $2 AND last_seen_at > $3`;
  const [row] = await query<SessionRow>(database, 'session', text, [
    hash,
    now - sessionLifetimeMs,
    now - idleLifetimeMs,
  ]);
  if (row === undefined) return undefined;
  const isTouched = row.last_seen_at < now - touchIntervalMs;
  if (isTouched) {
    const touch = 'UPDATE console.sessions SET last_seen_at = $2 WHERE token_hash = $1';
    await query(database, 'touch_session', touch, [hash, now]);
  }
  const person = await findPerson(database, row.person_id);
  if (person?.isDisabled !== false) return undefined;
  const idleEnd = (isTouched ? now : row.last_seen_at) + idleLifetimeMs;
  return { person, endsInMs: Math.min(idleEnd, row.created_at + sessionLifetimeMs) - now };
}

/** Whether the token is or was one of a session of the person. Signing out, and a new password elsewhere, end that too. */
export async function wasSessionOf(database: Queryable, token: string, personId: string): Promise<boolean> {
  const text = 'SELECT FROM console.sessions WHERE token_hash = $1 AND person_id = $2';
  return (await query(database, 'was_session', text, [tokenHash(token), personId])).length > 0;
}

export interface ListedSession {
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Null where a release before this one opened the session. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly isPresent: boolean;
}

const maxListedSessions = 50;

/** Those that have not expired, the newest first. */
export async function listSessions(
  database: Queryable,
  personId: string,
  presentToken: string,
): Promise<readonly ListedSession[]> {
  const now = Date.now();
  const text = `SELECT created_at * 1000 AS "createdAt", last_seen_at * 1000 AS "lastSeenAt", address,
      user_agent AS "userAgent", token_hash = $2 AS "isPresent"
    FROM console.sessions WHERE person_id = $1 AND created_at > $3 AND last_seen_at > $4
    ORDER BY created_at DESC LIMIT ${maxListedSessions}`;
  const values = [personId, tokenHash(presentToken), now - sessionLifetimeMs, now - idleLifetimeMs];
  return query<ListedSession>(database, 'list_sessions', text, values);
}

export async function countSessions(database: Queryable, personId: string): Promise<number> {
  const now = Date.now();
  const text = `SELECT count(*)::integer AS sessions FROM console.sessions
    WHERE person_id = $1 AND created_at > $2 AND last_seen_at > $3`;
  const values = [personId, now - sessionLifetimeMs, now - idleLifetimeMs];
  const [row] = await query<{ sessions: number }>(database, 'count_sessions', text, values);
  return row?.sessions ?? 0;
}

export function endSession(
  database: Database,
  person: Person,
  { token, origin }: { readonly token: string; readonly origin: ActOrigin },
): Promise<void> {
  return inTransaction(database, async (connection) => {
    const text = 'DELETE FROM console.sessions WHERE token_hash = $1 RETURNING 1';
    if ((await query(connection, 'delete_session', text, [tokenHash(token)])).length === 0) return;
    await recordLater(connection, { action: 'signed_out', actor: person.email, origin, subject: person.email });
  });
}

async function endPendingSignIns(database: Queryable, personId: string): Promise<void> {
  const text = 'DELETE FROM console.pending_sign_ins WHERE person_id = $1';
  await query(database, 'delete_pending_sign_ins', text, [personId]);
}

/** Also sign-ins that wait for a second factor. Returns how many sessions ended. */
export async function endSessionsOf(database: Queryable, personId: string): Promise<number> {
  await endPendingSignIns(database, personId);
  const text = 'DELETE FROM console.sessions WHERE person_id = $1 RETURNING 1';
  return (await query(database, 'delete_sessions', text, [personId])).length;
}

/** Of all people, with links and sign-ins that wait: in a restored database some had ended. Returns how many sessions ended. */
export async function endAllSessions(database: Queryable): Promise<number> {
  await query(database, 'delete_all_links', 'DELETE FROM console.one_time_links', []);
  await query(database, 'delete_all_pending_sign_ins', 'DELETE FROM console.pending_sign_ins', []);
  return (await query(database, 'delete_all_sessions', 'DELETE FROM console.sessions RETURNING 1', [])).length;
}

export async function endOtherSessions(database: Queryable, personId: string, presentToken: string): Promise<void> {
  await endPendingSignIns(database, personId);
  const text = 'DELETE FROM console.sessions WHERE person_id = $1 AND token_hash <> $2';
  await query(database, 'delete_other_sessions', text, [personId, tokenHash(presentToken)]);
}

/** In every browser. */
export function signOutEverywhere(
  database: Database,
  person: Person,
  { actor, origin }: { readonly actor: string; readonly origin: ActOrigin },
): Promise<void> {
  return inTransaction(database, async (connection) => {
    const ended = await endSessionsOf(connection, person.id);
    const act = { action: 'signed_out_everywhere', actor, origin, subject: person.email } as const;
    await recordLater(connection, { ...act, before: String(ended), after: '0' });
  });
}
