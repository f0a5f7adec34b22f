/** Scheduled days, due days and the division of principal over periods. */
import { addMonths, bankingDay, type Day, elapsed, inMonthAfter, type Market, monthLength, partsOf } from './days.ts';
import type { Amortisation, Schedule } from './input.ts';
import { applyRate, type Fraction, levelAmount, max, min, RATE_ONE, round } from './numbers.ts';
import type { ProductTerms } from './product-terms.ts';

/** Section 2 of fold.md: s(0), s(1), ... s(n). */
export function scheduledDays(schedule: Schedule, anchor: Day, n: number): Day[] {
  const days = [anchor];
  const first = schedule.day_of_month === undefined ? anchor : firstOnDay(schedule, anchor);
  for (let k = 1; k <= n; k += 1) {
    if (schedule.kind === 'anchored_every_n_days') days.push(anchor + k * (schedule.interval_days ?? 0));
    else if (schedule.day_of_month === undefined) days.push(addMonths(anchor, k));
    else days.push(inMonthAfter(first, k - 1, schedule.day_of_month));
  }
  return days;
}

function firstOnDay(schedule: Schedule, anchor: Day): Day {
  const m = schedule.day_of_month ?? 1;
  for (let day = anchor + Math.max(1, schedule.first_after_days ?? 0); ; day += 1) {
    const parts = partsOf(day);
    if (parts.d === Math.min(m, monthLength(parts.y, parts.m))) return day;
  }
}

/** The due days of s(1).. s(n), or undefined when a day is after the end of the calendar. */
export function dueDays(market: Market, scheduled: Day[]): Day[] | undefined {
  const due: Day[] = [];
  for (const day of scheduled.slice(1)) {
    const on = bankingDay(market, day);
    if (on === undefined) return undefined;
    due.push(on);
  }
  return due;
}

/** The interest of `balance` over [from, to), exact. */
export function exactInterest(product: ProductTerms, rate: bigint, balance: bigint, from: Day, to: Day): Fraction {
  return { n: balance * rate * elapsed(product.basis, from, to), d: RATE_ONE * product.partsOfYear };
}

export interface PlannedPeriod {
  from: Day;
  to: Day;
  principal: bigint;
  interest: bigint;
}

export interface PlannedRepayment {
  level: bigint;
  periods: PlannedPeriod[];
  amortises: boolean;
}

/** How the principal is distributed over periods: by a level amount or by equal shares of principal. */
export type Division = { kind: 'equal'; share: bigint } | { kind: 'level'; level: bigint; taxRate: bigint };

export function divisionOf(amortisation: Amortisation, amount: bigint, interestTax: bigint): Division {
  if (amortisation === 'equal_principal') return { kind: 'equal', share: amount };
  return { kind: 'level', level: amount, taxRate: amortisation === 'level_payment' ? interestTax : 0n };
}

/** The principal of a period other than the last, before it is bounded. */
export function unboundedPrincipal(division: Division, interest: bigint, tax?: bigint): bigint {
  if (division.kind === 'equal') return division.share;
  if (division.taxRate === 0n) return division.level - interest;
  return division.level - interest - (tax ?? applyRate(interest, division.taxRate));
}

export function factorsOf(product: ProductTerms, rate: bigint, days: Day[]): Fraction[] {
  const factors: Fraction[] = [];
  for (let k = 1; k < days.length; k += 1) {
    factors.push(exactInterest(product, rate, 1n, days[k - 1] as Day, days[k] as Day));
  }
  return factors;
}

export function loadingOf(amortisation: Amortisation, interestTax: bigint): Fraction {
  return { n: RATE_ONE + (amortisation === 'level_payment' ? interestTax : 0n), d: RATE_ONE };
}

/** Section 2 of fold.md: the plan of `balance` over the days s(0).. s(n). */
export function planOf(
  product: ProductTerms,
  rate: bigint,
  interestTax: bigint,
  balance: bigint,
  days: Day[],
): PlannedRepayment {
  const n = days.length - 1;
  const { amortisation } = product;
  const amount =
    amortisation === 'equal_principal'
      ? balance / BigInt(n)
      : levelAmount(balance, { n: 0n, d: 1n }, factorsOf(product, rate, days), loadingOf(amortisation, interestTax));
  const division = divisionOf(amortisation, amount, interestTax);
  const periods: PlannedPeriod[] = [];
  let left = balance;
  let amortises = true;
  for (let k = 1; k <= n; k += 1) {
    const from = days[k - 1] as Day;
    const to = days[k] as Day;
    const exact = exactInterest(product, rate, left, from, to);
    const interest = round(exact.n, exact.d);
    const wanted = unboundedPrincipal(division, interest);
    if (k < n && wanted < 0n) amortises = false;
    const principal = k === n ? left : max(0n, min(wanted, left));
    periods.push({ from, to, principal, interest });
    left -= principal;
  }
  return { level: amount, periods, amortises };
}
