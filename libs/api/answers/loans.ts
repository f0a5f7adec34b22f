/** Answers about Loans: the Loan, its row in listings, a preview, payoff quotes. */

import {
  answerObject,
  anyOf,
  anyString,
  count,
  list,
  nonEmptyList,
  timestamp,
  wholeNumber,
} from '#libs/api/answers/answer-schema.ts';
import { account, actAccount, amount, anomalies, anomaly, cursor, owed, pin } from '#libs/api/answers/common.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import { accelerationTexts, schedule } from '#libs/product/field-schemas.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { boolean, civilDay, context, identifier, oneOf, rate, reference, uuid } from '#libs/schema/scalars.ts';
import type { Infer, TypedJsonSchema } from '#libs/schema/schema.ts';

const taxed = oneOf({
  open: true,
  members: enumerations.charge.members.filter((charge) => charge !== 'principal'),
});

const statedTerms = {
  client_id: required(identifier),
  principal: required(amount),
  term_periods: required(count),
  rate: required(rate, 'As sent, or from the facility or a single-point corridor.'),
  penalty_rate: required(rate, 'As sent, or from a single-point corridor.'),
  anchor: required(civilDay),
  jurisdiction: required(anyString),
  tax: required(answerObject({ rate: required(rate), on: required(list(taxed)) })),
  down_payment: optional(amount),
  schedule: optional(schedule),
  merchant_ref: optional(identifier),
  context: optional(context),
  facility_id: optional(uuid),
  hold_until: optional(civilDay),
};

export const terms = answerObject({ ...statedTerms, reference: required(reference) }, 'The terms as sent.');
export const previewedTerms = answerObject(statedTerms, 'The terms as sent.');

export const issuedPeriod = answerObject({
  index: required(count, 'From 1.'),
  scheduled_on: required(civilDay),
  due_on: required(civilDay, 'The scheduled day, or the next day on which banks are open.'),
  principal: required(amount),
  interest: required(amount),
  fee: required(amount),
  tax: required(amount),
  payment: required(amount, 'The sum of principal, interest, fee and tax.'),
});

export const disclosure = answerObject(
  {
    jurisdiction: required(anyString),
    figure: required(anyString, "The borrower's yearly figure in per cent."),
    convention: required(anyString, 'The rule by which the figure is computed.'),
    convention_version: required(wholeNumber, 'The version of that rule.'),
    provisional: required(boolean, 'Whether the rule is not final.'),
  },
  'Computed at issuance. It never changes.',
);

export const acceleration = answerObject({
  forbidden: required(boolean, accelerationTexts.forbidden),
  missed_periods: required(count, accelerationTexts.missed_periods),
  notice_days: required(count, accelerationTexts.notice_days),
});

export const regime = answerObject(
  {
    penalty_rate: required(rate),
    late_fee: required(amount),
    tolerance_days: required(count),
    penalty_base: required(oneOf(enumerations.penalty_base)),
    capitalises: required(boolean, 'Whether unpaid interest bears interest.'),
    acceleration: required(acceleration),
    tolerance: optional(amount, 'Only if the product has a tolerance.'),
    penalty_ceiling_days: optional(count, 'Only if there is a ceiling for each period.'),
    penalty_ceiling_bps: optional(count, 'Only if there is a ceiling for the whole Loan.'),
  },
  "The values of the market's law at issuance. They never change.",
);

/** The kinds of facts about a Loan. `settled` is derived from the figures, not recorded. */
export const eventKind = oneOf({ open: true, members: ['issued', ...acts.map(({ kind }) => kind), 'settled'] });

export const event = answerObject({
  id: optional(uuid, 'The identifier that a retraction names. `settled`, which is derived, has none.'),
  kind: required(eventKind),
  occurred_on: required(civilDay, 'The day of the fact.'),
  recorded_at: optional(timestamp, 'Absent on `settled`, which is derived and not recorded.'),
  act: optional(actAccount, 'Absent on `issued` and `settled`.'),
  stated: optional({ jsonSchema: { type: 'object', additionalProperties: true } }, 'The members of the act, as sent.'),
  to: optional(civilDay, 'On `suspended`: the last day of the suspension.'),
  ended_on: optional(civilDay, 'On `suspended`: the day on which it was ended early.'),
  suspension_id: optional(uuid, 'On `suspension_ended`: the suspension it ended.'),
  amount: optional(amount, 'On `returned`.'),
  retraction: optional(
    answerObject({
      on: required(civilDay, 'The day that the retraction stated. It changes no figure.'),
      recorded_at: required(timestamp),
      ...account,
    }),
    'On a retracted fact, which has no effect and stays readable.',
  ),
});

