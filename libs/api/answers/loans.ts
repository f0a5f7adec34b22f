/** A Loan as its own read, a listing and a preview answer it. */
import { account, actAccount, amount, anomalies, anomaly, cursor, owed, pin } from '#libs/api/answers/figures.ts';
import {
  always,
  anyOf,
  count,
  list,
  moment,
  object,
  type Part,
  type PartOf,
  some,
  sometimes,
  whole,
  word,
  yesOrNo,
} from '#libs/api/answers/part.ts';
import { schedule } from '#libs/product/schedule-schema.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, context, identifier, oneOf, rate, reference, uuid } from '#libs/schema/form.ts';

const taxed = oneOf({
  open: true,
  members: enumerations.charge.members.filter((charge) => charge !== 'principal'),
});

const stated = {
  client_id: always(identifier),
  principal: always(amount),
  term_periods: always(count),
  rate: always(rate, 'As stated; what a facility or a single-point corridor gives is filled in.'),
  penalty_rate: always(rate, 'As stated; what a single-point corridor gives is filled in.'),
  anchor: always(civilDay),
  jurisdiction: always(word),
  tax: always(object({ rate: always(rate), on: always(list(taxed)) })),
  down_payment: sometimes(amount),
  schedule: sometimes(schedule),
  merchant_ref: sometimes(identifier),
  context: sometimes(context),
  facility_id: sometimes(uuid),
  hold_until: sometimes(civilDay),
};

export const terms = object({ ...stated, reference: always(reference) }, 'The terms as they were stated.');
export const previewedTerms = object(stated, 'The terms as they were stated.');

export const issuedPeriod = object({
  index: always(count, 'From 1.'),
  scheduled_on: always(civilDay),
  due_on: always(civilDay, 'The scheduled day, moved off days on which no bank is open.'),
  principal: always(amount),
  interest: always(amount),
  fee: always(amount),
  tax: always(amount),
  payment: always(amount, 'The sum of the four.'),
});

export const disclosure = object(
  {
    jurisdiction: always(word),
    figure: always(word, "The borrower's yearly figure in per cent, computed once."),
    convention: always(word),
    convention_version: always(whole),
    provisional: always(yesOrNo),
  },
  'Frozen at issuance and never restated.',
);

export const acceleration = object({
  forbidden: always(yesOrNo),
  missed_periods: always(count),
  notice_days: always(count),
});

export const regime = object(
  {
    penalty_rate: always(rate),
    late_fee: always(amount),
    tolerance_days: always(count),
    penalty_base: always(oneOf(enumerations.penalty_base)),
    capitalises: always(yesOrNo),
    acceleration: always(acceleration),
    tolerance: sometimes(amount, 'Where the contract states a tolerance band.'),
    penalty_ceiling_days: sometimes(count, 'Where a ceiling for each period is in force.'),
    penalty_ceiling_bps: sometimes(count, 'Where a ceiling for the whole Loan is in force.'),
  },
  "The jurisdiction's law, frozen as values at issuance.",
);

export const event = object({
  id: sometimes(uuid, 'What a retraction names. The derived `settled` has none.'),
  kind: always(oneOf(enumerations.event_kind)),
  occurred_on: always(civilDay, 'The day the fact is about.'),
  recorded_at: sometimes(moment, 'When it was recorded; the derived `settled` was not.'),
  act: sometimes(actAccount, 'Absent on `issued` and on the derived `settled`.'),
  stated: sometimes(
    { jsonSchema: { type: 'object', additionalProperties: true } },
    "The act's own members, as they were stated.",
  ),
  to: sometimes(civilDay, 'On `suspended`: the last day of the window.'),
  ended_on: sometimes(civilDay, 'On `suspended`: where an early end restarted the clock.'),
  suspension_id: sometimes(uuid, 'On `suspension_ended`: the suspension it ended.'),
  amount: sometimes(amount, 'On `returned`.'),
  retraction: sometimes(
    object({ on: always(civilDay), recorded_at: always(moment), ...account }),
    'On a withdrawn fact: it contributes to nothing and stays readable.',
  ),
});

export const returned = object({
  act: always(reference),
  on: always(civilDay),
  amount: always(amount, 'What the goods were worth, as stated.'),
  unwound_principal: always(amount, 'Principal taken off what the Loan owed.'),
  principal_owed_back: always(amount, 'Principal the Loan had received that goes back to the Client.'),
  interest_owed_back: always(amount, 'What the repricing left settled above what the plan then charged.'),
  still_owed: always(owed, 'What discharging the Loan on that day takes after the return.'),
  beyond_the_loan: always(amount, "The caller's own refund, outside the book."),
  returned_whole: always(yesOrNo, 'Whether the return covered all principal still owed.'),
});

