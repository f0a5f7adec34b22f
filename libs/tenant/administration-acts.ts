/** Administrative acts, done in the console or on the command line: opening and closing a Tenancy, its bounds and its keys. */

import { formatMoment } from '#libs/calendar/moment.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { marketOf } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { refuse } from '#libs/schema/refusals.ts';
import type { Tenancy, TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { ActOrigin, KeyBody, OpeningBody, PersonAct, TenancyAct } from '#libs/tenant/tenancy-facts.ts';

/** The book of what was done to the people of the console outside any Tenancy. It is never opened as a Tenancy. */
export const installationId = '_installation';

type WithOrigin = { readonly origin?: ActOrigin };

const openTenancy: TenancyAct<OpeningBody> = {
  decide(book, { body: opening, actor }, { markets }) {
    const { tenancy, tenantId } = book;
    if (tenantId === installationId) {
      return refuse('invalid_field', { field: '/id', bound: `an id other than ${installationId}`, observed: tenantId });
    }
    if (tenancy !== undefined) {
      if (!isSameOpening(tenancy, opening)) return refuse('reference_reused', { recorded_id: tenantId });
      return { facts: [], status: 200, answer: tenancyText };
    }
    const market = marketOf(opening.jurisdiction, markets);
    if (market === undefined || !isOffered(market, opening)) {
      const bound = offeredJurisdictions(opening, markets);
      return refuse('invalid_field', { field: '/jurisdiction', bound, observed: opening.jurisdiction });
    }
    return { facts: [{ kind: 'tenancy_opened', body: { ...opening, actor } }], status: 201, answer: tenancyText };
  },
};

/** Revokes all keys, so that no request of the Tenancy is accepted, and refuses further administration. */
const closeTenancy: TenancyAct<{ readonly basis: string } & WithOrigin> = {
  isAdmittedWhenClosed: true,
  decide({ keys, closedAt }, { body: { basis, ...origin }, actor }) {
    if (closedAt !== undefined) return { facts: [], status: 200, answer: tenancyText };
    const valid = [...keys.values()].filter(({ revokedAt }) => revokedAt === null).map(({ fp }) => fp);
    const body = { basis, keys: valid, actor, ...origin };
    return { facts: [{ kind: 'tenancy_closed', body }], status: 200, answer: tenancyText };
  },
};

/** As it was when it was closed, without a valid key: a revoked key never becomes usable again. */
const reopenTenancy: TenancyAct<WithOrigin> = {
  isAdmittedWhenClosed: true,
  decide({ closedAt }, { body, actor }) {
    if (closedAt === undefined) return { facts: [], status: 200, answer: tenancyText };
    return { facts: [{ kind: 'tenancy_reopened', body: { ...body, actor } }], status: 200, answer: tenancyText };
  },
};

const setBounds: TenancyAct<{ readonly bounds?: JsonObject | null } & WithOrigin> = {
  decide({ tenancy }, { body: { bounds = null, origin }, actor }) {
    // Submissions of earlier releases state no origin, and their facts state nothing of the bounds before.
    const details = origin === undefined ? {} : { before: tenancy?.bounds ?? null, origin };
    return { facts: [{ kind: 'bounds_set', body: { bounds, actor, ...details } }], status: 200, answer: tenancyText };
  },
};

const mintKey: TenancyAct<KeyBody> = {
  decide(book, { body: key, actor }) {
    const known = book.keys.get(key.fp);
    const answer = (after: TenancyBook) => keyText(after, key.fp);
    if (known === undefined) return { facts: [{ kind: 'key_minted', body: { ...key, actor } }], status: 201, answer };
    const isSame = known.scope === key.scope && known.holder === key.holder && known.label === key.label;
    return isSame ? { facts: [], status: 200, answer } : refuse('reference_reused', { recorded_id: key.fp });
  },
};

/** A revoked key never becomes usable again. */
const revokeKey: TenancyAct<{ readonly fp: string } & WithOrigin> = {
  decide(book, { body: { fp, ...origin }, actor }) {
    const key = book.keys.get(fp);
    if (key === undefined) return refuse('not_found', { field: '/fp', observed: fp });
    return {
      facts: key.revokedAt === null ? [{ kind: 'key_revoked', body: { fp, actor, ...origin } }] : [],
      status: 200,
      answer: (after) => keyText(after, fp),
    };
  },
};

/** In the book of a Tenancy, or in the book of the installation. */
const recordPersonAct: TenancyAct<PersonAct & WithOrigin> = {
  isAdmittedWhenClosed: true,
  decide(_book, { body, actor }) {
    return { facts: [{ kind: 'person_act', body: { ...body, actor } }], status: 201, answer: () => '{}' };
  },
};

export const administrationActs = {
  openTenancy,
  closeTenancy,
  reopenTenancy,
  setBounds,
  mintKey,
  revokeKey,
  recordPersonAct,
};

/** A live Tenancy cannot be in a market that is for tests. */
export function offeredJurisdictions(
  opening: Pick<OpeningBody, 'live'>,
  markets: ReadonlyMap<string, Market>,
): string[] {
  return [...markets.values()].filter((market) => isOffered(market, opening)).map(({ jurisdiction }) => jurisdiction);
}

function isOffered({ isForTests }: Market, { live }: Pick<OpeningBody, 'live'>): boolean {
  return !live || isForTests !== true;
}

function isSameOpening(tenancy: Tenancy, opening: OpeningBody): boolean {
  return (
    tenancy.name === opening.name &&
    tenancy.live === opening.live &&
    tenancy.jurisdiction === opening.jurisdiction &&
    tenancy.timeZone === opening.time_zone
  );
}

function tenancyText({ tenantId, tenancy, closedAt }: TenancyBook): string {
  if (tenancy === undefined) throw new Error(`Tenancy ${tenantId} is not open`);
  const { name, live, jurisdiction, timeZone, bounds, createdAt } = tenancy;
  return JSON.stringify({
    id: tenantId,
    name,
    live,
    jurisdiction,
    time_zone: timeZone,
    ...(bounds === null ? {} : { bounds }),
    created_at: formatMoment(createdAt),
    ...(closedAt === undefined ? {} : { closed_at: formatMoment(closedAt) }),
  });
}

function keyText({ tenantId, keys }: TenancyBook, fp: string): string {
  const key = keys.get(fp);
  if (key === undefined) throw new Error(`key ${fp} is not in the book of Tenancy ${tenantId}`);
  const { publicKey, scope, holder, label, createdAt, revokedAt } = key;
  return JSON.stringify({
    fp,
    tenant_id: tenantId,
    public_key: publicKey,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt),
    ...(revokedAt === null ? {} : { revoked_at: formatMoment(revokedAt) }),
  });
}