export const returned = answerObject({
  act: required(reference),
  on: required(civilDay),
  amount: required(amount, 'The value of the returned goods, as sent.'),
  unwound_principal: required(amount, 'The principal by which the debt was reduced.'),
  principal_owed_back: required(amount, 'Principal that was paid and is owed back to the Client.'),
  interest_owed_back: required(
    amount,
    'Interest that was paid above what the repriced plan charges, owed back to the Client.',
  ),
  still_owed: required(owed, 'What discharges the Loan on that day, after the return.'),
  beyond_the_loan: required(amount, 'The part that the caller refunds outside the book.'),
  returned_whole: required(boolean, 'Whether the return covered all outstanding principal.'),
});

const standing = {
  state: required(oneOf(enumerations.loan_state), 'Computed from the facts on every read.'),
  rolled_over: required(count, 'Rollovers in force.'),
  anomalies,
  paid: optional(
    amount,
    "What Receipts have settled; absent if the allocation of the Client's money cannot be computed.",
  ),
  totals: required(
    answerObject({
      payments: required(amount, 'The sum of the payments of the plan, including the payment at purchase.'),
    }),
  ),
  settled_periods: optional(count, 'The number of fully settled periods; absent if `paid` is absent.'),
  remaining_periods: optional(count, 'The number of periods that are not settled; absent if `paid` is absent.'),
  owes: required(boolean),
  owed_to: optional(oneOf(enumerations.owed_to), 'Absent if the Loan owes nothing.'),
  closed_on: optional(civilDay, 'Present on a `closed` Loan.'),
  ceded_on: optional(civilDay, 'On a `ceded` Loan: the cut-off.'),
};

export const loan = answerObject({
  id: required(uuid),
  tenant_id: required(identifier),
  ...standing,
  created_at: required(timestamp),
  events: required(list(event), 'All recorded facts in the order of recording, including retracted ones.'),
  configuration: required(pin, 'Fixed at issuance.'),
  terms: required(terms),
  periods: required(list(issuedPeriod), 'The plan as issued. It never changes.'),
  disclosure: required(disclosure),
  regime: required(regime),
  returns: optional(list(returned), 'The returns in force, oldest first.'),
  write_off: optional(
    answerObject({
      on: required(civilDay),
      cost: required(owed, 'The debt on the day of the write-off.'),
      recovered: required(amount),
    }),
    'Only if a write-off is in force.',
  ),
});

export const preview = answerObject({
  configuration: required(pin),
  terms: required(previewedTerms),
  periods: required(list(issuedPeriod)),
  disclosure: required(disclosure, 'What issuance would record.'),
  regime: required(regime),
});

const listed = {
  id: required(uuid),
  reference: required(reference),
  tenant_id: required(identifier),
  client_id: required(identifier),
  merchant_ref: optional(identifier),
  configuration: required(pin),
};

export const row = {
  ...listed,
  principal: required(amount),
  term_periods: required(count),
  rate: required(rate, 'The contract rate as issued.'),
  fee: required(amount, 'The origination fee as issued.'),
  penalty_rate: required(rate),
  anchor: required(civilDay),
  created_at: required(timestamp),
  ...standing,
  written_off_on: optional(civilDay, 'On a `written_off` row.'),
};

export const loanRow = answerObject(row);

const asIssued = 'Absent if the issuance cannot be read either.';

export const recordedLoanRow = answerObject(
  {
    ...listed,
    principal: optional(amount, asIssued),
    term_periods: optional(count, asIssued),
    rate: optional(rate, asIssued),
    fee: optional(amount, asIssued),
    penalty_rate: optional(rate, asIssued),
    anchor: optional(civilDay, asIssued),
    created_at: optional(timestamp, asIssued),
    totals: optional(answerObject({ payments: required(amount) }), asIssued),
    state: required(oneOf(enumerations.loan_state), 'The state when the last fact was recorded.'),
    owes: optional(boolean, 'Only if it follows from the state alone.'),
    owed_to: optional(oneOf(enumerations.owed_to)),
    anomalies: required(nonEmptyList(anomaly), 'Contains book_not_derivable.'),
  },
  "The row of a Loan whose Client's book cannot be computed: only the recorded facts of the Loan itself.",
);

/** A row of figures, or of recorded facts if the figures cannot be computed. */
export function rowOrRecorded<Row>(row: TypedJsonSchema<Row>): TypedJsonSchema<Row | Infer<typeof recordedLoanRow>> {
  return anyOf<Row | Infer<typeof recordedLoanRow>>(row, recordedLoanRow);
}

export const loanPage = answerObject({ loans: required(list(rowOrRecorded(loanRow)), 'Newest first.'), cursor });

export const quote = answerObject({
  id: required(uuid),
  loan_id: required(uuid),
  on: required(civilDay),
  owed: required(owed, 'What discharges the Loan on that day, as the book was at the quote.'),
  ...account,
  quoted_at: required(timestamp),
});
export const quotePage = answerObject({ quotes: required(list(quote), 'Oldest first.'), cursor });
