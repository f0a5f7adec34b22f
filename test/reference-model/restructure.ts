import { pairTotal } from './change.ts';
import { type Market, toDay } from './days.ts';
import { type ActFact, CHARGES } from './input.ts';
import { plannedPeriods } from './issue.ts';
import { highestIndex, type Loan, type Period, payoffOf, unpaid } from './loan.ts';
import { LARGEST, rateOf, share } from './numbers.ts';
import { sameSchedule } from './terms.ts';

/** fold.md 7 and 13, restructure: all unpaid principal is planned anew from `on`; what else was owed moves into the first new period. */
export function restructure(loan: Loan, act: ActFact, market: Market): string | undefined {
  const { frame } = loan;
  const on = toDay(act.on);
  const owed = payoffOf(loan, on);
  const n = act.term_periods ?? 0;
  const rate = rateOf(act.rate ?? '0');
  const schedule = act.schedule ?? loan.schedule;
  if (owed.principal.amount === 0n) return 'invalid_event';
  if (frame.terms !== undefined && !frame.terms.includes(n)) return 'term_not_offered';
  if (!sameSchedule(schedule, frame.schedule)) return 'schedule_not_offered';
  if (rate < frame.rateMin || rate > frame.rateMax) return 'rate_outside_corridor';
  const penaltyRate = act.penalty_rate === undefined ? loan.penaltyRate : rateOf(act.penalty_rate);
  if (penaltyRate < frame.penaltyRateMin || penaltyRate > frame.penaltyRateMax) return 'penalty_rate_outside_corridor';
  const capitalised = frame.capitalises ? pairTotal(owed.interest) : 0n;
  const balance = owed.principal.amount + capitalised;
  const terms = { frame, schedule, rate, taxRates: loan.taxRates };
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
    if (charge === 'principal' || (charge === 'interest' && frame.capitalises)) continue;
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
    all += period.principal + period.interest + share(period.interest, loan.taxRates.interest);
    for (const charge of CHARGES) all += pairTotal(period.moved[charge]);
  }
  return all;
}
