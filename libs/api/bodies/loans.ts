/** Bodies that issue or preview a Loan, or retract one of its facts. */
import { actRequestBody } from '#libs/ledger/act.ts';
import { schedule } from '#libs/product/field-schemas.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { array, money, object, optional, required, requiredUnless } from '#libs/schema/objects.ts';
import { anyJson, civilDay, context, identifier, integer, rate, reference, uuid } from '#libs/schema/scalars.ts';
import { leaf, type Schema } from '#libs/schema/schema.ts';

// Issuance refuses charges that the market does not tax; principal is never taxed.
const taxedCharge: Schema<string> = leaf(
  {
    type: 'string',
    enum: enumerations.charge.members.filter((charge) => charge !== 'principal'),
    'x-enum-open': true,
  },
  (value) =>
    typeof value === 'string' && value !== 'principal'
      ? undefined
      : { code: 'invalid_field', at: '', bound: 'the name of a charge other than principal' },
);

const tax = object({ rate: required(rate), on: required(array(taxedCharge, { isDistinct: true })) });

const terms = {
  client_id: required(identifier),
  configuration_id: required(identifier),
  configuration_version: required(integer(1)),
  principal: required(money),
  term_periods: required(integer(1)),
  rate: requiredUnless('facility_id', rate),
  penalty_rate: optional(rate),
  anchor: required(civilDay),
  jurisdiction: required(identifier),
  tax: required(tax),
  down_payment: optional(money),
  schedule: optional(schedule),
  merchant_ref: optional(identifier),
  context: optional(context),
};

const options = { facility_id: optional(uuid), hold_until: optional(civilDay) };

export const issuanceBody = object({ ...terms, reference: required(reference), ...options });
/** The issuance body, so that it can be previewed as it is; its reference is ignored. */
export const previewBody = object({ ...terms, reference: optional(anyJson), ...options });

export const retractionBody = actRequestBody({ event_id: required(uuid) });
