import { schedule } from '#libs/product/schedule-schema.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import {
  anything,
  civilDay,
  context,
  identifier,
  integer,
  rate,
  reference,
  type Schema,
  type SchemaFault,
  uuid,
} from '#libs/schema/form.ts';
import { array, money, optional, required, requiredUnless, shape } from '#libs/schema/shape.ts';

// A charge the market does not tax is the market's refusal; principal is never taxed and no charge is taxed twice.
const taxed: Schema<string> = {
  jsonSchema: {
    type: 'string',
    enum: enumerations.charge.members.filter((charge) => charge !== 'principal'),
    'x-enum-open': true,
  },
  findInvalid(value): SchemaFault | undefined {
    if (typeof value === 'string' && value !== 'principal') return undefined;
    return { code: 'invalid_field', at: '', bound: 'the name of a charge other than principal' };
  },
};

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
  tax: required(shape({ rate: required(rate), on: required(array(taxed, { distinct: true })) })),
  down_payment: optional(money),
  schedule: optional(schedule),
  merchant_ref: optional(identifier),
  context: optional(context),
};

const beside = { facility_id: optional(uuid), hold_until: optional(civilDay) };

export const issuanceBody = shape({ ...terms, reference: required(reference), ...beside });
/** The issuance body; its reference, whatever it is, is read by nothing. */
export const previewBody = shape({ ...terms, reference: optional(anything), ...beside });
