import type { Day } from './days.ts';
import { CHARGES, type Charge } from './input.ts';
import {
  addInto,
  isLate,
  type Loan,
  noPair,
  owedOf,
  type Pair,
  type PerCharge,
  type Period,
  payoffOf,
  perCharge,
  stands,
  total,
} from './loan.ts';

export interface OwedAnswer {
  total: number;
  charges: { charge: Charge; amount: number; tax: number; total: number }[];
}

export function lineAnswer(charge: Charge, pair: Pair): OwedAnswer['charges'][number] {
  return { charge, amount: Number(pair.amount), tax: Number(pair.tax), total: Number(pair.amount + pair.tax) };
}

export function owedAnswer(lines: PerCharge<Pair>): OwedAnswer {
  const charges = CHARGES.filter((charge) => lines[charge].amount + lines[charge].tax > 0n).map((charge) =>
    lineAnswer(charge, lines[charge]),
  );
  return { total: Number(total(lines)), charges };
}

export const nothing = (): PerCharge<Pair> => perCharge(noPair);

/** Whether the Loan owes the tenant anything on the day, read at its end. On the day of a cession it is still quoted. */
export function isQuoted(loan: Loan, on: Day): boolean {
  return stands(loan, on) && loan.discharged === undefined && (loan.ceded === undefined || on <= loan.ceded.on);
}

/** Before its anchor a Loan that was never held shows what it will owe there. */
export function isAwaited(loan: Loan, on: Day): boolean {
  return on < loan.anchor && !loan.held && loan.gone === undefined && loan.undone === undefined;
}

export function debtOn(loan: Loan, on: Day): PerCharge<Pair> {
  if (isAwaited(loan, on)) return payoffOf(loan, loan.anchor);
  return isQuoted(loan, on) ? payoffOf(loan, on) : nothing();
}

export function overdueOn(loan: Loan, on: Day): PerCharge<Pair> {
  if (!isQuoted(loan, on)) return nothing();
  if (loan.fixed) return payoffOf(loan, on);
  return sumOwed(
    loan,
    loan.periods.filter((period) => period.dueOn <= on),
  );
}

export function sumOwed(loan: Loan, periods: Period[]): PerCharge<Pair> {
  const sum = nothing();
  for (const period of periods) addInto(sum, owedOf(loan, period));
  return sum;
}

export interface LateAnswer {
  owed: OwedAnswer;
  worst_days_past_due: number;
  periods: number;
}

export function lateAnswer(loan: Loan, on: Day): LateAnswer | undefined {
  if (!isQuoted(loan, on)) return undefined;
  const late = loan.periods.filter((period) => isLate(loan, period, on));
  if (late.length === 0) return undefined;
  return {
    owed: owedAnswer(loan.fixed ? payoffOf(loan, on) : sumOwed(loan, late)),
    worst_days_past_due: Math.max(...late.map((period) => period.daysPastDue)),
    periods: late.length,
  };
}
