/** Restructure: all unpaid principal gets a new plan. What else is owed moves unchanged into the first new period. */

import { addDays } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { type ActContext, type ActFact, calendarIn, defineAct, type PlanningBody } from '#libs/ledger/act.ts';
import { payoff, unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import { canBeCharged, plannedPeriod } from '#libs/ledger/charges/new-periods.ts';
import { makePlan, type Plan } from '#libs/ledger/charges/plan.ts';
import { jsonNumber } from '#libs/ledger/json-number.ts';
import { moveInto } from '#libs/ledger/line.ts';
import { type Debt, highestIndex, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import {
  refusePenaltyRateAboveCap,
  refusePenaltyWithLateFee,
  refuseRates,
  refuseSchedule,
  refuseTerm,
} from '#libs/ledger/product-limits.ts';
import { MAX_AMOUNT } from '#libs/money/minor.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { schedule } from '#libs/product/field-schemas.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { integer, rate as rateText } from '#libs/schema/scalars.ts';

export type RestructureBody = PlanningBody & {
  readonly termPeriods: number;
  readonly rate: Rate;
  readonly schedule?: Schedule;
  readonly penaltyRate?: Rate;
};

export const restructure = defineAct({
  kind: 'restructured',
  route: {
    operation: 'restructureLoan',
    segment: 'restructure',
    summary: 'Restructure a Loan',
    description: 'Makes a new plan of what is owed.',
    refusals: [
      'term_not_offered',
      'rate_outside_corridor',
      'schedule_not_offered',
      'penalty_rate_outside_corridor',
      'penalty_rate_above_cap',
      'late_fee_beside_penalty',
      'beyond_horizon',
      'plan_not_amortising',
      'amount_out_of_range',
    ],
  },
  fields: {
    term_periods: required(integer(1)),
    rate: required(rateText),
    schedule: optional(schedule),
    penalty_rate: optional(rateText),
  },
  states: { admitted: RUNNING },
  usesCalendar: true,
  read: ({ term_periods, rate, schedule, penalty_rate }, reading): RestructureBody => ({
    termPeriods: term_periods,
    rate: rateOf(rate),
    ...(schedule === undefined ? {} : { schedule }),
    ...(penalty_rate === undefined ? {} : { penaltyRate: rateOf(penalty_rate) }),
    calendar: calendarIn(reading),
  }),
  rule: (loan, act) => {
    if (unpaidPrincipal(loan) === 0n) return refuse('invalid_event', { bound: 'a Loan with unpaid principal' });
    return refuseOutsideFrame(loan, act) ?? refuseOutsideLaw(loan, act);
  },
  apply: (loan, act, context) => {
    const rate = act.body.rate;
    const moved = movedDebt(loan, act);
    const plan = newPlan(loan, act, moved.capitalised, context);
    if ('code' in plan) return plan;
    const base = highestIndex(loan) + 1;
    const added = plan.periods.map((planned, nth) => {
      const actionableFrom = nth === 0 ? act.on : addDays(planned.start, 1);
      const place = { index: base + nth, origin: 'restructured' as const, actionableFrom };
      const period = plannedPeriod({ terms: loan.terms, rate }, planned, place);
      return nth === 0 ? withMoved(loan, period, moved.debt) : period;
    });
    if (!canBeCharged(added)) return refuse('amount_out_of_range', { bound: jsonNumber(MAX_AMOUNT) });
    const ended = loan.periods.map((period) => (isOwing(period) ? { ...period, alive: false } : period));
    return {
      ...loan,
      periods: [...ended, ...added],
      level: plan.level,
      share: plan.level,
      rate,
      penaltyRate: act.body.penaltyRate ?? loan.penaltyRate,
      schedule: act.body.schedule ?? loan.schedule,
      accelerated: false,
      restructured: true,
    };
  },
});

/** The new terms must be within the frame of the configuration version the Loan was issued under. */
function refuseOutsideFrame(loan: Loan, { body }: ActFact<RestructureBody>): Refusal | undefined {
  const { frame, archetype } = loan.terms;
  const { termPeriods, rate, schedule, penaltyRate } = body;
  return (
    refuseTerm(archetype === 'payday' ? [1] : frame.terms, termPeriods) ??
    (schedule === undefined ? undefined : refuseSchedule(frame.schedules, schedule)) ??
    refuseRates(frame, rate, penaltyRate)
  );
}

/** The law limits the penalty rate, new or unchanged, by the new rate and by a late fee. */
function refuseOutsideLaw(loan: Loan, { body }: ActFact<RestructureBody>): Refusal | undefined {
  const penaltyRate = body.penaltyRate ?? loan.penaltyRate;
  const capped = refusePenaltyRateAboveCap(loan.terms.penaltyCap, penaltyRate, body.rate);
  if (capped !== undefined) return capped;
  return refusePenaltyWithLateFee(loan.terms, penaltyRate);
}

/** The debt other than principal. Where the law lets interest capitalise, owed interest and its tax become principal. */
function movedDebt(
  loan: Loan,
  { on }: ActFact<RestructureBody>,
): { readonly debt: Debt; readonly capitalised: bigint } {
  const debt = payoff(loan, on);
  if (!loan.terms.capitalises) return { debt, capitalised: 0n };
  return {
    debt: { ...debt, interest: { amount: 0n, tax: 0n } },
    capitalised: debt.interest.amount + debt.interest.tax,
  };
}

function newPlan(loan: Loan, act: ActFact<RestructureBody>, capitalised: bigint, context: ActContext): Plan | Refusal {
  const { basis, amortisation } = loan.terms;
  return makePlan(
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
    context.calendars(act.body.calendar),
  );
}

function withMoved(loan: Loan, period: Period, debt: Debt): Period {
  const into = (charge: 'interest' | 'fee' | 'penalty' | 'late_fee') =>
    moveInto(period[charge], debt[charge], taxRateOn(loan.terms, charge));
  return {
    ...period,
    interest: into('interest'),
    fee: into('fee'),
    penalty: into('penalty'),
    late_fee: into('late_fee'),
  };
}
