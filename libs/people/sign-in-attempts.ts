/** Slows down guessing: after some attempts without success each further one has to wait, twice as long every time. */
import { type Queryable, query } from '#libs/database/database.ts';
import { addressPrefix } from './address-prefix.ts';

export interface AttemptSubject {
  readonly name: string;
  /** Attempts without a pause. */
  readonly free: number;
}

/** One network; an office may share it. */
export function addressSubject(address: string): AttemptSubject {
  return { name: `address ${addressPrefix(address)}`, free: 20 };
}

/** One account from one network: guesses from elsewhere do not make its owner wait. */
export function accountFromAddressSubject(email: string, address: string): AttemptSubject {
  return { name: `account ${email} from ${addressPrefix(address)}`, free: 5 };
}

/** One account from all networks in which its owner did not sign in before: a bound for guesses from many. */
export function accountSubject(email: string): AttemptSubject {
  return { name: `account ${email}`, free: 20 };
}

const firstPauseMs = 1_000;
const maxPauseMs = 15 * 60_000;
/** An attempt so long after the last one counts as the first. */
export const attemptLifetimeMs = 24 * 3_600_000;

export interface WaitingSubject {
  readonly name: string;
  readonly waitMs: number;
}

/**
 * Counts an attempt before it is judged, so that parallel attempts count too. Returns the subjects that have to wait; then
 * the attempt is neither judged nor counted for any of them.
 */
export function countAttempt(
  database: Queryable,
  subjects: readonly AttemptSubject[],
): Promise<readonly WaitingSubject[]> {
  const text = `WITH subject AS (SELECT * FROM unnest($1::text[], $2::integer[]) AS s (name, free)),
    present AS (SELECT a.subject, a.attempts, s.free,
        a.last_attempt_at + least($4::bigint * 2 ^ least(a.attempts - s.free, 20), $5::bigint) AS free_at
      FROM console.sign_in_attempts a JOIN subject s ON s.name = a.subject ORDER BY a.subject FOR UPDATE OF a),
    waiting AS (SELECT subject AS name, ceil(free_at - $3::bigint)::integer AS "waitMs"
      FROM present WHERE attempts >= free AND free_at > $3::bigint),
    counted AS (INSERT INTO console.sign_in_attempts AS a (subject, attempts, last_attempt_at)
      SELECT name, 1, $3::bigint FROM subject WHERE NOT EXISTS (SELECT FROM waiting) ORDER BY name
      ON CONFLICT (subject) DO UPDATE SET last_attempt_at = excluded.last_attempt_at,
        attempts = CASE WHEN a.last_attempt_at < $3::bigint - $6::bigint THEN 1 ELSE least(a.attempts + 1, 1000) END)
    SELECT name, "waitMs" FROM waiting`;
  const [names, free] = [subjects.map(({ name }) => name), subjects.map((each) => each.free)];
  const values = [names, free, Date.now(), firstPauseMs, maxPauseMs, attemptLifetimeMs];
  return query<WaitingSubject>(database, 'count_attempt', text, values);
}

export async function forgetAttempts(database: Queryable, { name }: AttemptSubject): Promise<void> {
  await query(database, 'forget_attempts', 'DELETE FROM console.sign_in_attempts WHERE subject = $1', [name]);
}

/** A success from a shared address does not erase the failures of others. */
export async function takeBackAttempt(database: Queryable, { name }: AttemptSubject): Promise<void> {
  const text = 'UPDATE console.sign_in_attempts SET attempts = greatest(attempts - 1, 0) WHERE subject = $1';
  await query(database, 'take_back_attempt', text, [name]);
}
