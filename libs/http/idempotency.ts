/**
 * `Idempotency-Key`: the first outcome of a request under a key answers every identical repeat of it for a day. Attempts
 * that overlap are all made, and each is answered what was recorded first.
 */

import type { Database, Queryable } from '#libs/database/database.ts';
import { configurationMadeBy, doneUnderKey } from '#libs/database/done-under-key.ts';
import {
  type Attempt,
  beginAttempt,
  dropAttempt,
  type Held,
  type KeyedRequest,
  recordOutcome,
} from '#libs/database/idempotency.ts';
import { onConnection } from '#libs/database/reading.ts';
import type { IdempotencyGuard, IdempotentRequest, RouteResponse, RouteResult } from '#libs/http/handler.ts';
import { hearRefusal, sayRefusal } from '#libs/schema/refusal-json.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { submissionDigest } from '#libs/submission/digest.ts';

interface OnceParts {
  readonly database: Database;
  /** Told that an outcome could not be kept. */
  readonly onUnkept: (cause: unknown) => void;
}

export function answerOnce(parts: OnceParts): IdempotencyGuard {
  return async (keyed) => {
    const { admitted, header } = keyed;
    const { timing } = admitted;
    const { database } = parts;
    const request = requestOf(keyed);
    const began = await onConnection(database, timing, (on) => beginAttempt(on, request));
    if ('request' in began) return answerHeld(keyed, request, began);
    const done = await onConnection(database, timing, (on) => answerOfDone(on, keyed, request));
    if (done === undefined) return attempted(parts, keyed, request, began);
    header('Idempotent-Replayed', 'true');
    return kept(parts, keyed, request, done);
  };
}

function requestOf({ admitted }: IdempotentRequest): KeyedRequest {
  const { tenancy, idempotencyKey, evidence, body } = admitted;
  const request = submissionDigest({ method: evidence.method, path: evidence.target, body });
  return { tenantId: tenancy.id, key: idempotencyKey, request };
}

/** Another request is refused even while the first is under way: it must not be done and then told it was not. */
function answerHeld({ header }: IdempotentRequest, { request }: KeyedRequest, held: Held): RouteResult {
  if (held.outcome === null || !held.request.equals(request)) {
    return refuse('idempotency_mismatch', { field: 'Idempotency-Key' });
  }
  header('Idempotent-Replayed', 'true');
  return decode(held.outcome);
}

async function attempted(
  parts: OnceParts,
  keyed: IdempotentRequest,
  request: KeyedRequest,
  attempt: Attempt,
): Promise<RouteResult> {
  let outcome: RouteResult;
  try {
    outcome = await keyed.act();
  } catch (thrown) {
    await freed(parts, request, attempt);
    throw thrown;
  }
  if (isOutcome(outcome)) return kept(parts, keyed, request, outcome);
  await freed(parts, request, attempt);
  return outcome;
}

/** Neither says what came of the request: it may be sent again, under the same key. */
function isOutcome(outcome: RouteResult): boolean {
  return !isRefusal(outcome) || (outcome.code !== 'contended' && outcome.code !== 'unavailable');
}

async function kept(
  parts: OnceParts,
  keyed: IdempotentRequest,
  request: KeyedRequest,
  outcome: RouteResult,
): Promise<RouteResult> {
  const { timing } = keyed.admitted;
  try {
    const first = await onConnection(parts.database, timing, (on) => recordOutcome(on, request, encode(outcome)));
    // Where the key has gone to another request meanwhile, this one was done all the same.
    if (first === undefined || first.outcome === null || !first.request.equals(request.request)) return outcome;
    return answerHeld(keyed, request, first);
  } catch (cause) {
    // It stands whether it is kept or not, and whoever were told otherwise would do it again.
    parts.onUnkept(cause);
    return outcome;
  }
}

/** Where this fails the attempt ends by itself. */
async function freed({ database }: OnceParts, request: KeyedRequest, attempt: Attempt): Promise<void> {
  await dropAttempt(database, request, attempt).catch(() => undefined);
}

/** The same request was done before, though its outcome was not kept. */
async function answerOfDone(
  database: Queryable,
  { admitted }: IdempotentRequest,
  { tenantId, key, request }: KeyedRequest,
): Promise<RouteResponse | undefined> {
  const { method, target } = admitted.evidence;
  for (const { requestId, body } of await doneUnderKey(database, { tenantId, key, method, target })) {
    const digest = submissionDigest({ method, path: target, body: JSON.parse(body.toString('utf8')) });
    const text = digest.equals(request) ? await configurationMadeBy(database, { tenantId, requestId }) : undefined;
    if (text !== undefined) return { status: 201, text };
  }
  return undefined;
}

function encode(outcome: RouteResult): string {
  if (isRefusal(outcome)) return JSON.stringify(sayRefusal(outcome));
  const { status, text = JSON.stringify(outcome.body) } = outcome;
  return JSON.stringify({ status, text });
}

/** Rendered anew: a refusal speaks under the identifier of the request that is answered. */
function decode(kept: string): RouteResult {
  const read = JSON.parse(kept) as { status: number; text: string } | ReturnType<typeof sayRefusal>;
  return 'code' in read ? hearRefusal(read) : read;
}
