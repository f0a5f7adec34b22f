/** What is owed of a Loan and when: on a day, or over a span of days. */
import {
  amount,
  anomalies,
  charged,
  cursor,
  factName,
  owed,
  pageTotals,
  whyUnknown,
} from '#libs/api/answers/figures.ts';
import { always, count, list, object, only, sometimes, word, yesOrNo } from '#libs/api/answers/part.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, currency, identifier, oneOf, reference, uuid } from '#libs/schema/form.ts';

export const late = object({
  owed: always(owed, 'What the late periods still owe; on a Loan whose debt is fixed, everything.'),
  worst_days_past_due: always(count),
  periods: always(count, 'How many are late.'),
});

export const suspension = object({
  event_id: always(uuid),
  reference: always(reference),
  from: always(civilDay),
  to: always(civilDay),
  ended_on: sometimes(civilDay, 'Where it was ended early.'),
});

export const waiver = object({
  reference: always(reference),
  on: always(civilDay),
  period: always(count),
  charge: always(oneOf(enumerations.charge)),
  amount: always(amount),
});

export const instalment = object({
  period: always(count),
  scheduled_on: always(civilDay),
  due_on: always(civilDay),
  owed: always(owed),
  actionable_from: always(civilDay),
  requires_overdue_settled: always(yesOrNo),
  settled_by: always(
    oneOf(enumerations.instalment_settled_by),
    '`overdue` on its own due date, when `overdue` holds it already; `instalment` before.',
  ),
});

const named = { loan_id: always(uuid), reference: always(reference) };
const due = {
  late: sometimes(late, 'Exactly where the Loan is late.'),
  instalment: sometimes(instalment, 'The next one; absent once every period has fallen due or the debt is fixed.'),
};

export const loanOptions = object({
  ...named,
  overdue: sometimes(owed, 'All that periods fallen due still owe; absent only where no figure could be produced.'),
  late: due.late,
  suspension: sometimes(suspension, 'The one in force on the day.'),
  waivers: sometimes(list(waiver), 'Released by the day; every figure nets them already.'),
  instalment: due.instalment,
  payoff: always(
    object({
      owed: always(owed),
      actionable_on: always(civilDay),
      requires_payoff_intent: always(only(true)),
      requires_designation: always(yesOrNo, 'Where the Client holds another open Loan in the currency.'),
    }),
    'What discharges the Loan: complete in itself.',
  ),
  any_other_amount: always(
    object({
      treatment: always(oneOf(enumerations.early_money_treatment)),
      description: always(word, 'A sentence for the borrower.'),
    }),
  ),
  anomalies,
});

export const paymentOptions = object({
  client_id: always(identifier),
  on: always(civilDay),
  loans: always(list(loanOptions), 'Every Loan of the Client, oldest first.'),
});

const sides = {
  charged: always(owed),
  settled: always(owed),
  waived: always(owed),
  owed: always(owed),
};

export const scheduledPeriod = object({
  index: always(count, '0 is the payment at purchase.'),
  scheduled_on: always(civilDay),
  due_on: always(civilDay),
  actionable_from: always(civilDay),
  ...sides,
  fallen_due: always(yesOrNo),
  late: always(yesOrNo),
  settled_on: sometimes(civilDay),
  origin: always(oneOf(enumerations.period_origin), 'What made the period.'),
  alive: always(yesOrNo, 'False for a period that an act, early money, a payoff or a return ended.'),
});

export const schedule = object({
  loan_id: always(uuid),
  on: always(civilDay),
  level: always(amount, 'The level payment of the plan.'),
  periods: always(list(scheduledPeriod)),
  totals: always(object(sides), 'Of what a period charged that has ended, only what was met of it.'),
  anomalies,
});

export const delinquency = object({
  loan_id: always(uuid),
  on: always(civilDay),
  days_past_due: always(count, 'The worst of all periods.'),
  late: due.late,
  suspension: sometimes(suspension, 'The one in force on the day.'),
  periods: always(
    list(
      object({
        index: always(count),
        due_on: always(civilDay),
        days_past_due: always(count),
        owed: always(owed),
      }),
    ),
    'Those fallen due and unpaid.',
  ),
  anomalies,
});

const span = { from: always(civilDay), to: always(civilDay) };

const sums = {
  opening: always(amount, 'Owed on the day before `from`.'),
  charged: always(amount, 'Arisen inside the period, tax included.'),
  received: always(amount),
  released: always(amount, 'Waived, forgiven or given back.'),
  ceded_away: always(amount),
  closing: always(amount, 'Owed on `to`.'),
  interest_charged: always(amount),
  commissions_charged: always(amount),
  penalties_charged: always(amount),
};

export const movement = object({
  on: always(civilDay),
  kind: always(oneOf(enumerations.movement)),
  ...charged,
  period: sometimes(count, 'On interest and penalty charged: one line a period.'),
  fact: sometimes(factName, 'The fact that moved it; absent where it was the passing of time.'),
});

export const loanStatement = object({
  id: always(uuid),
  reference: always(reference),
  currency: always(currency),
  ...span,
  ...sums,
  lines: always(list(movement)),
  anomalies,
});

export const statement = object({
  client_id: always(identifier),
  ...span,
  loans: always(list(loanStatement), 'Every Loan of the Client, oldest first.'),
  currencies: always(
    list(object({ currency: always(currency), loans: always(count), ...sums, anomalies })),
    'Nothing is summed across currencies.',
  ),
});

export const dueLoan = object({ ...named, overdue: always(owed), ...due });

const dueSums = { overdue: always(amount), late: always(amount) };

export const clientDues = object({
  client_id: always(identifier),
  loans: always(list(dueLoan)),
  totals: always(list(object({ currency: always(currency), ...dueSums }))),
  anomalies: whyUnknown,
});

export const duesTotal = object({ currency: always(currency), clients: always(count), ...dueSums });

export const duesPage = object({
  on: always(civilDay),
  clients: always(list(clientDues), 'By `client_id`; a page may be short or empty and still have a cursor.'),
  totals: always(list(duesTotal)),
  page_totals: pageTotals,
  cursor,
});
