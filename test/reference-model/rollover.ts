/** The act rollover. */
import { type Market, toDay } from './days.ts';
import { type ActFact, CHARGES } from './input.ts';
import { plannedPeriods } from './issue-loan.ts';
import { accrued, highestIndex, type Loan, lineOf, unpaidPrincipal } from './loan.ts';
import { applyRate, LARGEST, max } from './numbers.ts';

/** Section 7 of fold.md, rollover: moves the unpaid principal to a new period anchored on `on`; everything else must be settled. */
export function rollover(loan: Loan, act: ActFact, market: Market): string | undefined {
  const on = toDay(act.on);
  if (loan.product.archetype !== 'payday') return 'rollover_not_provided';
  if (loan.rollovers.length >= loan.product.maxRollovers) return 'rollovers_exhausted';
  for (const period of loan.periods) {
    if (!period.alive) continue;
    for (const charge of CHARGES) {
      const { owed } = lineOf(loan, period, charge, on);
      if (charge !== 'principal' && owed.amount + owed.tax > 0n) return 'rollover_unpaid';
    }
  }
  const running = loan.periods.findLast((period) => period.alive && unpaidPrincipal(period) > 0n);
  if (running === undefined) return 'rollover_unpaid';
  const principal = unpaidPrincipal(running);
  const plan = plannedPeriods(loan, market, {
    anchor: on,
    n: 1,
    balance: principal,
    after: highestIndex(loan),
    origin: 'rolled_over',
  });
  if (plan === undefined) return 'beyond_horizon';
  const next = plan.periods[0];
  if (next === undefined || principal + next.interest + loan.product.rolloverFee > LARGEST)
    return 'amount_out_of_range';
  running.interest = accrued(loan, running, on);
  const { settled } = running;
  const above = max(settled.interest.amount - running.moved.interest.amount - running.interest, 0n);
  const taxAbove =
    settled.interest.tax - running.moved.interest.tax - applyRate(running.interest, loan.taxRates.interest);
  if (on < running.scheduledOn) {
    running.scheduledOn = on;
    running.dueOn = on;
  }
  running.alive = false;
  next.fee = loan.product.rolloverFee;
  loan.periods.push(next);
  loan.level = plan.level;
  loan.equalShare = plan.level;
  loan.rollovers.push({ act, owedBack: above > 0n ? above + max(taxAbove, 0n) : 0n });
  return undefined;
}
