/**
 * `Idempotency-Key`: the first outcome of a request under a key answers every identical repeat for a day. Overlapping
 * attempts are all executed, and each is answered with the outcome that was stored first.
 */
import { type Database, type Queryable, withConnection } from '#libs/database/database.ts';
import { configurationRecordedBy, findRequestsUnderKey } from '#libs/database/evidence.ts';
import {
  beginAttempt,
  type IdempotencyAttempt,
  type IdempotencyRecord,
  type KeyedRequest,
  recordOutcome,
  releaseAttempt,
} from '#libs/database/idempotency.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { IdempotencyGuard, IdempotentRequest, RouteResponse, RouteResult } from '#libs/http/handler.ts';
import { refusalFromJson, refusalToJson } from '#libs/schema/refusal-json.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { submissionDigest } from '#libs/submission/digest.ts';

export interface IdempotencyOptions {
  /** Outcomes are stored in the home database. */
  readonly databases: PartitionDatabases;
  /** Called when an outcome could not be stored. The caller still receives it. */
  readonly onNotStored: (cause: unknown) => void;
}

export function idempotencyGuard(options: IdempotencyOptions): IdempotencyGuard {
  return (idempotent) => new KeyedExecution(options, idempotent).run();
}

/** One request under an `Idempotency-Key`. */
class KeyedExecution {
  readonly #databases: PartitionDatabases;
  readonly #onNotStored: (cause: unknown) => void;
  readonly #idempotent: IdempotentRequest;
  readonly #keyed: KeyedRequest;

  constructor({ databases, onNotStored }: IdempotencyOptions, idempotent: IdempotentRequest) {
    this.#databases = databases;
    this.#onNotStored = onNotStored;
    this.#idempotent = idempotent;
    const { tenancy, idempotencyKey, evidence, body } = idempotent.request;
    const requestDigest = submissionDigest({ method: evidence.method, path: evidence.target, body });
    this.#keyed = { tenantId: tenancy.id, key: idempotencyKey, requestDigest };
  }

  async run(): Promise<RouteResult> {
    const attempt = await this.#onConnection((connection) => beginAttempt(connection, this.#keyed));
    if ('requestDigest' in attempt) return this.#answerRecord(attempt);
    // Only requests about products are found there, which are recorded in the book of the Tenancy.
    const ofTenancy = this.#databases.ofTenancy(this.#keyed.tenantId);
    const earlier = await this.#onConnection((connection) => this.#findUnstoredOutcome(connection), ofTenancy);
    if (earlier === undefined) return this.#execute(attempt);
    this.#idempotent.setHeader('Idempotent-Replayed', 'true');
    return this.#store(earlier);
  }

  /** Another request is refused even while the first is in progress: it must not be executed. */
  #answerRecord({ outcome, requestDigest }: IdempotencyRecord): RouteResult {
    if (outcome === null || !requestDigest.equals(this.#keyed.requestDigest)) {
      return refuse('idempotency_mismatch', { field: 'Idempotency-Key' });
    }
    this.#idempotent.setHeader('Idempotent-Replayed', 'true');
    return decodeOutcome(outcome);
  }

  async #execute(attempt: IdempotencyAttempt): Promise<RouteResult> {
    let result: RouteResult;
    try {
      result = await this.#idempotent.execute();
    } catch (thrown) {
      await this.#release(attempt);
      throw thrown;
    }
    if (isOutcome(result)) return this.#store(result);
    await this.#release(attempt);
    return result;
  }

  async #store(result: RouteResult): Promise<RouteResult> {
    try {
      const outcome = encodeOutcome(result);
      const first = await this.#onConnection((connection) => recordOutcome(connection, this.#keyed, outcome));
      // Even if another request has claimed the key meanwhile, this one was executed.
      if (first === undefined || first.outcome === null) return result;
      return first.requestDigest.equals(this.#keyed.requestDigest) ? this.#answerRecord(first) : result;
    } catch (cause) {
      // The request was executed: an error would make the caller send it again.
      this.#onNotStored(cause);
      return result;
    }
  }

  /** If this fails, the attempt expires by itself. */
  async #release(attempt: IdempotencyAttempt): Promise<void> {
    await releaseAttempt(this.#databases.home, this.#keyed, attempt).catch(() => undefined);
  }

  /** The answer of an identical request that was executed but whose outcome could not be stored. */
  async #findUnstoredOutcome(connection: Queryable): Promise<RouteResponse | undefined> {
    const { method, target } = this.#idempotent.request.evidence;
    const { tenantId, key, requestDigest } = this.#keyed;
    for (const { requestId, body } of await findRequestsUnderKey(connection, { tenantId, key, method, target })) {
      const digest = submissionDigest({ method, path: target, body: JSON.parse(body.toString('utf8')) });
      if (!digest.equals(requestDigest)) continue;
      const text = await configurationRecordedBy(connection, { tenantId, requestId });
      if (text !== undefined) return { status: 201, text };
    }
    return undefined;
  }

  #onConnection<Result>(
    work: (connection: Queryable) => Promise<Result>,
    database: Database = this.#databases.home,
  ): Promise<Result> {
    return withConnection(database, this.#idempotent.request.timing, work);
  }
}

/** After these refusals it is unknown whether the request had an effect: it may be sent again under the same key. */
function isOutcome(result: RouteResult): boolean {
  return !isRefusal(result) || (result.code !== 'contended' && result.code !== 'unavailable');
}

function encodeOutcome(result: RouteResult): string {
  if (isRefusal(result)) return JSON.stringify(refusalToJson(result));
  const { status, text = JSON.stringify(result.body) } = result;
  return JSON.stringify({ status, text });
}

/** A refusal is rendered again, with the id of the request that is answered. */
function decodeOutcome(text: string): RouteResult {
  const outcome = JSON.parse(text) as { status: number; text: string } | ReturnType<typeof refusalToJson>;
  return 'code' in outcome ? refusalFromJson(outcome) : outcome;
}
