/** What the lender publishes about itself to its borrowers. Putting a profile replaces the previous one. */

import { canonicalJson, type JsonObject } from '#libs/schema/json.ts';
import { object, optional, required } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { anyJson, anyObject, text } from '#libs/schema/scalars.ts';
import { either, type Infer } from '#libs/schema/schema.ts';
import type { RoutedTenancyAct } from '#libs/tenant/tenancy-facts.ts';

/** Published as one schema of two types: generators of clients write invalid code for a free object among alternatives. */
export const textOrObject = either(text(), anyObject, { ...text().jsonSchema, type: ['string', 'object'] });

export const companyProfileBody = object({
  legal_name: required(text()),
  trade_name: optional(text()),
  tax_id: optional(text()),
  address: optional(textOrObject),
  contact: optional(textOrObject),
  vat_rate_bps: optional(anyJson),
});
type CompanyProfileBody = Infer<typeof companyProfileBody>;

const profileFields = ['legal_name', 'trade_name', 'tax_id', 'address', 'contact'] as const;

/** Deprecated members that the schema still accepts are dropped. */
export function profileFrom(body: CompanyProfileBody): JsonObject {
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
const putCompanyProfile: RoutedTenancyAct<CompanyProfileBody> = {
  body: companyProfileBody,
  decide(book, { body }) {
    const profile = profileFrom(body);
    const isCurrent =
      book.companyProfile !== undefined && canonicalJson(book.companyProfile) === canonicalJson(profile);
    return {
      facts: isCurrent ? [] : [{ kind: 'company_profile_put', body: { kind: 'company_profile_put', profile } }],
      status: 200,
      answer: (after) => JSON.stringify(after.companyProfile),
    };
  },
};

export const companyProfileActs = { putCompanyProfile };
