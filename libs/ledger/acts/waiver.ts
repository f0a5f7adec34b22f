import type { ActRules } from '#libs/ledger/act.ts';
import { money } from '#libs/ledger/answers/figures.ts';
import { interestOn } from '#libs/ledger/charges/interest.ts';
import type { ActOf } from '#libs/ledger/facts.ts';
import { type Line, owedAmount, waive } from '#libs/ledger/line.ts';
import { type Loan, type Period, replacePeriod } from '#libs/ledger/loan.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Waiver: the lender lets go of part of a charge. Principal is never waived, nor interest that has not accrued. */
export const waiver: ActRules<'waived'> = {
  rule: (loan, act) => {
    const { charge, amount } = act.body;
    const { currency } = loan.terms;
    if (charge === 'principal') return refuse('charge_not_waivable');
    const bound = waivable(loan, act);
    return amount > bound
      ? refuse('waiver_exceeds_charge', { bound: money(bound, currency), observed: money(amount, currency) })
      : undefined;
  },
  apply: (loan, act) => waived(loan, act, act.body.amount),
  part: (loan, act) => {
    const bound = waivable(loan, act);
    return bound === 0n ? loan : waived(loan, act, bound);
  },
};

function waivable(loan: Loan, { on, body }: ActOf<'waived'>): bigint {
  const period = loan.periods.find((each) => each.index === body.period);
  if (period === undefined || !period.alive) return 0n;
  const line: Line = body.charge === 'interest' ? interestOn(loan, period, on) : period[body.charge];
  return owedAmount(line);
}

function waived(loan: Loan, { reference, on, body }: ActOf<'waived'>, amount: bigint): Loan {
  const at = loan.periods.findIndex((each) => each.index === body.period);
  const period = loan.periods[at] as Period;
  const line = waive(period[body.charge], amount, taxRateOn(loan.terms, body.charge));
  return {
    ...loan,
    periods: replacePeriod(loan.periods, at, { ...period, [body.charge]: line }),
    waivers: [...loan.waivers, { reference, on, period: body.period, charge: body.charge, amount }],
  };
}
