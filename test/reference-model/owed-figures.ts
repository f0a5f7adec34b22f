/** What a Loan owes on a day: debt, overdue and late amounts. */
import type { Day } from './days.ts';
import { CHARGES, type Charge } from './input.ts';
import {
  addInto,
  isInForce,
  isLate,
  type Loan,
  owedOf,
  type PerCharge,
  type Period,
  payoffOf,
  perCharge,
  type TaxedAmount,
  total,
  zeroAmount,
} from './loan.ts';

export interface OwedAnswer {
  total: number;
  charges: { charge: Charge; amount: number; tax: number; total: number }[];
}

export function lineAnswer(charge: Charge, pair: TaxedAmount): OwedAnswer['charges'][number] {
  return { charge, amount: Number(pair.amount), tax: Number(pair.tax), total: Number(pair.amount + pair.tax) };
}

export function owedAnswer(lines: PerCharge<TaxedAmount>): OwedAnswer {
  const charges = CHARGES.filter((charge) => lines[charge].amount + lines[charge].tax > 0n).map((charge) =>
    lineAnswer(charge, lines[charge]),
  );
  return { total: Number(total(lines)), charges };
}

export const zeroLines = (): PerCharge<TaxedAmount> => perCharge(zeroAmount);

/** Whether the Loan is owed to the tenant at the end of the day. On the day of its cession it still is. */
export function isOwedToTenant(loan: Loan, on: Day): boolean {
  return isInForce(loan, on) && loan.discharged === undefined && (loan.ceded === undefined || on <= loan.ceded.on);
}

/** Before its anchor, a Loan that is not held shows what it will owe there. */
export function isBeforeAnchor(loan: Loan, on: Day): boolean {
  return on < loan.anchor && !loan.held && loan.endedAs === undefined && loan.undone === undefined;
}

export function debtOn(loan: Loan, on: Day): PerCharge<TaxedAmount> {
  if (isBeforeAnchor(loan, on)) return payoffOf(loan, loan.anchor);
  return isOwedToTenant(loan, on) ? payoffOf(loan, on) : zeroLines();
}

export function overdueOn(loan: Loan, on: Day): PerCharge<TaxedAmount> {
  if (!isOwedToTenant(loan, on)) return zeroLines();
  if (loan.fixed) return payoffOf(loan, on);
  return sumOwed(
    loan,
    loan.periods.filter((period) => period.dueOn <= on),
  );
}

export function sumOwed(loan: Loan, periods: Period[]): PerCharge<TaxedAmount> {
  const sum = zeroLines();
  for (const period of periods) addInto(sum, owedOf(loan, period));
  return sum;
}

export interface LateAnswer {
  owed: OwedAnswer;
  worst_days_past_due: number;
  periods: number;
}

export function lateAnswer(loan: Loan, on: Day): LateAnswer | undefined {
  if (!isOwedToTenant(loan, on)) return undefined;
  const late = loan.periods.filter((period) => isLate(loan, period, on));
  if (late.length === 0) return undefined;
  return {
    owed: owedAnswer(loan.fixed ? payoffOf(loan, on) : sumOwed(loan, late)),
    worst_days_past_due: Math.max(...late.map((period) => period.daysPastDue)),
    periods: late.length,
  };
}
