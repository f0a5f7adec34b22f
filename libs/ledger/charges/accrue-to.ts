/**
 * What time alone does to a Loan: periods become late, late fees arise, penalty grows. Between two recorded facts
 * nothing else changes, so any number of days is accrued in one step, with the same result as day by day.
 */

import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import { penaltyYear } from '#libs/calendar/day-count.ts';
import { countLate, dayAfterRunning, isSettledForLateness, runningDays } from '#libs/ledger/charges/lateness.ts';
import { type Line, owedAmount, recharge } from '#libs/ledger/line.ts';
import { isInForce, type Loan, type Period } from '#libs/ledger/loan.ts';
import { halfEven } from '#libs/money/minor.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

/** The Loan at the opening of the day, before the acts and Receipts of that day. */
export function accrueTo(loan: Loan, on: CivilDay): Loan {
  if (on <= loan.day) return loan;
  if (!isInForce(loan)) return { ...loan, day: on, lateAtOpening: 0 };
  const to = lastChargedDay(loan, on);
  const { periods, penaltyShown } = to > loan.day ? growPenalties(loan, to) : loan;
  return { ...loan, day: on, periods, penaltyShown, lateAtOpening: countLate(loan, periods, on) };
}

/** Charging stops on the day of a write-off and at the end of the day of a cession. */
function lastChargedDay(loan: Loan, on: CivilDay): CivilDay {
  let last: number = on;
  if (loan.writeOff !== undefined) last = Math.min(last, loan.writeOff.on);
  if (loan.cession !== undefined) last = Math.min(last, loan.cession.on);
  return last as CivilDay;
}

/** The penalty line of one period on a later day, as far as the whole-loan ceiling does not cut it. */
export function penaltyOn(loan: Loan, period: Period, on: CivilDay): Line {
  const to = lastChargedDay(loan, on);
  const isStopped = !period.alive || period.dueOn >= to || to <= loan.day || isSettledForLateness(loan, period);
  if (isStopped || !isInForce(loan)) return period.penalty;
  const lateOn = period.lateSince ?? dayAfterRunning(loan, period.dueOn, loan.terms.toleranceDays, to);
  if (lateOn === undefined) return period.penalty;
  const exact =
    period.penaltyExact + loan.penaltyRate * penaltyBase(loan.terms, period) * countedDays(loan, period, to);
  return chargePenalty(loan.terms, period, exact, lateOn).penalty;
}

/** How the exact penalty of one overdue period grows; `at` is its index in the Loan's periods. */
type PenaltyGrowth = { readonly at: number; readonly perDay: bigint; readonly lateOn: CivilDay };

function growPenalties(loan: Loan, to: CivilDay): Pick<Loan, 'periods' | 'penaltyShown'> {
  const growths: PenaltyGrowth[] = [];
  for (let at = 0; at < loan.periods.length; at += 1) {
    const period = loan.periods[at] as Period;
    if (!period.alive || period.dueOn >= to || isSettledForLateness(loan, period)) continue;
    const lateOn =
      period.lateSince ?? dayAfterRunning(loan, period.dueOn, loan.terms.toleranceDays, to) ?? addDays(to, 1);
    growths.push({ at, perDay: loan.penaltyRate * penaltyBase(loan.terms, period), lateOn });
  }
  if (growths.length === 0) return loan;
  const increases = penaltyIncreases(loan, growths, to);
  const periods = loan.periods.slice();
  let penaltyShown = loan.penaltyShown;
  growths.forEach(({ at, lateOn }, nth) => {
    const period = loan.periods[at] as Period;
    const exact = period.penaltyExact + (increases[nth] as bigint);
    const isLate = lateOn <= to;
    if (isLate) penaltyShown += exact - (period.lateSince === undefined ? 0n : period.penaltyExact);
    periods[at] = isLate ? chargePenalty(loan.terms, period, exact, lateOn) : { ...period, penaltyExact: exact };
  });
  return { periods, penaltyShown };
}

