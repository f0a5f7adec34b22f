import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { debtOn, sumOf, totalOf } from '#libs/ledger/charges/debt.ts';
import { calledPeriod } from '#libs/ledger/charges/planned.ts';
import { movedIn } from '#libs/ledger/line.ts';
import { fallenDue, highestIndex, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';

/** All that has not fallen due falls due on the day as one period, its lines with their tax as they stand. */
export function callDebt(loan: Loan, on: CivilDay): Loan {
  const isCalled = (period: Period) => period.alive && !fallenDue(period, on) && isOwing(period);
  const called = sumOf(loan.periods.filter(isCalled).map((period) => debtOn(loan, period, on)));
  const periods = loan.periods.map((period) => (isCalled(period) ? { ...period, alive: false } : period));
  if (totalOf(called) === 0n) return { ...loan, periods };
  const period: Period = {
    ...calledPeriod(loan, highestIndex(loan) + 1, on),
    principal: movedIn(called.principal),
    interest: movedIn(called.interest),
    fee: movedIn(called.fee),
    penalty: movedIn(called.penalty),
    late_fee: movedIn(called.late_fee),
  };
  return { ...loan, periods: [...periods, period] };
}
