import { formatDay } from '#libs/calendar/civil-day.ts';
import type { ActRules } from '#libs/ledger/act.ts';
import { money } from '#libs/ledger/answers/figures.ts';
import { payoff, totalOf } from '#libs/ledger/charges/debt.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Settlement for less: a smaller sum, paid in its time, discharges the debt. A second one replaces the first. */
export const settlement: ActRules<'settled_for_less'> = {
  rule: (loan, { on, body }) => {
    if (body.until < on) return refuse('invalid_event', { bound: formatDay(on), observed: formatDay(body.until) });
    const debt = totalOf(payoff(loan, on));
    const { currency } = loan.terms;
    return body.agreed < debt
      ? undefined
      : refuse('settlement_not_less', { bound: money(debt, currency), observed: money(body.agreed, currency) });
  },
  apply: (loan, { event, reference, on, body }) => ({
    ...loan,
    settlement: { event, reference, on, until: body.until, agreed: body.agreed, taken: 0n },
  }),
};