/** The unpaid part of the period that bears penalty: before tax, after waivers. */
/** What of the period bears penalty, as it is unpaid now. */
export function penaltyBase(terms: LoanTerms, period: Period): bigint {
  const principal = owedAmount(period.principal);
  if (terms.penaltyBase === 'overdue_principal') return principal;
  return principal + owedAmount(period.interest) + owedAmount(period.fee);
}

/** Penalty counts from the due day but is charged only once the period is late, together with the late fee. */
function chargePenalty(terms: LoanTerms, period: Period, exact: bigint, lateOn: CivilDay): Period {
  const own = halfEven(exact, RATE_SCALE * penaltyYear(terms.basis));
  const penalty =
    own === period.penalty.own ? period.penalty : recharge(period.penalty, own, taxRateOn(terms, 'penalty'));
  if (period.lateSince !== undefined) return { ...period, penaltyExact: exact, penalty };
  const late_fee =
    terms.lateFee === 0n ? period.late_fee : recharge(period.late_fee, terms.lateFee, taxRateOn(terms, 'late_fee'));
  return { ...period, penaltyExact: exact, penalty, late_fee, lateSince: lateOn };
}

/** Days of (loan.day, to] that count for penalty: running, after the due day, within the per-period ceiling. */
function countedDays(loan: Loan, period: Period, to: CivilDay): bigint {
  const from = loan.day > period.dueOn ? loan.day : period.dueOn;
  const ceiling = loan.terms.penaltyCeilingDays;
  if (ceiling === undefined) return BigInt(runningDays(loan, from, to));
  const before = Math.min(runningDays(loan, period.dueOn, from), ceiling);
  return BigInt(Math.min(runningDays(loan, period.dueOn, to), ceiling) - before);
}

/** The days that count for the penalty of an unsettled period up to the day. */
export function penaltyDays(loan: Loan, period: Period, on: CivilDay): number {
  const running = runningDays(loan, period.dueOn, lastChargedDay(loan, on));
  return Math.min(running, loan.terms.penaltyCeilingDays ?? running);
}

/** What each period's exact penalty grows by, cut where the whole-loan ceiling is reached. */
function penaltyIncreases(loan: Loan, growths: readonly PenaltyGrowth[], to: CivilDay): bigint[] {
  const increase = (growth: PenaltyGrowth, until: CivilDay) =>
    growth.perDay * countedDays(loan, loan.periods[growth.at] as Period, until);
  const bps = loan.terms.penaltyCeilingBps;
  if (bps === undefined) return growths.map((growth) => increase(growth, to));
  const ceiling = loan.terms.principal * BigInt(bps) * (RATE_SCALE / 10_000n) * penaltyYear(loan.terms.basis);
  // Penalty of a period that is not late yet is not charged, and so does not count towards the ceiling.
  const uncharged = ({ at }: PenaltyGrowth) => {
    const { lateSince, penaltyExact } = loan.periods[at] as Period;
    return lateSince === undefined ? penaltyExact : 0n;
  };
  const charged = (growth: PenaltyGrowth, until: CivilDay) =>
    until < growth.lateOn ? 0n : increase(growth, until) + uncharged(growth);
  const chargedBy = (until: CivilDay) =>
    growths.reduce((sum, growth) => sum + charged(growth, until), loan.penaltyShown);
  if (chargedBy(to) < ceiling) return growths.map((growth) => increase(growth, to));
  // The first day on which the ceiling is reached. What is left of it then goes to the periods in index order.
  let low: number = loan.day;
  let high: number = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (chargedBy(middle as CivilDay) >= ceiling) high = middle;
    else low = middle;
  }
  const dayBefore = low as CivilDay;
  let left = ceiling - chargedBy(dayBefore);
  return growths.map((growth) => {
    const chargedBefore = charged(growth, dayBefore);
    const grows = charged(growth, high as CivilDay) - chargedBefore;
    const taken = grows < left ? grows : left;
    left -= taken;
    return growth.lateOn > to ? increase(growth, to) : chargedBefore + taken - uncharged(growth);
  });
}
