/** Plans: the days of the periods, and how the balance is repaid over them. */

import { type BankingCalendar, nextBankingDay } from '#libs/calendar/banking-calendar.ts';
import { type CivilDay, clampToLastDay, formatDay } from '#libs/calendar/civil-day.ts';
import { type DayCountBasis, yearDenominator, yearFraction } from '#libs/calendar/day-count.ts';
import { type Schedule, scheduledDay } from '#libs/calendar/schedule.ts';
import { type Taxed, taxOn } from '#libs/ledger/line.ts';
import { levelPayment, type Ratio } from '#libs/money/level-payment.ts';
import { halfEven, MAX_AMOUNT } from '#libs/money/minor.ts';
import { RATE_SCALE, type Rate } from '#libs/money/rate.ts';
import type { Amortisation } from '#libs/product/terms.ts';
import type { Refusal } from '#libs/schema/refusals.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** A period of the plan as issued. Never changes: it is answered as `periods` of the Loan. */
export type IssuedPeriod = {
  readonly index: number;
  readonly scheduledOn: CivilDay;
  readonly dueOn: CivilDay;
  readonly principal: bigint;
  readonly interest: bigint;
  readonly fee: bigint;
  readonly tax: bigint;
};

export type PlannedPeriod = {
  readonly start: CivilDay;
  readonly scheduledOn: CivilDay;
  readonly dueOn: CivilDay;
  /** The principal outstanding during the period. */
  readonly balance: bigint;
  readonly principal: bigint;
  readonly interest: bigint;
};

export type Plan = { readonly level: bigint; readonly periods: readonly PlannedPeriod[] };

export type PlanTerms = {
  readonly balance: bigint;
  readonly termPeriods: number;
  readonly rate: Rate;
  readonly anchor: CivilDay;
  readonly schedule: Schedule;
  readonly basis: DayCountBasis;
  readonly amortisation: Amortisation;
  /** The tax rate on interest, zero where interest is not taxed. */
  readonly interestTax: Rate;
};

export type PlanDays = { readonly start: CivilDay; readonly scheduledOn: CivilDay; readonly dueOn: CivilDay };

/** The days of a plan, or a refusal where the calendar does not cover them. */
export function planDays(
  { anchor, schedule, termPeriods }: Pick<PlanTerms, 'anchor' | 'schedule' | 'termPeriods'>,
  calendar: BankingCalendar,
): readonly PlanDays[] | Refusal {
  const days: PlanDays[] = [];
  let start = anchor;
  for (let k = 1; k <= termPeriods; k += 1) {
    const scheduledOn = scheduledDay(schedule, anchor, k);
    const dueOn = scheduledOn > calendar.coversTo ? undefined : nextBankingDay(calendar, scheduledOn);
    if (dueOn === undefined) {
      const bound = formatDay(calendar.coversTo);
      return refuse('beyond_horizon', { bound, observed: formatDay(clampToLastDay(scheduledOn)) });
    }
    days.push({ start, scheduledOn, dueOn });
    start = scheduledOn;
  }
  return days;
}

/** Interest on a balance between two days, rounded once. */
export function interestOver(balance: bigint, rate: Rate, basis: DayCountBasis, from: CivilDay, to: CivilDay): bigint {
  return halfEven(balance * rate * yearFraction(basis, from, to), RATE_SCALE * yearDenominator(basis));
}

/** 1 + i(1 + t) between two days, exact. */
export function growthFactor(rate: Rate, basis: DayCountBasis, tax: Rate, from: CivilDay, to: CivilDay): Ratio {
  const den = RATE_SCALE * RATE_SCALE * yearDenominator(basis);
  return { num: den + rate * yearFraction(basis, from, to) * (RATE_SCALE + tax), den };
}

/** The tax rate that a level amount includes: none where it is of principal and interest only. */
export function taxInLevel(terms: Pick<PlanTerms, 'amortisation' | 'interestTax'>): Rate {
  return terms.amortisation === 'level_payment' ? terms.interestTax : (0n as Rate);
}

export function levelAmount(terms: PlanTerms, days: readonly PlanDays[]): bigint {
  if (terms.amortisation === 'equal_principal') return terms.balance / BigInt(terms.termPeriods);
  const tax = taxInLevel(terms);
  return levelPayment(
    terms.balance,
    days.map(({ start, scheduledOn }) => growthFactor(terms.rate, terms.basis, tax, start, scheduledOn)),
  );
}

/** The plan of a balance. Refused where interest alone exceeds the level amount, or where the calendar ends. */
export function makePlan(terms: PlanTerms, calendar: BankingCalendar): Plan | Refusal {
  const days = planDays(terms, calendar);
  if ('code' in days) return days;
  const level = levelAmount(terms, days);
  const periods: PlannedPeriod[] = [];
  let balance = terms.balance;
  for (const day of days) {
    const interest = interestOver(balance, terms.rate, terms.basis, day.start, day.scheduledOn);
    const last = periods.length === days.length - 1;
    const share = last
      ? balance
      : principalShare(terms.amortisation, level, { amount: interest, tax: taxOn(interest, terms.interestTax) });
    if (share < 0n) return refuse('plan_not_amortising');
    const principal = share > balance ? balance : share;
    periods.push({ ...day, balance, principal, interest });
    balance -= principal;
  }
  return { level, periods };
}

/** The principal a period repays, before it is limited to the balance. Negative: interest alone exceeds the level. */
export function principalShare(amortisation: Amortisation, level: bigint, interest: Taxed): bigint {
  switch (amortisation) {
    case 'equal_principal':
      return level;
    case 'level_payment':
      return level - interest.amount - interest.tax;
    case 'level_principal_and_interest':
      return level - interest.amount;
  }
}

/** Whether every figure of the plan and their total fit into an amount. */
export function fitsAmounts(periods: readonly Pick<IssuedPeriod, 'principal' | 'interest' | 'fee' | 'tax'>[]): boolean {
  let total = 0n;
  for (const { principal, interest, fee, tax } of periods) total += principal + interest + fee + tax;
  // Every figure is part of the total, and none is negative.
  return total <= MAX_AMOUNT;
}
