/** The stored requests behind facts. The signature of each is checked once, however many facts it caused. */
import { inflateRawSync } from 'node:zlib';
import { type Queryable, query } from '#libs/database/database.ts';
import type { EventEvidence } from '#libs/kafka/book-event.ts';
import { signatureFault } from './request-signature.ts';
import type { TenancyKeys } from './tenancy-keys.ts';

export interface CheckedRequest {
  readonly tenantId: string;
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly isSigned: boolean;
  readonly actor: string | null;
  /** Why the request is not valid evidence; undefined if it is. */
  readonly fault: string | undefined;
}

interface RequestName {
  readonly request_id: string;
  readonly partition: number;
}

interface EvidenceRow extends RequestName, Omit<EventEvidence<number>, 'caller_request_id' | 'body'> {
  readonly tenant_id: string;
  readonly body: Buffer | null;
}

export function requestKey({ request_id, partition }: RequestName): string {
  return `${request_id}/${partition}`;
}

/** With OFFSET 0 each row is looked up in its partition: the planner would rather read all tables than each a thousand times. */
const text = `
  SELECT e.request_id, e.partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body, body_encoding, actor,
    received_at AS taken_in_at
  FROM unnest($1::uuid[], $2::smallint[]) AS w (request_id, partition)
  CROSS JOIN LATERAL (SELECT * FROM evidence e WHERE e.request_id = w.request_id AND e.partition = w.partition OFFSET 0) e`;

/** A batch has facts in many books, so its request stays in memory until newer ones need the space. */
const maxCachedBytes = 64 * 1024 * 1024;

export class StoredRequests {
  readonly #keys: TenancyKeys;
  readonly #cache = new Map<string, CheckedRequest>();
  #cachedBytes = 0;

  constructor(keys: TenancyKeys) {
    this.#keys = keys;
  }

  /** By `requestKey`, and how many signatures were checked. Requests that are not stored are absent. */
  async load(
    database: Queryable,
    names: readonly RequestName[],
  ): Promise<{ readonly requests: Map<string, CheckedRequest>; readonly signatures: number }> {
    const requests = new Map<string, CheckedRequest>();
    const missing = new Map<string, RequestName>();
    for (const name of names) {
      const key = requestKey(name);
      const cached = this.#cache.get(key);
      if (cached === undefined) missing.set(key, name);
      else requests.set(key, cached);
    }
    if (missing.size === 0) return { requests, signatures: 0 };
    const missingNames = [...missing.values()];
    const columns = [missingNames.map((name) => name.request_id), missingNames.map((name) => name.partition)];
    const rows = await query<EvidenceRow>(database, 'audited_evidence', text, columns);
    await this.#keys.findUnknown(database, rows);
    for (const row of rows) {
      const request = this.#check(row);
      requests.set(requestKey(row), request);
      this.#remember(requestKey(row), request);
    }
    return { requests, signatures: rows.filter(({ signature }) => signature !== null).length };
  }

  #remember(key: string, request: CheckedRequest): void {
    if (this.#cache.has(key)) return;
    this.#cache.set(key, request);
    this.#cachedBytes += request.body.length;
    for (const [oldest, { body }] of this.#cache) {
      if (this.#cachedBytes <= maxCachedBytes) return;
      this.#cache.delete(oldest);
      this.#cachedBytes -= body.length;
    }
  }

  #check(row: EvidenceRow): CheckedRequest {
    const { tenant_id: tenantId, method, target, actor, body_encoding } = row;
    const isSigned = row.fp !== null || row.signature !== null || row.ts !== null;
    const common = { tenantId, method, target, actor, isSigned };
    if (row.body === null) return { ...common, body: Buffer.alloc(0), fault: 'its request has no body' };
    let body: Buffer;
    try {
      body = body_encoding === 'deflate' ? inflateRawSync(row.body) : row.body;
    } catch {
      return { ...common, body: Buffer.alloc(0), fault: 'the stored request body cannot be decompressed' };
    }
    return { ...common, body, fault: isSigned ? this.#signedFault(row, body) : unsignedFault(row) };
  }

  #signedFault(row: EvidenceRow, body: Buffer): string | undefined {
    const { tenant_id, method, target, ts, fp, signature, idempotency_key, taken_in_at: receivedAt } = row;
    if (ts === null || fp === null || signature === null) return 'its signature is incomplete';
    const key = this.#keys.get(tenant_id, fp);
    if (key === undefined) return `its key ${fp} is not registered for its Tenancy`;
    if (key.scope !== 'write') return `its key ${fp} has no write scope`;
    const idempotencyKey = idempotency_key ?? undefined;
    const request = { method, target, ts: String(ts), fp, signature, idempotencyKey, body, receivedAt };
    return signatureFault(request, key);
  }
}

/** Only administration is unsigned, and it names its actor. */
function unsignedFault({ actor, target }: EvidenceRow): string | undefined {
  if (actor === null) return 'its request has neither a signature nor an actor';
  return target.startsWith('/administration/') ? undefined : 'an unsigned request has the path of a signed one';
}
