/** Settlement for less: a smaller sum, paid in time, discharges the debt. A second settlement replaces the first. */

import { dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { debtTotal, payoff } from '#libs/ledger/charges/debt.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { money, optional, required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { civilDay } from '#libs/schema/scalars.ts';

export const settlement = defineAct({
  kind: 'settled_for_less',
  route: {
    operation: 'settleLoan',
    segment: 'settlement',
    summary: 'Agree a settlement for less',
    description: 'The agreed sum discharges the Loan where it comes in time.',
    refusals: ['settlement_not_less', 'currency_mismatch'],
  },
  fields: { agreed: required(money), until: optional(civilDay) },
  states: { admitted: [...RUNNING, 'written_off'] },
  read: ({ agreed, until }, { on }) => ({
    agreed: BigInt(agreed.minor_units),
    until: until === undefined ? on : dayOf(until),
  }),
  rule: (loan, { on, body }) => {
    if (body.until < on) return refuse('invalid_event', { bound: formatDay(on), observed: formatDay(body.until) });
    const debt = debtTotal(payoff(loan, on));
    const { currency } = loan.terms;
    return body.agreed < debt
      ? undefined
      : refuse('settlement_not_less', {
          bound: moneyFigure(debt, currency),
          observed: moneyFigure(body.agreed, currency),
        });
  },
  apply: (loan, { event, reference, on, body }) => ({
    ...loan,
    settlement: { event, reference, on, until: body.until, agreed: body.agreed, taken: 0n },
  }),
});
