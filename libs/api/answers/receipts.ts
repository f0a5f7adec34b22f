/** Money that was reported, and where it went. */
import { account, amount, anomalies, charged, cursor, owed } from '#libs/api/answers/figures.ts';
import { always, count, list, moment, object, sometimes, whole, word, yesOrNo } from '#libs/api/answers/part.ts';
import { detailsPart, retryPart } from '#libs/api/answers/refusal.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, context, identifier, oneOf, reference, text, uuid } from '#libs/schema/form.ts';

export const receiptRow = object({
  id: always(uuid),
  reference: always(reference),
  client_id: always(identifier),
  amount: always(amount),
  value_date: always(civilDay),
  designated_loan_id: sometimes(uuid, 'Where designated.'),
  payoff_intent: always(yesOrNo),
  rail: sometimes(oneOf(enumerations.rail), 'As stated.'),
  provider_reference: sometimes(text(), 'As stated.'),
  context: sometimes(context, 'As stated.'),
  reported_at: always(moment),
  reversed: always(yesOrNo),
  reversed_at: sometimes(moment),
  reversal: sometimes(object({ ...account, reason: always(text()) }), 'On a reversed one.'),
});

export const receiptLoan = object({
  loan_id: always(uuid),
  reference: always(reference),
  settled: always(owed),
  lines: always(list(object({ period: always(count), ...charged }))),
  early_principal: sometimes(amount, 'What lowered the principal before it was due.'),
  discharged: always(yesOrNo, 'Whether the Loan owed nothing after it.'),
});

export const receipt = object({
  receipt: always(receiptRow),
  settled: always(amount, 'Zero on a reversed one.'),
  loans: always(list(receiptLoan), 'Empty on a reversed one.'),
  surplus: always(amount, 'What no Loan took.'),
  excess: sometimes(amount, 'What came above the figure of a settlement for less.'),
  quote_id: sometimes(uuid, 'Where the report named a payoff quote.'),
  quoted_figure_agrees: sometimes(
    yesOrNo,
    "Whether the quote's total was what discharged the Loan as this Receipt met it.",
  ),
  anomalies,
});

export const receiptPage = object({
  receipts: always(list(receiptRow), 'Newest first, reversed ones included.'),
  cursor,
});

export const batchOutcome = object({
  reference: sometimes(word, 'As the item states it; absent where it states no text.'),
  status: always(whole, 'What `POST /receipts` would have answered.'),
  receipt: sometimes(receipt, 'Of a receipt that was taken.'),
  code: sometimes(word, 'Of one that was refused.'),
  error: sometimes(word),
  retry: sometimes(retryPart),
  retry_after: sometimes(count),
  details: sometimes(detailsPart),
});

export const batch = object({ outcomes: always(list(batchOutcome), 'In the order of the batch.') });
