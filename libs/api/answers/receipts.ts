/** Answers about Receipts and their allocation. */

import { answerObject, anyString, count, list, timestamp, wholeNumber } from '#libs/api/answers/answer-schema.ts';
import { account, amount, anomalies, charged, cursor, owed, refusalDetails, retry } from '#libs/api/answers/common.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { boolean, civilDay, context, identifier, oneOf, reference, text, uuid } from '#libs/schema/scalars.ts';

export const receiptRow = answerObject({
  id: required(uuid),
  reference: required(reference),
  client_id: required(identifier),
  amount: required(amount),
  value_date: required(civilDay),
  designated_loan_id: optional(uuid, 'Only if the report designated one.'),
  payoff_intent: required(boolean, 'As sent; false by default.'),
  rail: optional(oneOf(enumerations.rail), 'As sent.'),
  provider_reference: optional(text(), 'As sent.'),
  context: optional(context, 'As sent.'),
  reported_at: required(timestamp),
  reversed: required(boolean, 'Whether a reversal took it back.'),
  reversed_at: optional(timestamp),
  reversal: optional(answerObject({ ...account, reason: required(text()) }), 'Only if reversed.'),
});

export const receiptLoan = answerObject({
  loan_id: required(uuid),
  reference: required(reference),
  settled: required(owed),
  lines: required(list(answerObject({ period: required(count), ...charged }))),
  early_principal: optional(amount, 'The part that reduced principal before it was due.'),
  discharged: required(boolean, 'Whether the Loan owed nothing after this Receipt.'),
});

export const receipt = answerObject({
  receipt: required(receiptRow),
  settled: required(amount, 'Zero if reversed.'),
  loans: required(
    list(receiptLoan),
    'Empty if reversed: the statement with `known_at` before `reversed_at` has what it had paid.',
  ),
  surplus: required(amount, 'The part that was not allocated to any Loan.'),
  excess: optional(amount, 'The part above the agreed amount of a settlement for less.'),
  quote_id: optional(uuid, 'Only if the report named a payoff quote.'),
  quoted_figure_agrees: optional(
    boolean,
    "Whether the quote's total was what discharged the Loan when this Receipt was allocated.",
  ),
  anomalies,
});

export const receiptPage = answerObject({
  receipts: required(list(receiptRow), 'Newest first, including reversed ones.'),
  cursor,
});

export const batchOutcome = answerObject({
  reference: optional(anyString, 'As sent; absent if the item has no reference that is a string.'),
  status: required(wholeNumber, 'What `POST /receipts` would have answered.'),
  receipt: optional(receipt, 'Only if the Receipt was recorded.'),
  code: optional(anyString, 'Only if the Receipt was refused.'),
  error: optional(anyString),
  retry: optional(retry),
  retry_after: optional(count),
  details: optional(refusalDetails),
});

export const batch = answerObject({ outcomes: required(list(batchOutcome), 'In the order of the batch.') });
