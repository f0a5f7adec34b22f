/** Rollover: a payday Loan's unpaid principal runs for another period, once everything else of this one is paid. */

import { type ActContext, type ActFact, calendarIn, defineAct, type PlanningBody } from '#libs/ledger/act.ts';
import { interestOn, withBalance } from '#libs/ledger/charges/interest.ts';
import { canBeCharged, plannedPeriod } from '#libs/ledger/charges/new-periods.ts';
import { makePlan, type Plan, type PlannedPeriod } from '#libs/ledger/charges/plan.ts';
import { jsonNumber } from '#libs/ledger/json-number.ts';
import { newLine, owedAmount, owedTotal, settledBeyondCharge } from '#libs/ledger/line.ts';
import { hasEnded, highestIndex, type Loan, type Period } from '#libs/ledger/loan.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { MAX_AMOUNT } from '#libs/money/minor.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export const rollover = defineAct({
  kind: 'rolled_over',
  route: {
    operation: 'rollOverLoan',
    segment: 'rollover',
    summary: 'Roll a payday Loan over',
    description: 'Opens another period for its principal.',
    refusals: [
      'rollover_not_provided',
      'rollovers_exhausted',
      'rollover_unpaid',
      'beyond_horizon',
      'amount_out_of_range',
    ],
  },
  states: { admitted: RUNNING },
  timeOfDay: 'after_receipts',
  usesCalendar: true,
  read: (_stated, reading): PlanningBody => ({ calendar: calendarIn(reading) }),
  // Rollovers of any day count against the product's limit.
  admit: refuseOneMore,
  rule: (loan, act) => {
    const exhausted = refuseOneMore(loan);
    if (exhausted !== undefined) return exhausted;
    const period = loan.periods[indexOfRunning(loan)];
    const unpaid = period === undefined || owesMoreThanPrincipal(loan, period, act);
    return unpaid ? refuse('rollover_unpaid') : undefined;
  },
  apply: (loan, act, context) => {
    const at = indexOfRunning(loan);
    const period = loan.periods[at] as Period;
    const plan = newPlan(loan, period, act, context);
    if ('code' in plan) return plan;
    const rolled = nextPeriod(loan, plan, act);
    if (!canBeCharged([rolled])) return refuse('amount_out_of_range', { bound: jsonNumber(MAX_AMOUNT) });
    const closed = endedBy(loan, period, act);
    const paidAhead = settledBeyondCharge(period.interest, closed.interest.own, taxRateOn(loan.terms, 'interest'));
    const { event, reference, on } = act;
    return {
      ...loan,
      level: plan.level,
      share: plan.level,
      periods: [...loan.periods.map((earlier, nth) => (nth === at ? closed : earlier)), rolled],
      rollovers: [...loan.rollovers, { event, reference, on, owedBack: paidAhead.amount + paidAhead.tax }],
    };
  },
});

/** The product provides a limited number of rollovers. */
function refuseOneMore({ terms, rollovers }: Loan): Refusal | undefined {
  if (terms.archetype !== 'payday') return refuse('rollover_not_provided');
  const [bound, observed] = [terms.maxRollovers, rollovers.length + 1];
  return observed > bound ? refuse('rollovers_exhausted', { bound, observed }) : undefined;
}

/** The period the principal moves to, with the product's rollover fee. */
function nextPeriod(loan: Loan, plan: Plan, { on }: ActFact<PlanningBody>): Period {
  const next = plannedPeriod(loan, plan.periods[0] as PlannedPeriod, {
    index: highestIndex(loan) + 1,
    origin: 'rolled_over',
    actionableFrom: on,
  });
  return { ...next, fee: newLine(loan.terms.rolloverFee, taxRateOn(loan.terms, 'fee')) };
}

/** The one period of a payday Loan that still holds principal. */
function indexOfRunning(loan: Loan): number {
  return loan.periods.findIndex((period) => period.alive && owedAmount(period.principal) > 0n);
}

function owesMoreThanPrincipal(loan: Loan, period: Period, { on }: ActFact<PlanningBody>): boolean {
  const interest = interestOn(loan, period, on);
  return owedTotal(interest) + owedTotal(period.fee) + owedTotal(period.penalty) + owedTotal(period.late_fee) > 0n;
}

function newPlan(loan: Loan, period: Period, { on, body }: ActFact<PlanningBody>, context: ActContext): Plan | Refusal {
  const { basis, amortisation } = loan.terms;
  return makePlan(
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
    context.calendars(body.calendar),
  );
}

/** A period that has not ended yet ends on this day and charges the interest accrued so far. */
function endedBy(loan: Loan, period: Period, { on }: ActFact<PlanningBody>): Period {
  if (hasEnded(period, on)) return { ...period, alive: false };
  const stopped = withBalance(loan.terms, period, on, 0n);
  return { ...stopped, interest: interestOn(loan, period, on), scheduledOn: on, dueOn: on, alive: false };
}
