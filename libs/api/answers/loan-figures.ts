/** Answers about what is owed on a Loan, on a day or over a range of days. */

import { answerObject, anyString, count, list } from '#libs/api/answers/answer-schema.ts';
import {
  amount,
  anomalies,
  charged,
  cursor,
  factName,
  owed,
  pageTotals,
  unknownBookAnomalies,
} from '#libs/api/answers/common.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { boolean, civilDay, currency, identifier, oneOf, reference, uuid } from '#libs/schema/scalars.ts';

export const late = answerObject({
  owed: required(owed, 'What the late periods still owe; everything, if the debt of the Loan is fixed.'),
  worst_days_past_due: required(count),
  periods: required(count, 'The number of late periods.'),
});

export const suspension = answerObject({
  event_id: required(uuid),
  reference: required(reference),
  from: required(civilDay, 'The first day that does not count for lateness and penalty.'),
  to: required(civilDay, 'The last such day, unless it was ended early.'),
  ended_on: optional(civilDay, 'Only if it was ended early: days count again from this one.'),
});

export const waiver = answerObject({
  reference: required(reference),
  on: required(civilDay),
  period: required(count),
  charge: required(oneOf(enumerations.charge)),
  amount: required(amount),
});

const periodDays = {
  scheduled_on: required(civilDay, 'The last day of the period. Interest runs to it.'),
  due_on: required(
    civilDay,
    'The scheduled day, or the next day on which banks are open. What is unpaid then is overdue.',
  ),
};
const actionableFromText = 'The first day on which money that covers all of it pays it before it is due.';

export const instalment = answerObject({
  period: required(count, 'The index of the period.'),
  ...periodDays,
  owed: required(owed),
  actionable_from: required(civilDay, actionableFromText),
  requires_overdue_settled: required(boolean, 'Whether something older is owed, which money pays first.'),
  settled_by: required(
    oneOf(enumerations.instalment_settled_by),
    '`overdue` on its own due date, when `overdue` holds it already; `instalment` before.',
  ),
});

const named = { loan_id: required(uuid), reference: required(reference) };
const due = {
  late: optional(late, 'Present if the Loan is late.'),
  instalment: optional(instalment, 'The next one; absent after every period has fallen due or if the debt is fixed.'),
};

export const loanOptions = answerObject({
  ...named,
  overdue: optional(
    owed,
    'Everything still owed by periods that have fallen due; absent only if it cannot be computed.',
  ),
  late: due.late,
  suspension: optional(suspension, 'The one in force on the day.'),
  waivers: optional(list(waiver), 'The waivers up to the day. All figures already include them.'),
  instalment: due.instalment,
  payoff: required(
    answerObject({
      owed: required(owed),
      actionable_on: required(civilDay),
      requires_payoff_intent: required(boolean, 'Always true.'),
      requires_designation: required(
        boolean,
        'Whether the Client has another open Loan in the currency, which money that names no Loan may pay instead. A Receipt with `payoff_intent` names its Loan by `designated_loan_id` in any case, also where this is false; otherwise it is refused as `payoff_needs_designation`.',
      ),
    }),
    'The whole amount that discharges the Loan.',
  ),
  any_other_amount: required(
    answerObject({
      treatment: required(oneOf(enumerations.early_money_treatment)),
      description: required(anyString, 'A sentence for the borrower.'),
    }),
  ),
  anomalies,
});

export const paymentOptions = answerObject({
  client_id: required(identifier),
  on: required(civilDay),
  loans: required(list(loanOptions), 'Every Loan of the Client, oldest first.'),
});

const sides = {
  charged: required(owed),
  settled: required(owed),
  waived: required(owed),
  owed: required(owed),
};

export const scheduledPeriod = answerObject({
  index: required(count, '0 is the payment at purchase.'),
  ...periodDays,
  actionable_from: required(civilDay, actionableFromText),
  ...sides,
  fallen_due: required(boolean, 'Whether `due_on` has come.'),
  late: required(boolean, 'Whether it is unpaid and past its tolerance, and no suspension covers the day.'),
  settled_on: optional(civilDay, 'The day since which nothing of it is owed.'),
  origin: required(oneOf(enumerations.period_origin), 'The fact that created the period.'),
  alive: required(boolean, 'False for a period that was ended by an act, early money, a payoff or a return.'),
});

export const schedule = answerObject({
  loan_id: required(uuid),
  on: required(civilDay),
  level: required(amount, 'The level payment of the plan.'),
  periods: required(list(scheduledPeriod)),
  totals: required(answerObject(sides), 'Of an ended period, only the part that was settled.'),
  anomalies,
});

export const delinquency = answerObject({
  loan_id: required(uuid),
  on: required(civilDay),
  days_past_due: required(count, 'The highest of all periods.'),
  late: due.late,
  suspension: optional(suspension, 'The one in force on the day.'),
  periods: required(
    list(
      answerObject({
        index: required(count),
        due_on: required(civilDay),
        days_past_due: required(count),
        owed: required(owed),
      }),
    ),
    'The periods that have fallen due and are unpaid.',
  ),
  anomalies,
});

const span = { from: required(civilDay, 'The first day.'), to: required(civilDay, 'The last day, included.') };

const sums = {
  opening: required(amount, 'Owed on the day before `from`.'),
  charged: required(amount, 'Charged from `from` to `to`, tax included.'),
  received: required(amount),
  released: required(amount, 'Waived, forgiven or returned.'),
  ceded_away: required(amount),
  closing: required(amount, 'Owed on `to`.'),
  interest_charged: required(amount),
  commissions_charged: required(amount),
  penalties_charged: required(amount),
};

export const movement = answerObject({
  on: required(
    civilDay,
    'The day of the fact, or the day on which time charged it. Interest and penalty of a period are one line each, on the last day from `from` to `to` on which they grew.',
  ),
  kind: required(
    oneOf(enumerations.movement),
    'Lines that are `moved` by a restructure sum to zero and are in no total.',
  ),
  ...charged,
  period: optional(
    count,
    'On interest and penalty charged, which have one line per period. The other lines have none: a fact has one line per kind and charge, for all periods together.',
  ),
  fact: optional(factName, 'The fact that caused it; absent if only time passed.'),
});

export const loanStatement = answerObject({
  id: required(uuid),
  reference: required(reference),
  currency: required(currency),
  ...span,
  ...sums,
  lines: required(list(movement)),
  anomalies,
});

export const statement = answerObject({
  client_id: required(identifier),
  ...span,
  loans: required(list(loanStatement), 'Every Loan of the Client, oldest first.'),
  currencies: required(
    list(answerObject({ currency: required(currency), loans: required(count), ...sums, anomalies })),
    'Amounts of different currencies are not added.',
  ),
});

export const dueLoan = answerObject({ ...named, overdue: required(owed), ...due });

const dueSums = { overdue: required(amount), late: required(amount) };

export const clientDues = answerObject({
  client_id: required(identifier),
  loans: required(list(dueLoan)),
  totals: required(list(answerObject({ currency: required(currency), ...dueSums }))),
  anomalies: unknownBookAnomalies,
});

export const duesTotal = answerObject({ currency: required(currency), clients: required(count), ...dueSums });

export const duesPage = answerObject({
  on: required(civilDay),
  clients: required(
    list(clientDues),
    'In the order of `client_id`. A page may be short or empty and still have a cursor.',
  ),
  totals: required(list(duesTotal)),
  page_totals: pageTotals,
  cursor,
});
