/** What the lender tells its borrowers about itself. Putting a profile replaces it whole. Pure. */

import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

const PROFILE_FIELDS = ['legal_name', 'trade_name', 'tax_id', 'address', 'contact'] as const;

export interface CompanyProfilePut {
  readonly kind: 'company_profile_put';
  readonly profile: JsonObject;
}

/** What is kept of a body whose fields were checked; a deprecated member that was let through is read by nothing. */
export function putProfile(body: JsonObject): CompanyProfilePut {
  const stated = PROFILE_FIELDS.flatMap((field) => {
    const value = body[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { kind: 'company_profile_put', profile: Object.fromEntries(stated) };
}

/** A profile never put is not there to be read. */
export function profileAnswer(profile: JsonObject | undefined): Refusal | JsonObject {
  return profile ?? refuse('not_found');
}
