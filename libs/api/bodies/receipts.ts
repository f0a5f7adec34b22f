/** Bodies about money received. */
import { account } from '#libs/ledger/act.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { money, object, optional, required, unparsedArray } from '#libs/schema/objects.ts';
import { boolean, civilDay, context, identifier, oneOf, reference, text, uuid } from '#libs/schema/scalars.ts';
import { refine, type Schema } from '#libs/schema/schema.ts';

export const receiptBody = refine(
  object({
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
  }),
  // A check of the body alone, so it comes before the reference is looked up.
  ({ payoff_intent, designated_loan_id }) =>
    payoff_intent === true && designated_loan_id === undefined
      ? { code: 'payoff_needs_designation', at: '/designated_loan_id' }
      : undefined,
);

const maxReceiptsInBatch = 1000;

/** Each receipt is parsed by itself, so that an invalid one is refused alone. */
export const batchBody = object({
  receipts: required(unparsedArray(receiptBody, { minItems: 1, maxItems: maxReceiptsInBatch })),
});

// Any text: nothing is computed from a reason, so unknown ones are recorded as they are.
const reason: Schema<string> = {
  ...text(),
  jsonSchema: { anyOf: [oneOf(enumerations.reversal_reason).jsonSchema, text().jsonSchema] },
};

export const reversalBody = object({ reason: required(reason), ...account });
