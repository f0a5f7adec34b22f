/**
 * Operations on Tenancies, keys and parked books by an operator. They are submitted like every write, with the operator as
 * actor and without a signature, so that a rebuilt database contains them.
 */
import { v7 } from 'uuid';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { publicKeyFault } from '#libs/auth/verify.ts';
import type { BookKey } from '#libs/database/books.ts';
import { query } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { BoundsSettings } from '#libs/database/tenancies.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { type ReleaseBody, releaseOperation } from '#libs/ledger/release.ts';
import { recordLater } from '#libs/people/unrecorded-acts.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { installationId } from '#libs/tenant/administration-acts.ts';
import type { ActOrigin, PersonAct } from '#libs/tenant/tenancy-facts.ts';
import { AdministrationReads, type NewTenancy } from './administration-reads.ts';
import { submissionDigest } from './digest.ts';
import { parseReleaseResult } from './release-book.ts';
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
  readonly #databases: PartitionDatabases;
  readonly #origin: ActOrigin;

  constructor(submitter: Submitter, databases: PartitionDatabases, origin: ActOrigin = { channel: 'command_line' }) {
    super(databases);
    this.#submitter = submitter;
    this.#databases = databases;
    this.#origin = origin;
  }

  /** For acts that are done there. */
  from(origin: ActOrigin): Administration {
    return new Administration(this.#submitter, this.#databases, origin);
  }

  openTenancy(
    actor: string,
    { tenantId, name, live, jurisdiction, timeZone }: NewTenancy,
  ): Promise<AdministrationResult> {
    const body = { name, live, jurisdiction, time_zone: timeZone, bounds: null, origin: this.#origin };
    return this.#submit(actor, tenantId, 'openTenancy', body);
  }

  /** Revokes all its keys. Closing a closed Tenancy records nothing. */
  closeTenancy(actor: string, tenantId: string, basis: string): Promise<AdministrationResult> {
    return this.#submit(actor, tenantId, 'closeTenancy', { basis, origin: this.#origin });
  }

  reopenTenancy(actor: string, tenantId: string): Promise<AdministrationResult> {
    return this.#submit(actor, tenantId, 'reopenTenancy', { origin: this.#origin });
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
    const text = 'SELECT 1 FROM keys WHERE fp = $1 AND tenant_id <> $2';
    const registered = await this.#databases.readAll((database) =>
      query(database, 'key_elsewhere', text, [fp, tenantId]),
    );
    if (registered.some((rows) => rows.length > 0)) return refuse('reference_reused', { recorded_id: fp });
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

  /**
   * Lets a parked book continue: its waiting submissions are decided again in order, except those in `drop`. The request and
   * its result are also recorded for the audit lists of the installation and of the Tenancy.
   */
  async releaseBook(actor: string, book: BookKey, { basis, drop }: ReleaseBody): Promise<AdministrationResult> {
    // Before the effect: a process that stops in between has recorded who asked for it, and what was dropped.
    await this.#recordRelease(actor, book, { state: 'requested', basis, dropped: drop });
    const answer = await this.#submit(actor, book.tenantId, releaseOperation, { basis, drop }, book.bookId);
    await this.#recordRelease(actor, book, releaseState(answer, basis));
    return answer;
  }

  async #recordRelease(actor: string, book: BookKey, after: JsonObject): Promise<void> {
    const { tenantId, bookId } = book;
    const subject = `${tenantId}/${bookId}`;
    const act = { actor, origin: this.#origin, subject, before: 'parked', after: JSON.stringify(after) };
    const isOpen = (await this.isLive(tenantId)) !== undefined;
    for (const recordedIn of isOpen ? [installationId, tenantId] : [installationId]) {
      // A parked book accepts no act about itself; its fact `released` says the same.
      if (recordedIn === tenantId && bookId === tenancyBookId) continue;
      await recordLater(this.#databases.home, { action: 'released', ...act }, recordedIn);
    }
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

/** What a release came to, as the audit lists show it. */
function releaseState(answer: AdministrationResult, basis: string): JsonObject {
  if (isRefusal(answer)) return { state: 'refused', code: answer.code, basis };
  const { released, left, submissions } = parseReleaseResult(answer);
  const dropped = submissions.filter(({ came_to }) => came_to === 'dropped').map(({ place }) => place);
  return { state: released ? 'released' : 'parked', left, basis, dropped };
}
