/** A Client's book that tests build by submissions, without a running service. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { application, policyContent } from '#libs/credit/testing/example.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { BookDecider, StoredFact, Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientBookDecider } from '#libs/ledger/client/client-book-decider.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

export const decider = clientBookDecider();
export const money = (minor_units: number) => ({ minor_units, currency: 'MXN' });

export const configurationValues: JsonObject = {
  principal_min: money(1),
  principal_max: money(100_000_000),
  rate_min: '0',
  rate_max: '100',
  penalty_rate_min: '72',
  penalty_rate_max: '72',
  terms: [3, 12],
};

export class TestClientBook {
  readonly decider: BookDecider<ClientBook>;
  book: ClientBook = decider.empty('acme', 'c/c-1');
  readonly stored: StoredFact[] = [];
  #mintedIds = 0;

  constructor(acts = manifest, markets: Markets = MARKETS) {
    this.decider = clientBookDecider(markets, acts);
  }

  /** The answer, or the code of the refusal under `refused` with its details. */
  submit(
    operation: string,
    body: JsonObject,
    params: { readonly [name: string]: string } = {},
    resolved: Json = {},
  ): JsonObject {
    const at = (1_800_000_000_000_000 + this.stored.length) as Moment;
    const ids = Array.from(
      { length: 2 },
      (_, nth) => `00000000-0000-7000-8000-${String(this.#mintedIds + nth).padStart(12, '0')}`,
    );
    this.#mintedIds += ids.length;
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
    const decided = this.decider.decide(this.book, submission, at);
    if (isRefusal(decided)) return { refused: decided.code, ...decided.details };
    for (const fact of decided.facts) {
      this.stored.push({ sequence: this.stored.length + 1, kind: fact.kind, body: fact.body, recordedAt: at });
    }
    this.book = decided.book;
    return JSON.parse(decided.answer().body);
  }

  /** At 36 per cent, or at the facility's rate. */
  issue(reference: string, more: JsonObject = {}, values: JsonObject = {}, otherFacility: Facility | null = null) {
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
    const configuration = { archetype: 'instalment', values: { ...configurationValues, ...values } };
    const resolved = { configuration, facility: otherFacility };
    return this.submit('issueLoan', { ...terms, reference, ...more }, {}, resolved);
  }

  register() {
    return this.submit('registerClient', { actor: 'officer-1', basis: 'onboarding' });
  }

  /** Applies for credit under the example policy. */
  apply(
    reference: string,
    more: JsonObject = {},
    { binding = true, enforceBar = false, values = {} }: AdoptionOptions = {},
  ) {
    const publication = { by: 'risk', at: '2026-01-01T00:00:00.000000Z', selfConfirmed: false };
    const version = {
      policy: 'retail',
      version: 2,
      digest: 'd1',
      content: policyContent,
      drafted_by: 'risk',
      created_at: '',
      publication,
    };
    const configuration = { archetype: 'instalment', values: { ...configurationValues, ...values } };
    const deciding = { version, binding, enforceBar };
    const resolved = { configuration, deciding, time_zone: 'America/Mexico_City' };
    const { client_id: _, ...stated } = application({ reference, principal: money(1_000_000) });
    return this.submit('decide', { ...stated, client_id: 'c-1', ...more }, {}, resolved);
  }

  openFacility(reference: string, more: JsonObject, jurisdiction = 'MX') {
    const days = { opens_on: '2025-01-01', expires_on: '2025-12-31' };
    const body = { reference, client_id: 'c-1', ...days, actor: 'officer-1', basis: 'approved', ...more };
    return this.submit('openFacility', body, {}, { jurisdiction });
  }
}

export type AdoptionOptions = {
  readonly binding?: boolean;
  readonly enforceBar?: boolean;
  readonly values?: JsonObject;
};
