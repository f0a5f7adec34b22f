/** Interest of a period: the exact balance-time of its segments, rounded once. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { yearDenominator, yearFraction } from '#libs/calendar/day-count.ts';
import type { Line } from '#libs/ledger/line.ts';
import { recharge } from '#libs/ledger/line.ts';
import type { Loan, Period } from '#libs/ledger/loan.ts';
import { hasEnded } from '#libs/ledger/loan.ts';
import { halfEven } from '#libs/money/minor.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

/** Balance times days of the period up to the day, exact, over `yearDenominator`. */
export function balanceTime(terms: LoanTerms, period: Period, on: CivilDay): bigint {
  const to = on < period.scheduledOn ? on : period.scheduledOn;
  if (to <= period.balanceFrom || period.balance === 0n) return period.accruedBefore;
  return period.accruedBefore + period.balance * yearFraction(terms.basis, period.balanceFrom, to);
}

/** The interest the period itself has accrued to the day. The sum is rounded once, never its parts. */
export function accruedInterest(terms: LoanTerms, period: Period, on: CivilDay): bigint {
  const time = balanceTime(terms, period, on);
  return time === 0n ? 0n : halfEven(period.rate * time, RATE_SCALE * yearDenominator(terms.basis));
}

export function fullInterest(terms: LoanTerms, period: Period): bigint {
  return accruedInterest(terms, period, period.scheduledOn);
}

/** The interest line on the day: the full interest once the period has ended, before that what has accrued. */
export function interestOn(loan: Loan, period: Period, on: CivilDay): Line {
  if (hasEnded(period, on)) return period.interest;
  return recharge(period.interest, accruedInterest(loan.terms, period, on), taxRateOn(loan.terms, 'interest'));
}

/** The period accruing on another balance from the day on, or from its own start where that is later. */
export function withBalance(terms: LoanTerms, period: Period, on: CivilDay, balance: bigint): Period {
  if (on <= period.start) return { ...period, balance, balanceFrom: period.start, accruedBefore: 0n };
  return { ...period, balance, balanceFrom: on, accruedBefore: balanceTime(terms, period, on) };
}

/** The period with its full interest computed again from its segments. */
export function withInterestRecomputed(terms: LoanTerms, period: Period): Period {
  const interest = recharge(period.interest, fullInterest(terms, period), taxRateOn(terms, 'interest'));
  return { ...period, interest };
}
