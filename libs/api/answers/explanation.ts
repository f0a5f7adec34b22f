/** The answer that explains the figures of a Loan: what each consists of, and what paid it. */

import { answerObject, anyString, count, list } from '#libs/api/answers/answer-schema.ts';
import { amount, owed } from '#libs/api/answers/common.ts';
import { loanOptions, schedule } from '#libs/api/answers/loan-figures.ts';
import { loan } from '#libs/api/answers/loans.ts';
import { receiptLoan } from '#libs/api/answers/receipts.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { civilDay, identifier, rate, reference } from '#libs/schema/scalars.ts';

const interestPart = answerObject({
  rate: required(rate),
  from: required(civilDay, 'Interest of the period runs from this day.'),
  to: required(civilDay),
  balance: required(amount, 'The principal that bears interest.'),
  balance_from: required(civilDay, 'The day since which the balance is this one.'),
});

const penaltyPart = answerObject({
  rate: required(rate),
  base: required(amount, 'What bears penalty on the next day.'),
  days: required(count, 'The days counted so far.'),
  base_days: optional(
    anyString,
    'The base of each counted day, added up: minor units times days. Absent with a ceiling of the whole Loan.',
  ),
});

export const periodParts = answerObject({
  index: required(count),
  days_past_due: required(count),
  late_since: optional(civilDay, 'The day on which the period became late.'),
  overdue: required(owed),
  late: required(owed),
  instalment: required(owed),
  payoff: required(owed),
  interest: required(interestPart),
  penalty: optional(penaltyPart, 'Of a period that is past due and became late.'),
});

export const explainedReceipt = answerObject({
  reference: required(reference),
  value_date: required(civilDay),
  allocation: required(receiptLoan, 'What it settled on this Loan.'),
});

export const explanation = answerObject(
  {
    client_id: required(identifier),
    on: required(civilDay),
    loan: required(loan),
    payment_options: required(loanOptions),
    schedule: required(schedule),
    periods: required(
      list(periodParts),
      'The part of each period in the figures of `payment_options`, which are the sums of these parts.',
    ),
    paid: required(amount, 'What Receipts have settled by the day.'),
    receipts: required(list(explainedReceipt), 'The newest fifty by the day, newest first.'),
    earlier_receipts: required(
      answerObject({ count: required(count), settled: required(amount) }),
      'The Receipts before those: with them `paid` is the sum of all.',
    ),
  },
  'The figures of a Loan on a day and what they consist of, as of one moment.',
);
