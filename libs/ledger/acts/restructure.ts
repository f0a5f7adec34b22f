import { addDays } from '#libs/calendar/civil-day.ts';
import type { ActRules, Surroundings } from '#libs/ledger/act.ts';
import { payoff, unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import { type Plan, planOf } from '#libs/ledger/charges/plan.ts';
import { canBeCharged, plannedPeriod } from '#libs/ledger/charges/planned.ts';
import type { ActOf } from '#libs/ledger/facts.ts';
import { figure } from '#libs/ledger/figure.ts';
import { carry } from '#libs/ledger/line.ts';
import { type Debt, highestIndex, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { besideLateFee, penaltyRateWithinCap } from '#libs/ledger/penalty-cap.ts';
import { ratesOffered, scheduleOffered, termOffered } from '#libs/ledger/product-limits.ts';
import { MOST } from '#libs/money/minor.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Restructure: all unpaid principal is planned anew; what else is owed moves, as it stands, into the first new period. */
export const restructure: ActRules<'restructured'> = {
  rule: (loan, act) => {
    if (unpaidPrincipal(loan) === 0n) return refuse('invalid_event');
    return withinFrame(loan, act) ?? withinLaw(loan, act);
  },
  apply: (loan, act, around) => {
    const rate = act.body.rate;
    const moved = movedAlong(loan, act);
    const plan = planned(loan, act, moved.capitalised, around);
    if ('code' in plan) return plan;
    const base = highestIndex(loan) + 1;
    const fresh = plan.periods.map((each, nth) => {
      const actionableFrom = nth === 0 ? act.on : addDays(each.start, 1);
      const placing = { index: base + nth, origin: 'restructured' as const, actionableFrom };
      const period = plannedPeriod({ terms: loan.terms, rate }, each, placing);
      return nth === 0 ? withMoved(loan, period, moved.debt) : period;
    });
    if (!canBeCharged(fresh)) return refuse('amount_out_of_range', { bound: figure(MOST) });
    const kept = loan.periods.map((period) => (isOwing(period) ? { ...period, alive: false } : period));
    return {
      ...loan,
      periods: [...kept, ...fresh],
      level: plan.level,
      share: plan.level,
      rate,
      penaltyRate: act.body.penaltyRate ?? loan.penaltyRate,
      schedule: act.body.schedule ?? loan.schedule,
      accelerated: false,
      restructured: true,
    };
  },
};

/** The stated terms against the frame of the configuration version the Loan was issued under. */
function withinFrame(loan: Loan, { body }: ActOf<'restructured'>): Refusal | undefined {
  const { frame, archetype } = loan.terms;
  const { termPeriods, rate, schedule, penaltyRate } = body;
  return (
    termOffered(archetype === 'payday' ? [1] : frame.terms, termPeriods) ??
    (schedule === undefined ? undefined : scheduleOffered(frame.schedules, schedule)) ??
    ratesOffered(frame, rate, penaltyRate)
  );
}

/** The penalty rate, stated or standing, against the new rate and beside the late fee. */
function withinLaw(loan: Loan, { body }: ActOf<'restructured'>): Refusal | undefined {
  const penaltyRate = body.penaltyRate ?? loan.penaltyRate;
  const capped = penaltyRateWithinCap(loan.terms.penaltyCap, penaltyRate, body.rate);
  if (capped !== undefined) return capped;
  return besideLateFee(loan.terms, penaltyRate);
}

/** What is owed beside principal; where the law lets interest capitalise, interest with its tax is principal now. */
function movedAlong(loan: Loan, { on }: ActOf<'restructured'>): { readonly debt: Debt; readonly capitalised: bigint } {
  const debt = payoff(loan, on);
  if (!loan.terms.capitalises) return { debt, capitalised: 0n };
  return {
    debt: { ...debt, interest: { amount: 0n, tax: 0n } },
    capitalised: debt.interest.amount + debt.interest.tax,
  };
}

function planned(loan: Loan, act: ActOf<'restructured'>, capitalised: bigint, around: Surroundings): Plan | Refusal {
  const { basis, amortisation } = loan.terms;
  return planOf(
    {
      balance: unpaidPrincipal(loan) + capitalised,
      termPeriods: act.body.termPeriods,
      rate: act.body.rate,
      anchor: act.on,
      schedule: act.body.schedule ?? loan.schedule,
      basis,
      amortisation,
      interestTax: taxRateOn(loan.terms, 'interest'),
    },
    around.calendars(act.body.calendar),
  );
}

function withMoved(loan: Loan, period: Period, debt: Debt): Period {
  const into = (charge: 'interest' | 'fee' | 'penalty' | 'late_fee') =>
    carry(period[charge], debt[charge], taxRateOn(loan.terms, charge));
  return {
    ...period,
    interest: into('interest'),
    fee: into('fee'),
    penalty: into('penalty'),
    late_fee: into('late_fee'),
  };
}
