import type { ActRules, Surroundings } from '#libs/ledger/act.ts';
import { interestOn, onBalance } from '#libs/ledger/charges/interest.ts';
import { type Plan, type PlannedPeriod, planOf } from '#libs/ledger/charges/plan.ts';
import { canBeCharged, plannedPeriod } from '#libs/ledger/charges/planned.ts';
import { settledAbove } from '#libs/ledger/charges/settled-beyond-charge.ts';
import type { ActOf } from '#libs/ledger/facts.ts';
import { figure } from '#libs/ledger/figure.ts';
import { charging, owedAmount, owedOf } from '#libs/ledger/line.ts';
import { ended, highestIndex, type Loan, type Period } from '#libs/ledger/loan.ts';
import { MOST } from '#libs/money/minor.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Rollover: a payday Loan's unpaid principal runs for another period, once everything else of this one is paid. */
export const rollover: ActRules<'rolled_over'> = {
  rule: (loan, act) => {
    const barred = oneMoreProvided(loan);
    if (barred !== undefined) return barred;
    const period = loan.periods[runningAt(loan)];
    const unpaid = period === undefined || owesBesidePrincipal(loan, period, act);
    return unpaid ? refuse('rollover_unpaid') : undefined;
  },
  apply: (loan, act, around) => {
    const at = runningAt(loan);
    const period = loan.periods[at] as Period;
    const plan = planned(loan, period, act, around);
    if ('code' in plan) return plan;
    const rolled = nextPeriod(loan, plan, act);
    if (!canBeCharged([rolled])) return refuse('amount_out_of_range', { bound: figure(MOST) });
    const closed = endedBy(loan, period, act);
    const above = settledAbove(period.interest, closed.interest.own, taxRateOn(loan.terms, 'interest'));
    const { event, reference, on } = act;
    return {
      ...loan,
      level: plan.level,
      share: plan.level,
      periods: [...loan.periods.map((each, nth) => (nth === at ? closed : each)), rolled],
      rollovers: [...loan.rollovers, { event, reference, on, owedBack: above.amount + above.tax }],
    };
  },
};

/** Whether the product provides one rollover more than the Loan has had. */
export function oneMoreProvided({ terms, rollovers }: Loan): Refusal | undefined {
  if (terms.archetype !== 'payday') return refuse('rollover_not_provided');
  const [bound, observed] = [terms.maxRollovers, rollovers.length + 1];
  return observed > bound ? refuse('rollovers_exhausted', { bound, observed }) : undefined;
}

/** The period that the principal moves to, with the product's fee for it. */
function nextPeriod(loan: Loan, plan: Plan, { on }: ActOf<'rolled_over'>): Period {
  const next = plannedPeriod(loan, plan.periods[0] as PlannedPeriod, {
    index: highestIndex(loan) + 1,
    origin: 'rolled_over',
    actionableFrom: on,
  });
  return { ...next, fee: charging(loan.terms.rolloverFee, taxRateOn(loan.terms, 'fee')) };
}

/** The one period of a payday Loan that still holds principal. */
function runningAt(loan: Loan): number {
  return loan.periods.findIndex((period) => period.alive && owedAmount(period.principal) > 0n);
}

function owesBesidePrincipal(loan: Loan, period: Period, { on }: ActOf<'rolled_over'>): boolean {
  const interest = interestOn(loan, period, on);
  return owedOf(interest) + owedOf(period.fee) + owedOf(period.penalty) + owedOf(period.late_fee) > 0n;
}

function planned(loan: Loan, period: Period, { on, body }: ActOf<'rolled_over'>, around: Surroundings): Plan | Refusal {
  const { basis, amortisation } = loan.terms;
  return planOf(
    {
      balance: owedAmount(period.principal),
      termPeriods: 1,
      rate: loan.rate,
      anchor: on,
      schedule: loan.schedule,
      basis,
      amortisation,
      interestTax: taxRateOn(loan.terms, 'interest'),
    },
    around.calendars(body.calendar),
  );
}

/** The period ends on the day, where its own end had not come: it charges the interest accrued until then. */
function endedBy(loan: Loan, period: Period, { on }: ActOf<'rolled_over'>): Period {
  if (ended(period, on)) return { ...period, alive: false };
  const stopped = onBalance(loan.terms, period, on, 0n);
  return { ...stopped, interest: interestOn(loan, period, on), scheduledOn: on, dueOn: on, alive: false };
}
