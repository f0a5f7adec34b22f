/** How what a Loan owes changes, by period: the balances of which the journal holds the changes. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { periodDebtOn } from '#libs/ledger/charges/debt.ts';
import { type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { type Debt, hasEnded, isInForce, type Loan, type Period } from '#libs/ledger/loan.ts';
import type { Charge } from '#libs/product/terms.ts';

/** What a Loan owes on a day, to which it is accrued. It must not be ceded. */
export type DatedLoan = { readonly loan: Loan; readonly on: CivilDay };

export type PeriodDebt = { readonly debt: Debt; readonly of: Period };

/** Absent on the side on which the period owes nothing. */
export type DebtChange = { readonly period: number; readonly before?: PeriodDebt; readonly after?: PeriodDebt };

/**
 * The periods that may owe something else afterwards, in the order of their indexes; most facts change one or two. The last
 * one that owes anything is always among them: it takes what no other one can.
 */
export function debtChanges(before: DatedLoan | undefined, after: DatedLoan | undefined): DebtChange[] {
  const changes: DebtChange[] = [];
  let isLast = true;
  for (const { period, was, is } of pairsOf(owingPeriods(before), owingPeriods(after)).reverse()) {
    if (!isLast && isUnchanged(was, before, is, after)) continue;
    isLast = false;
    changes.push({
      period,
      ...(was === undefined || before === undefined ? {} : { before: debtOn(before, was) }),
      ...(is === undefined || after === undefined ? {} : { after: debtOn(after, is) }),
    });
  }
  return changes.reverse();
}

function owingPeriods(dated: DatedLoan | undefined): readonly Period[] {
  if (dated === undefined || !isInForce(dated.loan)) return [];
  return dated.loan.periods.filter(({ alive, settledOn }) => alive && settledOn === undefined);
}

type Pair = { readonly period: number; readonly was: Period | undefined; readonly is: Period | undefined };

/** By index, in ascending order, as both lists are. */
function pairsOf(before: readonly Period[], after: readonly Period[]): Pair[] {
  const pairs: Pair[] = [];
  for (let [at, next] = [0, 0]; ; ) {
    const [earlier, later] = [before[at], after[next]];
    if (earlier === undefined && later === undefined) return pairs;
    const period = Math.min(earlier?.index ?? Number.POSITIVE_INFINITY, later?.index ?? Number.POSITIVE_INFINITY);
    const was = earlier?.index === period ? earlier : undefined;
    const is = later?.index === period ? later : undefined;
    pairs.push({ period, was, is });
    if (was !== undefined) at += 1;
    if (is !== undefined) next += 1;
  }
}

/** What a period owes depends on its Loan by the terms alone, and on the day only while its interest grows. */
function isUnchanged(
  was: Period | undefined,
  before: DatedLoan | undefined,
  is: Period | undefined,
  after: DatedLoan | undefined,
): boolean {
  if (was !== is || was === undefined || before === undefined || after === undefined) return false;
  if (before.loan.terms !== after.loan.terms) return false;
  if (before.on === after.on) return true;
  const growth = growthOn(was, before.on);
  return growth !== 'running' && growth === growthOn(was, after.on);
}

function growthOn(period: Period, on: CivilDay): 'ended' | 'running' | 'unbegun' {
  if (hasEnded(period, on)) return 'ended';
  return on > period.balanceFrom ? 'running' : 'unbegun';
}

function debtOn({ loan, on }: DatedLoan, period: Period): PeriodDebt {
  return { debt: periodDebtOn(loan, period, on), of: period };
}

export function debtOf(debt: PeriodDebt | undefined, charge: Charge): Taxed {
  return debt?.debt[charge] ?? ZERO_TAXED;
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
