/** Slows down guessing: after some attempts without success each further one has to wait, twice as long every time. */
import { type Queryable, query } from '#libs/database/database.ts';

/** The account that is signed in to, or the network address it is tried from. */
export interface AttemptSubject {
  readonly name: string;
  /** Attempts without a pause. An address may be shared by an office. */
  readonly free: number;
}

export function accountSubject(email: string): AttemptSubject {
  return { name: `account ${email}`, free: 5 };
}

export function addressSubject(address: string): AttemptSubject {
  return { name: `address ${address}`, free: 20 };
}

const firstPauseMs = 1_000;
const maxPauseMs = 15 * 60_000;
/** An attempt so long after the last one counts as the first. */
const forgottenAfterMs = 24 * 3_600_000;

/**
 * Counts an attempt before it is judged, so that parallel attempts count too. False where the subject has to wait; such
 * an attempt is neither judged nor counted.
 */
export async function countAttempt(database: Queryable, { name, free }: AttemptSubject): Promise<boolean> {
  const now = Date.now();
  const text = `INSERT INTO console.sign_in_attempts AS a (subject, attempts, last_attempt_at) VALUES ($1, 1, $2)
    ON CONFLICT (subject) DO UPDATE SET last_attempt_at = $2,
      attempts = CASE WHEN a.last_attempt_at < $2 - $6::bigint THEN 1 ELSE least(a.attempts + 1, 1000) END
    WHERE a.attempts < $3 OR a.last_attempt_at + least($4 * 2 ^ least(a.attempts - $3, 20), $5) <= $2
    RETURNING attempts`;
  const values = [name, now, free, firstPauseMs, maxPauseMs, forgottenAfterMs];
  return (await query(database, 'count_attempt', text, values)).length > 0;
}

export async function forgetAttempts(database: Queryable, { name }: AttemptSubject): Promise<void> {
  await query(database, 'forget_attempts', 'DELETE FROM console.sign_in_attempts WHERE subject = $1', [name]);
}

/** A success from a shared address does not erase the failures of others. */
export async function takeBackAttempt(database: Queryable, { name }: AttemptSubject): Promise<void> {
  const text = 'UPDATE console.sign_in_attempts SET attempts = greatest(attempts - 1, 0) WHERE subject = $1';
  await query(database, 'take_back_attempt', text, [name]);
}

export async function deleteOldAttempts(database: Queryable): Promise<void> {
  const text = 'DELETE FROM console.sign_in_attempts WHERE last_attempt_at < $1';
  await query(database, 'delete_old_attempts', text, [Date.now() - forgottenAfterMs]);
}
