import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Loan, Suspension } from '#libs/ledger/loan.ts';

/** The last day a suspension covers: an early end lets the clock run again on its own day. */
export function lastCovered(suspension: Suspension): number {
  return suspension.endedOn === undefined ? suspension.to : suspension.endedOn - 1;
}

export function suspensionOn(loan: Loan, on: CivilDay): Suspension | undefined {
  return loan.suspensions.find((each) => each.from <= on && on <= lastCovered(each));
}

/** Days of (after, to] on which the clock of lateness runs: not suspended, and later than a confirmation. */
export function runningDays(loan: Loan, after: CivilDay, to: CivilDay): number {
  const begin = loan.confirmedOn !== undefined && loan.confirmedOn > after ? loan.confirmedOn : after;
  if (to <= begin) return 0;
  let running = to - begin;
  for (const each of loan.suspensions) {
    const covered = Math.min(to, lastCovered(each)) - Math.max(begin, each.from - 1);
    if (covered > 0) running -= covered;
  }
  return running;
}

/** The first day on which more than `count` days after `after` have run; undefined where that is later than `to`. */
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
