/** When a period is late: days past due on which the clock of lateness runs, beyond the tolerance. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type Loan, owedByPeriod, type Period, type Suspension } from '#libs/ledger/loan.ts';

/** Late on the day, judged by what is unsettled at its end. Nothing is late on a suspended day. */
export function isLate(loan: Loan, period: Period, on: CivilDay): boolean {
  return (
    period.alive &&
    period.dueOn < on &&
    !isSettledForLateness(loan, period) &&
    daysPastDue(loan, period, on) > loan.terms.toleranceDays &&
    suspensionOn(loan, on) === undefined
  );
}

/** A remainder within the tolerance counts as settled, but only for lateness and penalty. */
export function isSettledForLateness(loan: Loan, period: Period): boolean {
  return owedByPeriod(period) <= loan.terms.tolerance;
}

export function countLate(loan: Loan, periods: readonly Period[], on: CivilDay): number {
  let late = 0;
  for (const period of periods) if (isLate(loan, period, on)) late += 1;
  return late;
}

export function daysPastDue(loan: Loan, period: Period, on: CivilDay): number {
  return runningDays(loan, period.dueOn, on);
}

/** The last day a suspension covers: on the day of an early end the clock runs again. */
export function lastCovered(suspension: Suspension): number {
  return suspension.endedOn === undefined ? suspension.to : suspension.endedOn - 1;
}

export function suspensionOn(loan: Loan, on: CivilDay): Suspension | undefined {
  return loan.suspensions.find((suspension) => suspension.from <= on && on <= lastCovered(suspension));
}

/** Days of (after, to] on which the clock of lateness runs: not suspended, and after a confirmation. */
export function runningDays(loan: Loan, after: CivilDay, to: CivilDay): number {
  const start = loan.confirmedOn !== undefined && loan.confirmedOn > after ? loan.confirmedOn : after;
  if (to <= start) return 0;
  let running = to - start;
  for (const suspension of loan.suspensions) {
    const covered = Math.min(to, lastCovered(suspension)) - Math.max(start, suspension.from - 1);
    if (covered > 0) running -= covered;
  }
  return running;
}

/** The first day by which more than `count` days after `after` have run. Undefined where that is later than `to`. */
export function dayAfterRunning(loan: Loan, after: CivilDay, count: number, to: CivilDay): CivilDay | undefined {
  if (runningDays(loan, after, to) <= count) return undefined;
  let low = after as number;
  let high = to as number;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (runningDays(loan, after, middle as CivilDay) > count) high = middle;
    else low = middle;
  }
  return high as CivilDay;
}
