/** What came of requests under an `Idempotency-Key`: the first outcome of each, for a day. */
import { ask, type Database } from './database.ts';

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

// Free is a key never used, one whose day is over, and one under which only this very request is being attempted.
const takeUnlessHeld = `
  ON CONFLICT (tenant_id, key) DO UPDATE
    SET request = EXCLUDED.request, outcome = EXCLUDED.outcome, ends_at = EXCLUDED.ends_at
    WHERE held.ends_at <= now() OR (held.outcome IS NULL AND held.request = EXCLUDED.request)
  RETURNING true AS taken`;

const beginning = `INSERT INTO idempotency AS held (tenant_id, key, request, ends_at)
  VALUES ($1, $2, $3, now() + ${attempt}) ${takeUnlessHeld}`;
const recording = `INSERT INTO idempotency AS held (tenant_id, key, request, outcome, ends_at)
  VALUES ($1, $2, $3, $4, now() + ${kept}) ${takeUnlessHeld}`;

/** Undefined where the request may be attempted; else what holds the key. */
export async function beginAttempt(
  database: Database,
  { tenantId, key, request }: KeyedRequest,
): Promise<Held | undefined> {
  for (;;) {
    const taken = await ask(database, 'begin_attempt', beginning, [tenantId, key, request]);
    if (taken.length > 0) return undefined;
    const held = await heldBy(database, { tenantId, key });
    // What held the key a moment ago may be over now.
    if (held !== undefined) return held;
  }
}

/** Undefined where this outcome is the first; else what was recorded before it. */
export async function recordOutcome(
  database: Database,
  { tenantId, key, request }: KeyedRequest,
  outcome: string,
): Promise<Held | undefined> {
  const taken = await ask(database, 'record_outcome', recording, [tenantId, key, request, outcome]);
  return taken.length > 0 ? undefined : heldBy(database, { tenantId, key });
}

/** The attempt came to no outcome: the key is as free as it was. */
export async function dropAttempt(database: Database, { tenantId, key, request }: KeyedRequest): Promise<void> {
  const text = 'DELETE FROM idempotency WHERE tenant_id = $1 AND key = $2 AND request = $3 AND outcome IS NULL';
  await ask(database, 'drop_attempt', text, [tenantId, key, request]);
}

export async function sweepIdempotency(database: Database): Promise<void> {
  await ask(database, 'sweep_idempotency', 'DELETE FROM idempotency WHERE ends_at <= now()', []);
}

async function heldBy(
  database: Database,
  { tenantId, key }: Pick<KeyedRequest, 'tenantId' | 'key'>,
): Promise<Held | undefined> {
  const text = 'SELECT request, outcome FROM idempotency WHERE tenant_id = $1 AND key = $2';
  return (await ask<Held>(database, 'held_by', text, [tenantId, key]))[0];
}