const standing = {
  state: always(oneOf(enumerations.loan_state), 'Folded from the facts on every read.'),
  rolled_over: always(count, 'Rollovers in force.'),
  anomalies,
  paid: sometimes(amount, "What Receipts have settled; absent where the Client's allocation cannot be derived."),
  totals: always(object({ payments: always(amount, 'What the plan collects, payment at purchase included.') })),
  settled_periods: sometimes(count, 'Periods settled entire; absent exactly where `paid` is.'),
  remaining_periods: sometimes(count, 'Periods still charged and not settled; absent exactly where `paid` is.'),
  owes: always(yesOrNo),
  owed_to: sometimes(oneOf(enumerations.owed_to), 'Absent where the Loan owes nothing.'),
  closed_on: sometimes(civilDay, 'Exactly on a `closed` Loan.'),
  ceded_on: sometimes(civilDay, 'On a `ceded` Loan: the cut-off.'),
};

export const loan = object({
  id: always(uuid),
  tenant_id: always(identifier),
  ...standing,
  created_at: always(moment),
  events: always(list(event), 'Every recorded fact, withdrawn ones included, in the order of recording.'),
  configuration: always(pin, 'Fixed at issuance.'),
  terms: always(terms),
  periods: always(list(issuedPeriod), 'The plan as issued, frozen.'),
  disclosure: always(disclosure),
  regime: always(regime),
  returns: sometimes(list(returned), 'The returns in force, oldest first.'),
  write_off: sometimes(
    object({
      on: always(civilDay),
      cost: always(owed, 'The debt at the judgement.'),
      recovered: always(amount),
    }),
    'Where a write-off stands.',
  ),
});

export const preview = object({
  configuration: always(pin),
  terms: always(previewedTerms),
  periods: always(list(issuedPeriod)),
  disclosure: always(disclosure, 'What issuance would freeze.'),
  regime: always(regime),
});

const listed = {
  id: always(uuid),
  reference: always(reference),
  tenant_id: always(identifier),
  client_id: always(identifier),
  merchant_ref: sometimes(identifier),
  configuration: always(pin),
};

export const row = {
  ...listed,
  principal: always(amount),
  term_periods: always(count),
  rate: always(rate, 'The contract rate as issued.'),
  fee: always(amount, 'The origination fee as issued.'),
  penalty_rate: always(rate),
  anchor: always(civilDay),
  created_at: always(moment),
  ...standing,
  written_off_on: sometimes(civilDay, 'On a `written_off` row.'),
};

export const loanRow = object(row);

const asIssued = 'Absent where the issuance cannot be read either.';

export const recordedLoanRow = object(
  {
    ...listed,
    principal: sometimes(amount, asIssued),
    term_periods: sometimes(count, asIssued),
    rate: sometimes(rate, asIssued),
    fee: sometimes(amount, asIssued),
    penalty_rate: sometimes(rate, asIssued),
    anchor: sometimes(civilDay, asIssued),
    created_at: sometimes(moment, asIssued),
    totals: sometimes(object({ payments: always(amount) }), asIssued),
    state: always(oneOf(enumerations.loan_state), 'As it was when the last fact was recorded.'),
    owes: sometimes(yesOrNo, 'Where the state alone says it.'),
    owed_to: sometimes(oneOf(enumerations.owed_to)),
    anomalies: always(some(anomaly), 'Holds book_not_derivable.'),
  },
  "The row of a Loan whose Client's book cannot be derived: what is recorded of the Loan by itself.",
);

/** A row, or what stands in its place. */
export function rowOr<Row>(whole: Part<Row>): Part<Row | PartOf<typeof recordedLoanRow>> {
  return anyOf<Row | PartOf<typeof recordedLoanRow>>(whole, recordedLoanRow);
}

export const loanPage = object({ loans: always(list(rowOr(loanRow)), 'Newest first.'), cursor });

export const quote = object({
  id: always(uuid),
  loan_id: always(uuid),
  on: always(civilDay),
  owed: always(owed, 'What would have discharged the Loan on that day, as the book then was.'),
  ...account,
  quoted_at: always(moment),
});
export const quotePage = object({ quotes: always(list(quote), 'Oldest first.'), cursor });
