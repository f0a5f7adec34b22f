import { account } from '#libs/api/bodies/acts.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import {
  anyObject,
  anything,
  civilDay,
  either,
  oneOf,
  reference,
  type Schema,
  someObject,
  text,
  uuid,
} from '#libs/schema/form.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { array, optional, required, shape } from '#libs/schema/shape.ts';

const { actor, basis, context } = account;

export const clientBody = shape({ actor, basis, context });

const mostSimulatedFacts = 1000;

/** The body of a supposed fact is read by the shape of the route it would be sent to. */
const supposed: Schema<JsonObject> = { ...someObject, numbersKeptAsText: [['context']] };

export const simulationBody = shape({
  on: required(civilDay),
  facts: required(
    array(
      shape({
        act: required(oneOf(enumerations.simulated_act)),
        loan_id: optional(uuid),
        reference: optional(reference),
        body: required(supposed),
      }),
      { most: mostSimulatedFacts },
    ),
  ),
});

export const companyProfileBody = shape({
  legal_name: required(text()),
  trade_name: optional(text()),
  tax_id: optional(text()),
  address: optional(either(text(), anyObject)),
  contact: optional(either(text(), anyObject)),
  vat_rate_bps: optional(anything),
});
