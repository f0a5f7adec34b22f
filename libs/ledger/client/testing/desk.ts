/** A Client's book as submissions make it, without a service around it. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { application, content } from '#libs/credit/testing/example.ts';
import type { StoredFact, Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientKind } from '#libs/ledger/client/client-kind.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

export const kind = clientKind();
export const money = (minor_units: number) => ({ minor_units, currency: 'MXN' });

export const VALUES: JsonObject = {
  principal_min: money(1),
  principal_max: money(100_000_000),
  rate_min: '0',
  rate_max: '100',
  penalty_rate_min: '72',
  penalty_rate_max: '72',
  terms: [3, 12],
};

/** A Client's book and every fact as it was stored. */
export class Desk {
  book: ClientBook = kind.empty('acme', 'c/c-1');
  readonly stored: StoredFact[] = [];
  #minted = 0;

  ask(
    operation: string,
    body: JsonObject,
    params: { readonly [name: string]: string } = {},
    resolved: JsonObject = {},
  ) {
    const at = (1_800_000_000_000_000 + this.stored.length) as Moment;
    const ids = Array.from(
      { length: 2 },
      (_, nth) => `00000000-0000-7000-8000-${String(this.#minted + nth).padStart(12, '0')}`,
    );
    this.#minted += ids.length;
    const submission: Submission = {
      tenantId: 'acme',
      bookId: 'c/c-1',
      operation,
      params,
      body,
      digest: '',
      ids,
      resolved,
    };
    const decided = kind.decide(this.book, submission, at);
    if (isRefusal(decided))
      return { refused: decided.code, ...decided.details } as object as { [member: string]: never };
    for (const fact of decided.facts) {
      this.stored.push({ sequence: this.stored.length + 1, kind: fact.kind, body: fact.body, recordedAt: at });
    }
    this.book = decided.book;
    return JSON.parse(decided.answer().body) as { [member: string]: never };
  }

  /** At 36 per cent, unless a facility says otherwise. */
  issue(reference: string, more: JsonObject = {}, values: JsonObject = {}, elsewhere: Facility | null = null) {
    const terms = {
      client_id: 'c-1',
      configuration_id: 'ins-000001',
      configuration_version: 1,
      principal: money(1_000_000),
      term_periods: 12,
      ...(more['facility_id'] === undefined ? { rate: '36' } : {}),
      anchor: '2025-01-15',
      jurisdiction: 'MX',
      tax: { rate: '16', on: ['interest', 'penalty'] },
    };
    const configuration = { archetype: 'instalment', values: { ...VALUES, ...values } };
    const resolved = { configuration, facility: elsewhere as unknown as JsonObject | null };
    return this.ask('issueLoan', { ...terms, reference, ...more }, {}, resolved);
  }

  register() {
    return this.ask('registerClient', { actor: 'desk', basis: 'onboarding' });
  }

  /** An application decided by the example policy, as the lender adopted it. */
  apply(reference: string, more: JsonObject = {}, { binding = true, enforceBar = false, values = {} }: Adopted = {}) {
    const publication = { by: 'risk', at: '2026-01-01T00:00:00.000000Z', selfConfirmed: false };
    const version = {
      policy: 'retail',
      version: 2,
      digest: 'd1',
      content,
      drafted_by: 'risk',
      created_at: '',
      publication,
    };
    const configuration = { archetype: 'instalment', values: { ...VALUES, ...values } };
    const deciding = { version, binding, enforceBar };
    const resolved = { configuration, deciding, time_zone: 'America/Mexico_City' };
    const { client_id: _, ...stated } = application({ reference, principal: money(1_000_000) });
    return this.ask('decide', { ...stated, client_id: 'c-1', ...more } as unknown as JsonObject, {}, resolved);
  }

  grant(reference: string, more: JsonObject, jurisdiction = 'MX') {
    const days = { opens_on: '2025-01-01', expires_on: '2025-12-31' };
    const body = { reference, client_id: 'c-1', ...days, actor: 'desk', basis: 'approved', ...more };
    return this.ask('openFacility', body, {}, { jurisdiction });
  }
}

export type Adopted = { readonly binding?: boolean; readonly enforceBar?: boolean; readonly values?: JsonObject };
