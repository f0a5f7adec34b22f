/** What the lender publishes about itself to its borrowers. Putting a profile replaces the previous one. */

import { canonicalJson, type JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { TenancyAct } from '#libs/tenant/tenancy-facts.ts';

const profileFields = ['legal_name', 'trade_name', 'tax_id', 'address', 'contact'] as const;

/** Deprecated members that the schema still accepts are dropped. */
export function profileFrom(body: JsonObject): JsonObject {
  const stated = profileFields.flatMap((field) => {
    const value = body[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(stated);
}

export function profileAnswer(profile: JsonObject | undefined): Refusal | JsonObject {
  return profile ?? refuse('not_found');
}

/** A profile equal to the current one records nothing. */
const putCompanyProfile: TenancyAct = (book, { body }) => {
  const profile = profileFrom(body);
  const isCurrent = book.companyProfile !== undefined && canonicalJson(book.companyProfile) === canonicalJson(profile);
  return {
    facts: isCurrent ? [] : [{ kind: 'company_profile_put', body: { kind: 'company_profile_put', profile } }],
    status: 200,
    answer: (after) => JSON.stringify(after.companyProfile),
  };
};

export const companyProfileActs = { putCompanyProfile };
