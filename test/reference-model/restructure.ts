/** The act restructure. */
import { type Market, toDay } from './days.ts';
import { type ActFact, CHARGES } from './input.ts';
import { plannedPeriods } from './issue-loan.ts';
import { highestIndex, type Loan, type Period, payoffOf, unpaid } from './loan.ts';
import { applyRate, LARGEST, rateOf } from './numbers.ts';
import { amountWithTax } from './period-changes.ts';
import { sameSchedule } from './product-terms.ts';

/** Section 7 and 13 of fold.md, restructure: plans all unpaid principal again from `on`; everything else owed moves into the first new period. */
export function restructure(loan: Loan, act: ActFact, market: Market): string | undefined {
  const { product } = loan;
  const on = toDay(act.on);
  const owed = payoffOf(loan, on);
  const n = act.term_periods ?? 0;
  const rate = rateOf(act.rate ?? '0');
  const schedule = act.schedule ?? loan.schedule;
  if (owed.principal.amount === 0n) return 'invalid_event';
  if (product.terms !== undefined && !product.terms.includes(n)) return 'term_not_offered';
  if (!sameSchedule(schedule, product.schedule)) return 'schedule_not_offered';
  if (rate < product.rateMin || rate > product.rateMax) return 'rate_outside_corridor';
  const penaltyRate = act.penalty_rate === undefined ? loan.penaltyRate : rateOf(act.penalty_rate);
  if (penaltyRate < product.penaltyRateMin || penaltyRate > product.penaltyRateMax)
    return 'penalty_rate_outside_corridor';
  const capitalised = product.capitalises ? amountWithTax(owed.interest) : 0n;
  const balance = owed.principal.amount + capitalised;
  const terms = { product, schedule, rate, taxRates: loan.taxRates };
  const plan = plannedPeriods(terms, market, {
    anchor: on,
    n,
    balance,
    after: highestIndex(loan),
    origin: 'restructured',
  });
  if (plan === undefined) return 'beyond_horizon';
  if (!plan.amortises) return 'plan_not_amortising';
  const first = plan.periods[0] as Period;
  for (const charge of CHARGES) {
    if (charge === 'principal' || (charge === 'interest' && product.capitalises)) continue;
    first.moved[charge] = owed[charge];
  }
  if (totalOfPlan(loan, plan.periods) > LARGEST) return 'amount_out_of_range';
  for (const period of loan.periods) if (unpaid(loan, period) > 0n) period.alive = false;
  loan.periods.push(...plan.periods);
  Object.assign(loan, { rate, schedule, penaltyRate, level: plan.level, equalShare: plan.level });
  loan.fixed = false;
  loan.restructured = true;
  return undefined;
}

function totalOfPlan(loan: Loan, periods: Period[]): bigint {
  let all = 0n;
  for (const period of periods) {
    all += period.principal + period.interest + applyRate(period.interest, loan.taxRates.interest);
    for (const charge of CHARGES) all += amountWithTax(period.moved[charge]);
  }
  return all;
}
