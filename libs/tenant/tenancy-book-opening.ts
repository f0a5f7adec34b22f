/** What a person does in the console or on the command line: open a Tenancy, set its bounds, mint and revoke its keys. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import type { Admission } from '#libs/ledger/book-decider.ts';
import { marketOf } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { refuse } from '#libs/schema/refusals.ts';
import {
  type Effects,
  type Tenancy,
  type TenancyAct,
  type TenancyBook,
  type TenancyKey,
  tenancyFact,
  withFacts,
} from '#libs/tenant/tenancy-book-state.ts';

export interface OpeningBody {
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly time_zone: string;
  readonly bounds: JsonObject | null;
}

export interface KeyBody {
  readonly fp: string;
  readonly public_key: string;
  readonly scope: 'read' | 'write';
  readonly holder: 'service' | 'agent';
  readonly label: string;
}

const openTenancy: TenancyAct = (book, { body, actor }, { at, markets }) => {
  const opening = body as unknown as OpeningBody;
  const { tenancy } = book;
  if (tenancy !== undefined) {
    return saysTheSame(tenancy, opening) ? met(book, book) : refuse('reference_reused', { recorded_id: book.tenantId });
  }
  if (marketOf(opening.jurisdiction, markets) === undefined) {
    return refuse('invalid_field', { field: '/jurisdiction', observed: opening.jurisdiction });
  }
  const facts = [tenancyFact('tenancy_opened', { ...opening, actor })];
  const after = withFacts(openingEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 201, body: tenancyText(after) }) };
};

const setBounds: TenancyAct = (book, { body, actor }, { at }) => {
  const facts = [tenancyFact('bounds_set', { bounds: body['bounds'] ?? null, actor })];
  const after = withFacts(openingEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 200, body: tenancyText(after) }) };
};

const mintKey: TenancyAct = (book, { body, actor }, { at }) => {
  const key = body as unknown as KeyBody;
  const held = book.keys.get(key.fp);
  if (held !== undefined) {
    const same = held.scope === key.scope && held.holder === key.holder && held.label === key.label;
    return same ? keyMet(book, held) : refuse('reference_reused', { recorded_id: key.fp });
  }
  const facts = [tenancyFact('key_minted', { ...key, actor })];
  const after = withFacts(openingEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 201, body: keyText(after.tenantId, after.keys.get(key.fp)) }) };
};

/** Final: a key once revoked is never usable again. */
const revokeKey: TenancyAct = (book, { body, actor }, { at }) => {
  const fp = String(body['fp']);
  const held = book.keys.get(fp);
  if (held === undefined) return refuse('not_found', { field: '/fp', observed: fp });
  if (held.revokedAt !== null) return keyMet(book, held);
  const facts = [tenancyFact('key_revoked', { fp, actor })];
  const after = withFacts(openingEffects, book, facts, at);
  return { facts, book: after, answer: () => ({ status: 200, body: keyText(after.tenantId, after.keys.get(fp)) }) };
};

export const openingActs = { openTenancy, setBounds, mintKey, revokeKey };

export const openingEffects: Effects = {
  tenancy_opened(book, { name, live, jurisdiction, time_zone, bounds }: OpeningBody, createdAt) {
    return { ...book, tenancy: { name, live, jurisdiction, timeZone: time_zone, bounds, createdAt } };
  },
  bounds_set(book, { bounds }: { bounds: JsonObject | null }) {
    return book.tenancy === undefined ? book : { ...book, tenancy: { ...book.tenancy, bounds } };
  },
  key_minted(book, { fp, public_key, scope, holder, label }: KeyBody, createdAt) {
    return withKey(book, { fp, publicKey: public_key, scope, holder, label, createdAt, revokedAt: null });
  },
  key_revoked(book, { fp }: { fp: string }, recordedAt) {
    const held = book.keys.get(fp);
    return held === undefined ? book : withKey(book, { ...held, revokedAt: recordedAt });
  },
};

function withKey(book: TenancyBook, key: TenancyKey): TenancyBook {
  return { ...book, keys: new Map(book.keys).set(key.fp, key) };
}

function saysTheSame(tenancy: Tenancy, opening: OpeningBody): boolean {
  return (
    tenancy.name === opening.name &&
    tenancy.live === opening.live &&
    tenancy.jurisdiction === opening.jurisdiction &&
    tenancy.timeZone === opening.time_zone
  );
}

function met(book: TenancyBook, after: TenancyBook): Admission<TenancyBook> {
  return { facts: [], book, answer: () => ({ status: 200, body: tenancyText(after) }) };
}

function keyMet(book: TenancyBook, key: TenancyKey): Admission<TenancyBook> {
  return { facts: [], book, answer: () => ({ status: 200, body: keyText(book.tenantId, key) }) };
}

function tenancyText({ tenantId, tenancy }: TenancyBook): string {
  if (tenancy === undefined) throw new Error(`${tenantId} was not opened`);
  const { name, live, jurisdiction, timeZone, bounds, createdAt } = tenancy;
  return JSON.stringify({
    id: tenantId,
    name,
    live,
    jurisdiction,
    time_zone: timeZone,
    ...(bounds === null ? {} : { bounds }),
    created_at: formatMoment(createdAt),
  });
}

function keyText(tenantId: string, key: TenancyKey | undefined): string {
  if (key === undefined) throw new Error('the key is not in the book it was minted in');
  const { fp, publicKey, scope, holder, label, createdAt, revokedAt } = key;
  const revoked: Moment | null = revokedAt;
  return JSON.stringify({
    fp,
    tenant_id: tenantId,
    public_key: publicKey,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt),
    ...(revoked === null ? {} : { revoked_at: formatMoment(revoked) }),
  });
}
