/**
 * What a person does with a Tenancy and its keys. It goes through the log like every write, with the person as actor
 * and no signature, so that a database is rebuilt with its Tenancies and keys.
 */
import { v7 } from 'uuid';
import { fingerprint } from '#libs/auth/fingerprint.ts';
import { keyFault } from '#libs/auth/point.ts';
import type { BookKey } from '#libs/database/books.ts';
import { type Database, query } from '#libs/database/database.ts';
import { type ParkedBook, parkedBooks } from '#libs/database/parked.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { type ReleaseBody, releaseOperation } from '#libs/ledger/release.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { submissionDigest } from './digest.ts';
import type { Submitter } from './submitter.ts';

export interface Opening {
  readonly tenantId: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly timeZone: string;
}

export interface BoundsToSet {
  readonly concurrent: number;
  readonly patience_ms: number;
  readonly per_second: number;
  readonly burst: number;
}

export interface Minting {
  readonly tenantId: string;
  /** 32 bytes; the secret half never comes here. */
  readonly publicKey: Uint8Array;
  readonly scope: 'read' | 'write';
  readonly holder: 'service' | 'agent';
  readonly label: string;
}

export interface ListedKey {
  readonly fp: string;
  readonly tenantId: string;
  readonly scope: string;
  readonly holder: string;
  readonly label: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A thing already there is met, not refused; the answer is the Tenancy or the key as it stands. */
export type Done = JsonObject | Refusal;

export class Administration {
  readonly #submitter: Submitter;
  readonly #database: Database;

  constructor(submitter: Submitter, database: Database) {
    this.#submitter = submitter;
    this.#database = database;
  }

  openTenancy(actor: string, { tenantId, name, live, jurisdiction, timeZone }: Opening): Promise<Done> {
    const body = { name, live, jurisdiction, time_zone: timeZone, bounds: null };
    return this.#do(actor, tenantId, 'openTenancy', body);
  }

  /** Null for the default bounds. */
  setBounds(actor: string, tenantId: string, bounds: BoundsToSet | null): Promise<Done> {
    return this.#do(actor, tenantId, 'setBounds', { bounds: bounds === null ? null : { ...bounds } });
  }

  async mintKey(actor: string, { tenantId, publicKey, scope, holder, label }: Minting): Promise<Done> {
    const fault = keyFault(publicKey);
    if (fault !== undefined) throw new TypeError(`the public key is not one to register: ${fault}`);
    const fp = fingerprint(publicKey);
    const held = await query(this.#database, 'key_elsewhere', 'SELECT 1 FROM keys WHERE fp = $1 AND tenant_id <> $2', [
      fp,
      tenantId,
    ]);
    if (held.length > 0) return refuse('reference_reused', { recorded_id: fp });
    const body = { fp, public_key: Buffer.from(publicKey).toString('hex'), scope, holder, label };
    return this.#do(actor, tenantId, 'mintKey', body);
  }

  revokeKey(actor: string, tenantId: string, fp: string): Promise<Done> {
    return this.#do(actor, tenantId, 'revokeKey', { fp });
  }

  /** What the secret of a key begins with; undefined where there is no such Tenancy. */
  async isLive(tenantId: string): Promise<boolean | undefined> {
    const text = 'SELECT live FROM tenancies WHERE tenant_id = $1';
    const [tenancy] = await query<{ live: boolean }>(this.#database, 'tenancy_is_live', text, [tenantId]);
    return tenancy?.live;
  }

  async listKeys(tenantId: string): Promise<ListedKey[]> {
    const rows = await query<{
      fp: string;
      tenant_id: string;
      scope: string;
      holder: string;
      label: string;
      created_at: number;
      revoked_at: number | null;
    }>(
      this.#database,
      'list_keys',
      'SELECT fp, tenant_id, scope, holder, label, created_at, revoked_at FROM keys WHERE tenant_id = $1 ORDER BY created_at, fp',
      [tenantId],
    );
    return rows.map(({ tenant_id, created_at, revoked_at, ...row }) => ({
      ...row,
      tenantId: tenant_id,
      createdAt: created_at,
      revokedAt: revoked_at,
    }));
  }

  /** What waits with a parked book is decided anew in its order, but for the places that are dropped. */
  releaseBook(actor: string, book: BookKey, { basis, drop }: ReleaseBody): Promise<Done> {
    return this.#do(actor, book.tenantId, releaseOperation, { basis, drop }, book.bookId);
  }

  /** Books that wait for a person, with what waits with them. */
  parkedBooks(tenantId: string | undefined): Promise<ParkedBook[]> {
    return parkedBooks(this.#database, tenantId);
  }

  async #do(
    actor: string,
    tenantId: string,
    operation: string,
    body: JsonObject,
    bookId: string = tenancyBookId,
  ): Promise<Done> {
    const target = `/administration/tenants/${tenantId}/${operation}`;
    const now = Date.now();
    const outcomes = await this.#submitter.submit({
      requestId: v7(),
      tenantId,
      operation,
      params: {},
      takenInAt: now,
      admittedAt: now,
      actor,
      evidence: {
        method: 'POST',
        target,
        ts: null,
        fp: null,
        signature: null,
        idempotency_key: null,
        body: Buffer.from(JSON.stringify(body)),
      },
      items: [{ item: 0, bookId, digest: submissionDigest({ method: 'POST', path: target, body }), ids: [] }],
    });
    const outcome = outcomes.get(0);
    if (outcome === undefined) throw new DependencyUnavailableError('verdict');
    return 'refused' in outcome ? outcome : (JSON.parse(outcome.body) as JsonObject);
  }
}
