import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { yearDenominator, yearFraction } from '#libs/calendar/day-count.ts';
import type { Line } from '#libs/ledger/line.ts';
import { recharge } from '#libs/ledger/line.ts';
import type { Loan, Period } from '#libs/ledger/loan.ts';
import { ended } from '#libs/ledger/loan.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { halfEven } from '#libs/money/round.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

/** Exact balance-time of the period up to the day, over `yearDenominator`. */
export function balanceTime(terms: LoanTerms, period: Period, on: CivilDay): bigint {
  const to = on < period.scheduledOn ? on : period.scheduledOn;
  if (to <= period.balanceFrom || period.balance === 0n) return period.accruedBefore;
  return period.accruedBefore + period.balance * yearFraction(terms.basis, period.balanceFrom, to);
}

/** The interest that the period by itself has accrued to the day: the rounding of the whole sum, never a sum of roundings. */
export function accruedOwn(terms: LoanTerms, period: Period, on: CivilDay): bigint {
  const time = balanceTime(terms, period, on);
  return time === 0n ? 0n : halfEven(period.rate * time, RATE_SCALE * yearDenominator(terms.basis));
}

/** The interest of the whole period. */
export function wholeOwn(terms: LoanTerms, period: Period): bigint {
  return accruedOwn(terms, period, period.scheduledOn);
}

/** The interest line as it stands on the day: whole once the period has ended, before that what has accrued. */
export function interestOn(loan: Loan, period: Period, on: CivilDay): Line {
  if (ended(period, on)) return period.interest;
  return recharge(period.interest, accruedOwn(loan.terms, period, on), taxRateOn(loan.terms, 'interest'));
}

/** The period accruing on `balance` from the day on (from its own start where that is later), its earlier time kept. */
export function onBalance(terms: LoanTerms, period: Period, on: CivilDay, balance: bigint): Period {
  if (on <= period.start) return { ...period, balance, balanceFrom: period.start, accruedBefore: 0n };
  return { ...period, balance, balanceFrom: on, accruedBefore: balanceTime(terms, period, on) };
}

/** The period with its whole interest computed anew from its segments. */
export function repriced(terms: LoanTerms, period: Period): Period {
  const interest = recharge(period.interest, wholeOwn(terms, period), taxRateOn(terms, 'interest'));
  return { ...period, interest };
}
