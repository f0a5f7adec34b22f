/** The bodies of requests about Clients, Loans and Receipts. Those of acts are in the files of the acts. */
import { actRequestBody } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import { schedule } from '#libs/product/field-schemas.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import {
  account,
  array,
  money,
  object,
  optional,
  required,
  requiredUnless,
  unparsedArray,
} from '#libs/schema/objects.ts';
import {
  anyJson,
  anyProductValues,
  boolean,
  civilDay,
  context,
  identifier,
  integer,
  jsonObject,
  oneOf,
  rate,
  reference,
  text,
  uuid,
} from '#libs/schema/scalars.ts';
import { type Infer, leaf, refine, type Schema } from '#libs/schema/schema.ts';

export const clientBody = object({ actor: account.actor, basis: account.basis, context: account.context });
export type ClientBody = Infer<typeof clientBody>;

// Principal is never taxed. Issuance refuses any other name that is not a charge the market taxes, with a code of its own.
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
export type IssuanceBody = Infer<typeof issuanceBody>;

/** The issuance body, so that it can be previewed as it is; its reference is ignored. */
export const previewBody = object({ ...terms, reference: optional(anyJson), ...options });
export type PreviewBody = Infer<typeof previewBody>;

/** The terms of a Loan as a caller states them. The rate may be absent under a facility. */
export type StatedTerms = Omit<PreviewBody, 'reference' | 'configuration_id' | 'configuration_version'>;

export const retractionBody = actRequestBody({
  on: required(
    civilDay,
    'The day of the correction, such as that on which the error was found; on or after the anchor of the Loan. It is kept, and changes no figure: the retracted fact has no effect on any day.',
  ),
  event_id: required(uuid),
});
export type RetractionBody = Infer<typeof retractionBody>;

/** What a product would be under other values, one page of its Loans at a time. */
export const rehearsalBody = object({
  values: required(anyProductValues),
  on: required(civilDay),
  limit: optional(integer(1, 200)),
  cursor: optional(text()),
});

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
export type ReceiptBody = Infer<typeof receiptBody>;

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
export type ReversalBody = Infer<typeof reversalBody>;

/** The last segment of the path that records such a fact, but for the first three. */
const simulatedAct = oneOf({
  open: true,
  members: ['issue', 'receipt', 'reversal', ...acts.map(({ route }) => route.segment), 'retraction'],
});

const maxSimulatedFacts = 1000;

/** Parsed afterwards by the schema of the route it would be sent to. */
const simulatedBody: Schema<JsonObject> = { ...jsonObject, inexactNumberPaths: [['context']] };

/** The day to look at, and the supposed facts. */
export const simulationBody = object({
  on: required(civilDay),
  facts: required(
    array(
      object({
        act: required(simulatedAct),
        loan_id: optional(uuid),
        // Of a Loan issued earlier in the simulation, where an id would be stated: in the path, or by a Receipt's body.
        loan_reference: optional(reference),
        designated_loan_reference: optional(reference),
        // In the path of a reversal.
        reference: optional(reference),
        body: required(simulatedBody),
      }),
      { maxItems: maxSimulatedFacts },
    ),
  ),
});
