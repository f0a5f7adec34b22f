/** What came of requests under an `Idempotency-Key`: the first outcome of each, for a day. */
import { type Database, type Queryable, query } from './database.ts';

/** A key as one Tenancy uses it, and the digest of what was asked under it. */
export interface KeyedRequest {
  readonly tenantId: string;
  readonly key: string;
  readonly request: Buffer;
}

/** What a key holds: the request it was first used for, and what came of that where it is known yet. */
export interface Held {
  readonly request: Buffer;
  readonly outcome: string | null;
}

// Longer than any attempt is waited for. One that broke off keeps the key from other requests no longer than this.
const attempt = "interval '10 seconds'";
const kept = "interval '24 hours'";

// Free is a key never used, and one whose day is over.
const beginning = `INSERT INTO idempotency AS held (tenant_id, key, request, ends_at)
  VALUES ($1, $2, $3, now() + ${attempt})
  ON CONFLICT (tenant_id, key) DO UPDATE
    SET request = EXCLUDED.request, outcome = NULL, ends_at = EXCLUDED.ends_at
    WHERE held.ends_at <= now()
  RETURNING ends_at::text AS claim`;
const joining = `UPDATE idempotency SET ends_at = now() + ${attempt}
  WHERE tenant_id = $1 AND key = $2 AND request = $3 AND outcome IS NULL
  RETURNING true AS joined`;

// An outcome takes a free key as well, and one under which only this very request is being attempted.
const recording = `INSERT INTO idempotency AS held (tenant_id, key, request, outcome, ends_at)
  VALUES ($1, $2, $3, $4, now() + ${kept})
  ON CONFLICT (tenant_id, key) DO UPDATE
    SET request = EXCLUDED.request, outcome = EXCLUDED.outcome, ends_at = EXCLUDED.ends_at
    WHERE held.ends_at <= now() OR (held.outcome IS NULL AND held.request = EXCLUDED.request)
  RETURNING true AS taken`;

/** The request may be attempted. */
export interface Attempt {
  /** Until when it keeps the key; undefined where others at the same request were under way as it began. */
  readonly claim: string | undefined;
}

/** What holds the key where that is anything but this very request, under way. */
export async function beginAttempt(
  database: Queryable,
  { tenantId, key, request }: KeyedRequest,
): Promise<Attempt | Held> {
  const asked = [tenantId, key, request];
  for (;;) {
    const [begun] = await query<Attempt>(database, 'begin_attempt', beginning, asked);
    if (begun !== undefined) return begun;
    const joined = await query(database, 'join_attempt', joining, asked);
    if (joined.length > 0) return { claim: undefined };
    const held = await heldBy(database, { tenantId, key });
    // What held the key a moment ago may be over now.
    if (held !== undefined && !isUnderWay(held, request)) return held;
  }
}

function isUnderWay(held: Held, request: Buffer): boolean {
  return held.outcome === null && held.request.equals(request);
}

/** Undefined where this outcome is the first; else what was recorded before it. */
export async function recordOutcome(
  database: Queryable,
  { tenantId, key, request }: KeyedRequest,
  outcome: string,
): Promise<Held | undefined> {
  const taken = await query(database, 'record_outcome', recording, [tenantId, key, request, outcome]);
  return taken.length > 0 ? undefined : heldBy(database, { tenantId, key });
}

/**
 * The attempt came to no outcome: the key is as free as it was. Not where another overlapped with it, which may be under
 * way still, and moved the end of the claim if it began later: then the key is kept until that.
 */
export async function dropAttempt(
  database: Database,
  { tenantId, key, request }: KeyedRequest,
  { claim }: Attempt,
): Promise<void> {
  if (claim === undefined) return;
  const text =
    'DELETE FROM idempotency WHERE tenant_id = $1 AND key = $2 AND request = $3 AND outcome IS NULL AND ends_at = $4::timestamptz';
  await query(database, 'drop_attempt', text, [tenantId, key, request, claim]);
}

export async function sweepIdempotency(database: Database): Promise<void> {
  // So many at a time, as verdicts are.
  const text =
    'DELETE FROM idempotency WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency WHERE ends_at <= now() LIMIT 50000))';
  await query(database, 'sweep_idempotency', text, []);
}

async function heldBy(
  database: Queryable,
  { tenantId, key }: Pick<KeyedRequest, 'tenantId' | 'key'>,
): Promise<Held | undefined> {
  const text = 'SELECT request, outcome FROM idempotency WHERE tenant_id = $1 AND key = $2';
  return (await query<Held>(database, 'held_by', text, [tenantId, key]))[0];
}
