/** Stores the first outcome of each request under an `Idempotency-Key`, for a day. */
import { type Database, type Queryable, query } from './database.ts';

/** A Tenancy's key and the digest of the request sent under it. */
export interface KeyedRequest {
  readonly tenantId: string;
  readonly key: string;
  readonly requestDigest: Buffer;
}

/** The request a key was first used for, and its outcome; null while the request is in progress. */
export interface IdempotencyRecord {
  readonly requestDigest: Buffer;
  readonly outcome: string | null;
}

/** The request may be executed. */
export interface IdempotencyAttempt {
  /** The end of its claim on the key; undefined where identical requests were already in progress. */
  readonly claim: string | undefined;
}

// Longer than any attempt may take. An abandoned attempt blocks the key for other requests at most this long.
const claimDuration = "interval '10 seconds'";
const outcomeLifetime = "interval '24 hours'";
/** A limit per statement, so that deleting after a long downtime does not time out. */
const maxDeletedRows = 50_000;

// A key is free if it is unused or expired.
const beginAttemptSql = `INSERT INTO idempotency_keys AS existing (tenant_id, key, request_digest, expires_at)
  VALUES ($1, $2, $3, now() + ${claimDuration})
  ON CONFLICT (tenant_id, key) DO UPDATE
    SET request_digest = EXCLUDED.request_digest, outcome = NULL, expires_at = EXCLUDED.expires_at
    WHERE existing.expires_at <= now()
  RETURNING expires_at::text AS claim`;

const joinAttemptSql = `UPDATE idempotency_keys SET expires_at = now() + ${claimDuration}
  WHERE tenant_id = $1 AND key = $2 AND request_digest = $3 AND outcome IS NULL
  RETURNING true AS joined`;

// Takes a free key, or one whose only attempts are of the same request.
const recordOutcomeSql = `INSERT INTO idempotency_keys AS existing (tenant_id, key, request_digest, outcome, expires_at)
  VALUES ($1, $2, $3, $4, now() + ${outcomeLifetime})
  ON CONFLICT (tenant_id, key) DO UPDATE
    SET request_digest = EXCLUDED.request_digest, outcome = EXCLUDED.outcome, expires_at = EXCLUDED.expires_at
    WHERE existing.expires_at <= now() OR (existing.outcome IS NULL AND existing.request_digest = EXCLUDED.request_digest)
  RETURNING true AS recorded`;

/** Claims the key, or returns the record that blocks it: an outcome, or another request in progress. */
export async function beginAttempt(
  database: Queryable,
  { tenantId, key, requestDigest }: KeyedRequest,
): Promise<IdempotencyAttempt | IdempotencyRecord> {
  const values = [tenantId, key, requestDigest];
  for (;;) {
    const [attempt] = await query<IdempotencyAttempt>(database, 'begin_attempt', beginAttemptSql, values);
    if (attempt !== undefined) return attempt;
    const joined = await query(database, 'join_attempt', joinAttemptSql, values);
    if (joined.length > 0) return { claim: undefined };
    const record = await findRecord(database, { tenantId, key });
    // The record may have expired since; then the key is free again.
    if (record !== undefined && !isInProgress(record, requestDigest)) return record;
  }
}

function isInProgress(record: IdempotencyRecord, requestDigest: Buffer): boolean {
  return record.outcome === null && record.requestDigest.equals(requestDigest);
}

/** Returns undefined where this outcome was stored, else the record that was there first. */
export async function recordOutcome(
  database: Queryable,
  { tenantId, key, requestDigest }: KeyedRequest,
  outcome: string,
): Promise<IdempotencyRecord | undefined> {
  const values = [tenantId, key, requestDigest, outcome];
  const recorded = await query(database, 'record_outcome', recordOutcomeSql, values);
  return recorded.length > 0 ? undefined : findRecord(database, { tenantId, key });
}

/**
 * Frees the key of an attempt without an outcome. Does nothing where another attempt overlapped: that one may still be
 * in progress and has moved the end of the claim, so the key stays claimed until then.
 */
export async function releaseAttempt(
  database: Database,
  { tenantId, key, requestDigest }: KeyedRequest,
  { claim }: IdempotencyAttempt,
): Promise<void> {
  if (claim === undefined) return;
  const text = `DELETE FROM idempotency_keys
    WHERE tenant_id = $1 AND key = $2 AND request_digest = $3 AND outcome IS NULL AND expires_at = $4::timestamptz`;
  await query(database, 'release_attempt', text, [tenantId, key, requestDigest, claim]);
}

export async function deleteExpiredOutcomes(database: Database): Promise<void> {
  const text = `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys WHERE expires_at <= now() LIMIT ${maxDeletedRows}))`;
  await query(database, 'delete_expired_outcomes', text, []);
}

async function findRecord(
  database: Queryable,
  { tenantId, key }: Pick<KeyedRequest, 'tenantId' | 'key'>,
): Promise<IdempotencyRecord | undefined> {
  const text =
    'SELECT request_digest AS "requestDigest", outcome FROM idempotency_keys WHERE tenant_id = $1 AND key = $2';
  return (await query<IdempotencyRecord>(database, 'idempotency_record', text, [tenantId, key]))[0];
}
