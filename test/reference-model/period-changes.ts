/** Changes of the plan: recalculation, its end, and calling the debt. */
import type { Day } from './days.ts';
import { CHARGES, type Charge } from './input.ts';
import {
  accrued,
  addInto,
  chargesAnything,
  exactOverSegments,
  highestIndex,
  type Loan,
  newPeriod,
  owedOf,
  type PerCharge,
  type Period,
  perCharge,
  type TaxedAmount,
  unpaid,
  unpaidPrincipal,
  zeroAmount,
} from './loan.ts';
import { applyRate, levelAmount, max, min, round, sum } from './numbers.ts';
import { divisionOf, exactInterest, factorsOf, loadingOf, unboundedPrincipal } from './plan.ts';

/** Periods that have not ended by `on` and are not settled. */
export function periodsAhead(loan: Loan, on: Day): Period[] {
  return loan.periods.filter((period) => period.alive && period.scheduledOn > on && !isSettled(loan, period));
}

/** Whether the period charged something and owes nothing. */
export function isSettled(loan: Loan, period: Period): boolean {
  return unpaid(loan, period) === 0n && chargesAnything(loan, period);
}

export function principalAhead(loan: Loan, on: Day): bigint {
  return sum(periodsAhead(loan, on).map(unpaidPrincipal));
}

export function principalFallenDue(loan: Loan, on: Day): bigint {
  return sum(loan.periods.filter((period) => period.alive && period.scheduledOn <= on).map(unpaidPrincipal));
}

/** Computes interest on `balance` from `on`: money received on a day stops interest from that day. */
export function changeBalance(period: Period, on: Day, balance: bigint): void {
  const from = Math.max(on, period.from);
  period.segments = [...period.segments.filter((segment) => segment.from < from), { from, balance }];
}

export function recomputeInterest(loan: Loan, period: Period): void {
  const exact = exactOverSegments(loan, period, period.scheduledOn);
  period.interest = round(exact.n, exact.d);
}

/** Section 6 of fold.md: distributes the remaining principal `balance` over the periods left. With `keepsTerm` false (shortens_term) the amount stays. */
export function recalculate(loan: Loan, on: Day, balance: bigint, keepsTerm: boolean): void {
  const left = periodsAhead(loan, on).filter((period) => chargesAnything(loan, period));
  const first = left[0];
  if (first === undefined) return;
  if (keepsTerm) recomputeShares(loan, on, balance, left);
  const amount = loan.product.amortisation === 'equal_principal' ? loan.equalShare : loan.level;
  const division = divisionOf(loan.product.amortisation, amount, loan.taxRates.interest);
  let remaining = balance;
  left.forEach((period, k) => {
    if (period === first) changeBalance(period, on, remaining);
    else period.segments = [{ from: period.from, balance: remaining }];
    recomputeInterest(loan, period);
    const wanted = unboundedPrincipal(division, ...ownInterest(loan, period));
    const principal = k === left.length - 1 ? remaining : max(0n, min(wanted, remaining));
    period.principal = period.settled.principal.amount + principal;
    period.origin = 'recalculated';
    remaining -= principal;
  });
}

/** Interest and tax that the recalculated period charges: at least what was settled and waived, without moved interest. */
function ownInterest(loan: Loan, period: Period): [bigint, bigint] {
  const settled = period.settled.interest;
  const moved = period.moved.interest;
  return [
    max(period.interest, settled.amount + period.waived.interest - moved.amount),
    max(applyRate(period.interest, loan.taxRates.interest), settled.tax - moved.tax),
  ];
}

function recomputeShares(loan: Loan, on: Day, balance: bigint, left: Period[]): void {
  const { product } = loan;
  const first = left[0] as Period;
  if (product.amortisation === 'equal_principal') {
    loan.equalShare = balance / BigInt(left.length);
    return;
  }
  const start = Math.max(on, first.from);
  const carried = exactOverSegments(loan, first, start);
  const days = [start, ...left.map((period) => period.scheduledOn)];
  const factors = factorsOf(product, loan.rate, days);
  // Periods that charge nothing still have days: each factor runs from the scheduled day before its own period.
  left.forEach((period, k) => {
    if (k > 0) factors[k] = exactInterest(product, loan.rate, 1n, period.from, period.scheduledOn);
  });
  loan.level = levelAmount(balance, carried, factors, loadingOf(product.amortisation, loan.taxRates.interest));
}

/** Ends the plan when no principal is left: the running period ends on `on` with its accrued interest, later ones charge nothing. */
export function endPlan(loan: Loan, on: Day): Period | undefined {
  const rest = periodsAhead(loan, on);
  const running = rest.find((period) => unpaid(loan, period) > 0n);
  for (const period of rest) {
    const interest = period === running ? accrued(loan, period, on) : 0n;
    period.principal = period.settled.principal.amount;
    period.segments = period.segments.filter((segment) => segment.from < on);
    period.interest = interest;
    period.scheduledOn = on;
    period.dueOn = on;
    if (period !== running) period.alive = false;
  }
  return running;
}

/** Acceleration and write-off: everything due after `on` falls due on `on` in one called period. */
export function callDebt(loan: Loan, on: Day): void {
  const called = loan.periods.filter((period) => period.alive && period.dueOn > on && unpaid(loan, period) > 0n);
  const sumOfLines = perCharge(zeroAmount);
  for (const period of called) {
    addInto(sumOfLines, owedOf(loan, period, on));
    period.alive = false;
  }
  loan.fixed = true;
  if (CHARGES.every((charge) => sumOfLines[charge].amount + sumOfLines[charge].tax === 0n)) return;
  loan.periods.push(calledPeriod(loan, on, sumOfLines));
}

function calledPeriod(loan: Loan, on: Day, lines: PerCharge<TaxedAmount>): Period {
  const period = newPeriod({
    index: highestIndex(loan) + 1,
    origin: 'called',
    from: on,
    scheduledOn: on,
    dueOn: on,
    actionableFrom: on + 1,
    rate: loan.rate,
  });
  period.principal = lines.principal.amount;
  for (const charge of CHARGES) if (charge !== 'principal') period.moved[charge] = lines[charge];
  return period;
}

/** After every step: marks settled periods, and discharges a Loan that owes nothing. */
export function markSettled(loan: Loan, on: Day, byReceipt: boolean): void {
  let owes = false;
  for (const period of loan.periods) {
    if (!period.alive) continue;
    if (unpaid(loan, period) > 0n) owes = true;
    else if (chargesAnything(loan, period)) period.settledOn ??= on;
  }
  if (!owes) loan.discharged ??= { on, byReceipt };
}

export function amountWithTax(pair: TaxedAmount): bigint {
  return pair.amount + pair.tax;
}

export function settleLine(period: Period, charge: Charge, paid: TaxedAmount): void {
  const before = period.settled[charge];
  period.settled[charge] = { amount: before.amount + paid.amount, tax: before.tax + paid.tax };
}
