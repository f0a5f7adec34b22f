/** The rest of a plan after early money or a return: planned again, or ended. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { interestOn, withBalance, withInterestRecomputed } from '#libs/ledger/charges/interest.ts';
import { growthFactor, principalShare, taxInLevel } from '#libs/ledger/charges/plan.ts';
import { type Line, owedAmount } from '#libs/ledger/line.ts';
import { hasCharges, hasEnded, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { levelPaymentOf } from '#libs/money/level-payment.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { taxRateOn } from '#libs/product/terms.ts';

/** The indexes in `loan.periods` of the periods that have not ended and are not settled. */
export function periodsAhead(loan: Loan, on: CivilDay): number[] {
  const ahead: number[] = [];
  loan.periods.forEach((period, at) => {
    if (period.alive && !hasEnded(period, on) && isOwing(period)) ahead.push(at);
  });
  return ahead;
}

/** The unpaid principal of the periods that have not ended. */
export function principalAhead(loan: Loan, on: CivilDay): bigint {
  let sum = 0n;
  for (const period of loan.periods) if (period.alive && !hasEnded(period, on)) sum += owedAmount(period.principal);
  return sum;
}

/** The unpaid principal of the periods that have ended. */
export function principalFallenDue(loan: Loan, on: CivilDay): bigint {
  let sum = 0n;
  for (const period of loan.periods) if (period.alive && hasEnded(period, on)) sum += owedAmount(period.principal);
  return sum;
}

/** The principal line with `unpaid` left to pay. Principal bears no tax and is never waived. */
function withUnpaid(line: Line, unpaid: bigint): Line {
  const charged = line.settled + unpaid;
  return charged === line.charged ? line : { ...line, own: charged, moved: 0n, charged };
}

export type KeptFigure = 'term' | 'level';

/**
 * Plans the principal that is left, `balance`, over the periods that are left. Keeping the term, a new level amount is
 * computed; keeping the level, the plan ends sooner. Days, indexes and fees stay the same.
 */
export function recalculate(loan: Loan, on: CivilDay, balance: bigint, keeping: KeptFigure): Loan {
  const ahead = periodsAhead(loan, on);
  const [first] = ahead;
  if (first === undefined) return loan;
  const { terms } = loan;
  const periods = loan.periods.slice();
  periods[first] = withBalance(terms, periods[first] as Period, on, balance);
  const share = keeping === 'level' ? loan.share : newShare(loan, periods, ahead, balance);
  let left = balance;
  ahead.forEach((at, nth) => {
    let period = periods[at] as Period;
    if (nth > 0) period = withBalance(terms, period, period.start, left);
    const priced = withInterestRecomputed(terms, period);
    // The charge is never below what was settled and waived of it. What an act moved in is in no level amount.
    const { charged, moved, tax, movedTax } = priced.interest;
    const interest = { amount: charged - moved, tax: tax - movedTax };
    const principalDue = nth === ahead.length - 1 ? left : principalShare(terms.amortisation, share, interest);
    const principal = principalDue < 0n ? 0n : principalDue > left ? left : principalDue;
    periods[at] = { ...priced, principal: withUnpaid(period.principal, principal), origin: 'recalculated' };
    left -= principal;
  });
  return { ...loan, periods, share, level: terms.amortisation === 'equal_principal' ? loan.level : share };
}

function newShare(loan: Loan, periods: readonly Period[], ahead: readonly number[], balance: bigint): bigint {
  const { terms } = loan;
  if (terms.amortisation === 'equal_principal') return balance / BigInt(ahead.length);
  const tax = taxInLevel({ amortisation: terms.amortisation, interestTax: taxRateOn(terms, 'interest') });
  const growths = ahead.map((at) => {
    const period = periods[at] as Period;
    return growthFactor(period.rate, terms.basis, tax, period.balanceFrom, period.scheduledOn);
  });
  const first = periods[ahead[0] as number] as Period;
  const growth = growths[0] as { num: bigint; den: bigint };
  // Interest accrued so far falls due with the first period, so it is discounted over the rest of that period.
  const runUp = first.rate * first.accruedBefore * (RATE_SCALE + tax);
  return levelPaymentOf({ num: balance * growth.num + runUp, den: growth.num }, growths);
}

/**
 * No principal is left ahead: the running period ends on the day and owes its fee and the interest accrued so far; the
 * later ones are dropped. A period settled before its day stays settled, and the next one ends instead.
 */
export function endPlan(loan: Loan, on: CivilDay): Loan {
  const running = periodsAhead(loan, on)[0];
  const periods = loan.periods.map((period, at) => {
    if (!period.alive || hasEnded(period, on) || isSettled(period)) return period;
    const stopped = endedOn(loan, period, on);
    return at === running ? stopped : { ...stopped, alive: false };
  });
  return { ...loan, periods };
}

/** A period that charges nothing is neither settled nor owed. */
function isSettled(period: Period): boolean {
  return hasCharges(period) && !isOwing(period);
}

function endedOn(loan: Loan, period: Period, on: CivilDay): Period {
  return {
    ...withBalance(loan.terms, period, on, 0n),
    scheduledOn: on,
    dueOn: on,
    interest: interestOn(loan, period, on),
    principal: withUnpaid(period.principal, 0n),
  };
}

/** The Loan no longer owes principal that has fallen due and is unpaid. */
export function unwindFallenDue(loan: Loan, on: CivilDay): Loan {
  const periods = loan.periods.map((period) =>
    period.alive && hasEnded(period, on) ? { ...period, principal: withUnpaid(period.principal, 0n) } : period,
  );
  return { ...loan, periods };
}
