/** What a Loan owes on a day, by period: the balances of which the journal holds the changes. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { NO_DEBT, periodDebtOn } from '#libs/ledger/charges/debt.ts';
import { type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { type Debt, hasEnded, isInForce, type Loan, type Period } from '#libs/ledger/loan.ts';
import type { Charge, LoanTerms } from '#libs/product/terms.ts';

type PeriodDebt = { readonly dueOn: CivilDay; readonly lateSince: CivilDay | undefined; readonly debt: Debt };

/** By period index. Periods that owe nothing are left out. */
export type PeriodDebts = ReadonlyMap<number, PeriodDebt>;

export const NO_DEBTS: PeriodDebts = new Map();

/** Of a Loan on its own day: each state is compared with the one before it and with the one after it. */
const computedDebts = new WeakMap<Loan, PeriodDebts>();

/** The Loan must be accrued to the day, and not be ceded. */
export function periodDebts(loan: Loan, on: CivilDay): PeriodDebts {
  if (on !== loan.day) return computeDebts(loan, on);
  let debts = computedDebts.get(loan);
  if (debts === undefined) {
    debts = computeDebts(loan, on);
    computedDebts.set(loan, debts);
  }
  return debts;
}

function computeDebts(loan: Loan, on: CivilDay): PeriodDebts {
  if (!isInForce(loan)) return NO_DEBTS;
  const debts = new Map<number, PeriodDebt>();
  for (const period of loan.periods) {
    const owed = debtOn(loan, period, on);
    if (owed.debt !== NO_DEBT) debts.set(period.index, owed);
  }
  return debts;
}

type DayIndependentDebts = { readonly terms: LoanTerms; ended?: PeriodDebt; unbegun?: PeriodDebt };

/** Of periods whose interest does not grow on the day: most of them, and a Receipt changes one or two of these. */
const dayIndependentDebts = new WeakMap<Period, DayIndependentDebts>();

function debtOn(loan: Loan, period: Period, on: CivilDay): PeriodDebt {
  const isEnded = hasEnded(period, on);
  if (!isEnded && on > period.balanceFrom) return computeDebt(loan, period, on);
  let known = dayIndependentDebts.get(period);
  if (known?.terms !== loan.terms) {
    known = { terms: loan.terms };
    dayIndependentDebts.set(period, known);
  }
  const state = isEnded ? 'ended' : 'unbegun';
  known[state] ??= computeDebt(loan, period, on);
  return known[state];
}

function computeDebt(loan: Loan, period: Period, on: CivilDay): PeriodDebt {
  return { dueOn: period.dueOn, lateSince: period.lateSince, debt: periodDebtOn(loan, period, on) };
}

export function debtOf(debts: PeriodDebts, period: number, charge: Charge): Taxed {
  return debts.get(period)?.debt[charge] ?? ZERO_TAXED;
}

/** All periods that owe something before or after, in the order of their indexes. */
export function periodsOf(before: PeriodDebts, after: PeriodDebts): number[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
}

export function plus(a: Taxed, b: Taxed): Taxed {
  if (b === ZERO_TAXED) return a;
  return a === ZERO_TAXED ? b : { amount: a.amount + b.amount, tax: a.tax + b.tax };
}

export function minus(a: Taxed, b: Taxed): Taxed {
  if (a === b) return ZERO_TAXED;
  return b === ZERO_TAXED ? a : { amount: a.amount - b.amount, tax: a.tax - b.tax };
}

export function isZero(taxed: Taxed): boolean {
  return taxed === ZERO_TAXED || (taxed.amount === 0n && taxed.tax === 0n);
}
