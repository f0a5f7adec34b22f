/** The request body of the Tenancy's company profile. */
import { object, optional, required } from '#libs/schema/objects.ts';
import { anyJson, anyObject, text } from '#libs/schema/scalars.ts';
import { either } from '#libs/schema/schema.ts';

export const companyProfileBody = object({
  legal_name: required(text()),
  trade_name: optional(text()),
  tax_id: optional(text()),
  address: optional(either(text(), anyObject)),
  contact: optional(either(text(), anyObject)),
  vat_rate_bps: optional(anyJson),
});
