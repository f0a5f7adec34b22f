import { account } from '#libs/api/bodies/acts.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import {
  boolean,
  civilDay,
  context,
  identifier,
  oneOf,
  reference,
  type Schema,
  text,
  uuid,
} from '#libs/schema/form.ts';
import { money, optional, required, separately, shape } from '#libs/schema/shape.ts';

export const receiptBody = shape(
  {
    reference: required(reference),
    client_id: required(identifier),
    amount: required(money),
    value_date: required(civilDay),
    designated_loan_id: optional(uuid),
    payoff_intent: optional(boolean),
    quote_id: optional(uuid),
    rail: optional(oneOf(enumerations.rail)),
    provider_reference: optional(text()),
    context: optional(context),
  },
  // Asked of the body alone, so that it comes before the reference is looked up.
  ({ payoff_intent, designated_loan_id }) =>
    payoff_intent === true && designated_loan_id === undefined
      ? { code: 'payoff_needs_designation', at: '/designated_loan_id' }
      : undefined,
);

export const mostReceiptsInBatch = 1000;

/** Each receipt is read by itself (`readBody(receiptBody, item)`), so that a malformed one falls alone. */
export const batchBody = shape({
  receipts: required(separately(receiptBody, { least: 1, most: mostReceiptsInBatch })),
});

// A reason the service does not know is kept as the caller's word: nothing is computed from it.
const reason: Schema<string> = {
  ...text(),
  jsonSchema: { anyOf: [oneOf(enumerations.reversal_reason).jsonSchema, text().jsonSchema] },
};

export const reversalBody = shape({ reason: required(reason), ...account });
