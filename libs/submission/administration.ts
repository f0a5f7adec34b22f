/**
 * Operations on Tenancies, keys and parked books by an operator. They are submitted like every write, with the operator as
 * actor and without a signature, so that a rebuilt database contains them.
 */
import { v7 } from 'uuid';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { publicKeyFault } from '#libs/auth/verify.ts';
import type { BookKey } from '#libs/database/books.ts';
import { type Database, query } from '#libs/database/database.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { type ReleaseBody, releaseOperation } from '#libs/ledger/release.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { ActOrigin, PersonAct } from '#libs/tenant/tenancy-facts.ts';
import { AdministrationReads, type BoundsSettings, type NewTenancy } from './administration-reads.ts';
import { submissionDigest } from './digest.ts';
import type { Submitter } from './submitter.ts';

export interface NewKeyRequest {
  readonly tenantId: string;
  /** 32 bytes. The private key is never sent. */
  readonly publicKey: Uint8Array;
  readonly scope: 'read' | 'write';
  readonly holder: 'service' | 'agent';
  readonly label: string;
}

/** The Tenancy or key after the operation. Creating what exists already is no error. */
export type AdministrationResult = JsonObject | Refusal;

export class Administration extends AdministrationReads {
  readonly #submitter: Submitter;
  readonly #database: Database;
  readonly #origin: ActOrigin;

  constructor(submitter: Submitter, database: Database, origin: ActOrigin = { channel: 'command_line' }) {
    super(database);
    this.#submitter = submitter;
    this.#database = database;
    this.#origin = origin;
  }

  /** For acts that are done there. */
  from(origin: ActOrigin): Administration {
    return new Administration(this.#submitter, this.#database, origin);
  }

  openTenancy(
    actor: string,
    { tenantId, name, live, jurisdiction, timeZone }: NewTenancy,
  ): Promise<AdministrationResult> {
    const body = { name, live, jurisdiction, time_zone: timeZone, bounds: null, origin: this.#origin };
    return this.#submit(actor, tenantId, 'openTenancy', body);
  }

  /** Null for the default bounds. */
  setBounds(actor: string, tenantId: string, bounds: BoundsSettings | null): Promise<AdministrationResult> {
    return this.#submit(actor, tenantId, 'setBounds', {
      bounds: bounds === null ? null : { ...bounds },
      origin: this.#origin,
    });
  }

  async mintKey(
    actor: string,
    { tenantId, publicKey, scope, holder, label }: NewKeyRequest,
  ): Promise<AdministrationResult> {
    const fault = publicKeyFault(publicKey);
    if (fault !== undefined) throw new TypeError(`invalid public key: ${fault}`);
    const fp = fingerprint(publicKey);
    const registeredElsewhere = await query(
      this.#database,
      'key_elsewhere',
      'SELECT 1 FROM keys WHERE fp = $1 AND tenant_id <> $2',
      [fp, tenantId],
    );
    if (registeredElsewhere.length > 0) return refuse('reference_reused', { recorded_id: fp });
    const body = { fp, public_key: Buffer.from(publicKey).toString('hex'), scope, holder, label, origin: this.#origin };
    return this.#submit(actor, tenantId, 'mintKey', body);
  }

  revokeKey(actor: string, tenantId: string, fp: string): Promise<AdministrationResult> {
    return this.#submit(actor, tenantId, 'revokeKey', { fp, origin: this.#origin });
  }

  /** Of a Tenancy, or of the installation: its book is `installationId`. */
  recordPersonAct(
    actor: string,
    tenantId: string,
    act: PersonAct & { origin: ActOrigin },
  ): Promise<AdministrationResult> {
    return this.#submit(actor, tenantId, 'recordPersonAct', { ...act });
  }

  /** Lets a parked book continue: its waiting submissions are decided again in order, except those in `drop`. */
  releaseBook(actor: string, book: BookKey, { basis, drop }: ReleaseBody): Promise<AdministrationResult> {
    return this.#submit(actor, book.tenantId, releaseOperation, { basis, drop }, book.bookId);
  }

  async #submit(
    actor: string,
    tenantId: string,
    operation: string,
    body: JsonObject,
    bookId: string = tenancyBookId,
  ): Promise<AdministrationResult> {
    const target = `/administration/tenants/${tenantId}/${operation}`;
    const now = Date.now();
    const results = await this.#submitter.submit({
      requestId: v7(),
      tenantId,
      operation,
      params: {},
      receivedAt: now,
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
    const result = results.get(0);
    if (result === undefined) throw new DependencyUnavailableError('verdict');
    return 'refused' in result ? result : (JSON.parse(result.body) as JsonObject);
  }
}
