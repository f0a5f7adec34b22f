import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { interestOn, onBalance, repriced } from '#libs/ledger/charges/interest.ts';
import { growthOver, principalShare, taxInLevel } from '#libs/ledger/charges/plan.ts';
import { type Line, owedAmount } from '#libs/ledger/line.ts';
import { chargesSomething, ended, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { levelPaymentOf } from '#libs/money/level-payment.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { taxRateOn } from '#libs/product/terms.ts';

/** Where in `loan.periods` the periods stand that have not ended and are not settled. */
export function periodsAhead(loan: Loan, on: CivilDay): number[] {
  const ahead: number[] = [];
  loan.periods.forEach((period, at) => {
    if (period.alive && !ended(period, on) && isOwing(period)) ahead.push(at);
  });
  return ahead;
}

/** Unpaid principal of the periods that have not ended. */
export function principalAhead(loan: Loan, on: CivilDay): bigint {
  let sum = 0n;
  for (const period of loan.periods) if (period.alive && !ended(period, on)) sum += owedAmount(period.principal);
  return sum;
}

export function matureUnpaidPrincipal(loan: Loan, on: CivilDay): bigint {
  let sum = 0n;
  for (const period of loan.periods) if (period.alive && ended(period, on)) sum += owedAmount(period.principal);
  return sum;
}

/** The principal line charging what was settled of it and `more`. It bears no tax and is never waived. */
function principalOf(line: Line, more: bigint): Line {
  const charged = line.settled + more;
  return charged === line.charged ? line : { ...line, own: charged, moved: 0n, charged };
}

type Keeping = 'term' | 'level';

/**
 * The plan of the principal left, `balance`, over the periods left. Keeping the term, a new level amount is found;
 * keeping the level, the plan ends sooner. Days, indexes and fees stay; a period that charges nothing is not planned on.
 */
export function recalculate(loan: Loan, on: CivilDay, balance: bigint, keeping: Keeping): Loan {
  const ahead = periodsAhead(loan, on);
  const [first] = ahead;
  if (first === undefined) return loan;
  const { terms } = loan;
  const periods = loan.periods.slice();
  periods[first] = onBalance(terms, periods[first] as Period, on, balance);
  const share = keeping === 'level' ? loan.share : newShare(loan, periods, ahead, balance);
  let left = balance;
  ahead.forEach((at, nth) => {
    let period = periods[at] as Period;
    if (nth > 0) period = onBalance(terms, period, period.start, left);
    const priced = repriced(terms, period);
    // As it is charged, the floor of what was settled and waived included; what was moved in is in no level.
    const { charged, moved, tax, movedTax } = priced.interest;
    const interest = { amount: charged - moved, tax: tax - movedTax };
    const wanted = nth === ahead.length - 1 ? left : principalShare(terms.amortisation, share, interest);
    const principal = wanted < 0n ? 0n : wanted > left ? left : wanted;
    periods[at] = { ...priced, principal: principalOf(period.principal, principal), origin: 'recalculated' };
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
    return growthOver(period.rate, terms.basis, tax, period.balanceFrom, period.scheduledOn);
  });
  const first = periods[ahead[0] as number] as Period;
  const growth = growths[0] as { num: bigint; den: bigint };
  // Interest already run up falls due with the first period, so it is discounted over what remains of it.
  const runUp = first.rate * first.accruedBefore * (RATE_SCALE + tax);
  return levelPaymentOf({ num: balance * growth.num + runUp, den: growth.num }, growths);
}

/**
 * No principal is left ahead: the running period ends on the day and owes the interest accrued to it and its fee; the
 * others ahead are gone. A period settled before its day stays as it was settled; the next one ends in its stead.
 */
export function endPlan(loan: Loan, on: CivilDay): Loan {
  const running = periodsAhead(loan, on)[0];
  const periods = loan.periods.map((period, at) => {
    if (!period.alive || ended(period, on) || isSettled(period)) return period;
    const stopped = endedOn(loan, period, on);
    return at === running ? stopped : { ...stopped, alive: false };
  });
  return { ...loan, periods };
}

/** A period that charges nothing is neither settled nor owed. */
function isSettled(period: Period): boolean {
  return chargesSomething(period) && !isOwing(period);
}

function endedOn(loan: Loan, period: Period, on: CivilDay): Period {
  return {
    ...onBalance(loan.terms, period, on, 0n),
    scheduledOn: on,
    dueOn: on,
    interest: interestOn(loan, period, on),
    principal: principalOf(period.principal, 0n),
  };
}

/** Principal that has fallen due and is unpaid is taken off what the Loan owes. */
export function unwindMatured(loan: Loan, on: CivilDay): Loan {
  const periods = loan.periods.map((period) =>
    period.alive && ended(period, on) ? { ...period, principal: principalOf(period.principal, 0n) } : period,
  );
  return { ...loan, periods };
}
