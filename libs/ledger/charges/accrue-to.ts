import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import { penaltyYear } from '#libs/calendar/day-count.ts';
import { dayAfterRunning, runningDays, suspensionOn } from '#libs/ledger/charges/running-days.ts';
import { type Line, owedAmount, recharge } from '#libs/ledger/line.ts';
import { type Loan, type Period, periodOwes, stands } from '#libs/ledger/loan.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { halfEven } from '#libs/money/round.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

/**
 * What time alone does to a Loan up to and with the opening of a day, before the acts and Receipts of that day: periods
 * become late, late fees arise, penalty grows. Between two recorded facts nothing else changes, so any stretch of days
 * is opened at once, to the same result as day by day.
 */
export function openDay(loan: Loan, on: CivilDay): Loan {
  if (on <= loan.day) return loan;
  const to = chargedUntil(loan, on);
  if (!stands(loan)) return { ...loan, day: on, lateAtOpening: 0 };
  const { periods, penaltyShown } = to > loan.day ? grown(loan, to) : loan;
  return { ...loan, day: on, periods, penaltyShown, lateAtOpening: countLate(loan, periods, on) };
}

/** Charging stops with a write-off's day, and at the end of a cession's. */
function chargedUntil(loan: Loan, on: CivilDay): CivilDay {
  let last: number = on;
  if (loan.writeOff !== undefined) last = Math.min(last, loan.writeOff.on);
  if (loan.cession !== undefined) last = Math.min(last, loan.cession.on);
  return last as CivilDay;
}

/** A remainder within the band counts as settled, for lateness and for penalty only. */
export function settledForLateness(loan: Loan, period: Period): boolean {
  return periodOwes(period) <= loan.terms.tolerance;
}

export function daysPastDue(loan: Loan, period: Period, on: CivilDay): number {
  return runningDays(loan, period.dueOn, on);
}

/** Late on the day, judged by what is unsettled at its end. On a day that a suspension covers nothing is late. */
export function isLate(loan: Loan, period: Period, on: CivilDay): boolean {
  return (
    period.alive &&
    period.dueOn < on &&
    !settledForLateness(loan, period) &&
    daysPastDue(loan, period, on) > loan.terms.toleranceDays &&
    suspensionOn(loan, on) === undefined
  );
}

function countLate(loan: Loan, periods: readonly Period[], on: CivilDay): number {
  let late = 0;
  for (const period of periods) if (isLate(loan, period, on)) late += 1;
  return late;
}

/** The penalty line of one period as a later opening has it, where no ceiling is shared with other periods. */
export function penaltyBy(loan: Loan, period: Period, on: CivilDay): Line {
  const to = chargedUntil(loan, on);
  const stopped = !period.alive || period.dueOn >= to || to <= loan.day || settledForLateness(loan, period);
  if (stopped || !stands(loan)) return period.penalty;
  const lateOn = period.lateSince ?? dayAfterRunning(loan, period.dueOn, loan.terms.toleranceDays, to);
  if (lateOn === undefined) return period.penalty;
  const exact = period.penaltyExact + loan.penaltyRate * baseOf(loan.terms, period) * countedDays(loan, period, to);
  return becomeLate(loan.terms, period, exact, lateOn).penalty;
}

type Growth = { readonly at: number; readonly perDay: bigint; readonly lateOn: CivilDay };

function grown(loan: Loan, to: CivilDay): Pick<Loan, 'periods' | 'penaltyShown'> {
  const growths: Growth[] = [];
  for (let at = 0; at < loan.periods.length; at += 1) {
    const period = loan.periods[at] as Period;
    if (!period.alive || period.dueOn >= to || settledForLateness(loan, period)) continue;
    const lateOn =
      period.lateSince ?? dayAfterRunning(loan, period.dueOn, loan.terms.toleranceDays, to) ?? addDays(to, 1);
    growths.push({ at, perDay: loan.penaltyRate * baseOf(loan.terms, period), lateOn });
  }
  if (growths.length === 0) return loan;
  const added = withinCeiling(loan, growths, to);
  const periods = loan.periods.slice();
  let shown = loan.penaltyShown;
  growths.forEach(({ at, lateOn }, nth) => {
    const period = loan.periods[at] as Period;
    const exact = period.penaltyExact + (added[nth] as bigint);
    const late = lateOn <= to;
    if (late) shown += exact - (period.lateSince === undefined ? 0n : period.penaltyExact);
    periods[at] = late ? becomeLate(loan.terms, period, exact, lateOn) : { ...period, penaltyExact: exact };
  });
  return { periods, penaltyShown: shown };
}

/** The unpaid part of the period that bears penalty: before tax, after waivers. */
function baseOf(terms: LoanTerms, period: Period): bigint {
  const principal = owedAmount(period.principal);
  if (terms.penaltyBase === 'overdue_principal') return principal;
  return principal + owedAmount(period.interest) + owedAmount(period.fee);
}

function becomeLate(terms: LoanTerms, period: Period, exact: bigint, lateOn: CivilDay): Period {
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

/** What each period's exact penalty grows by, cut where the whole-loan ceiling is reached. */
function withinCeiling(loan: Loan, growths: readonly Growth[], to: CivilDay): bigint[] {
  const growth = (each: Growth, until: CivilDay) =>
    each.perDay * countedDays(loan, loan.periods[each.at] as Period, until);
  const bps = loan.terms.penaltyCeilingBps;
  if (bps === undefined) return growths.map((each) => growth(each, to));
  const ceiling = loan.terms.principal * BigInt(bps) * (RATE_SCALE / 10_000n) * penaltyYear(loan.terms.basis);
  const shows = (each: Growth, until: CivilDay) => {
    if (until < each.lateOn) return 0n;
    const period = loan.periods[each.at] as Period;
    return growth(each, until) + (period.lateSince === undefined ? period.penaltyExact : 0n);
  };
  const shownBy = (until: CivilDay) => growths.reduce((sum, each) => sum + shows(each, until), loan.penaltyShown);
  if (shownBy(to) < ceiling) return growths.map((each) => growth(each, to));
  // The first day on which the ceiling is reached; what is left of it goes to the periods in index order.
  let low: number = loan.day;
  let high: number = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shownBy(middle as CivilDay) >= ceiling) high = middle;
    else low = middle;
  }
  const before = low as CivilDay;
  let left = ceiling - shownBy(before);
  return growths.map((each) => {
    const period = loan.periods[each.at] as Period;
    const shownBefore = shows(each, before);
    const grows = shows(each, high as CivilDay) - shownBefore;
    const takes = grows < left ? grows : left;
    left -= takes;
    const hiddenAlready = period.lateSince === undefined ? period.penaltyExact : 0n;
    return each.lateOn > to ? growth(each, to) : shownBefore + takes - hiddenAlready;
  });
}
