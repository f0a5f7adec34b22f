import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { daysPastDue, isLate } from '#libs/ledger/charges/accrue-to.ts';
import { payoff, sumOf, wholeDebt } from '#libs/ledger/charges/debt.ts';
import { debtIsFixed, type Loan } from '#libs/ledger/loan.ts';

export type Late = { readonly owed: Owed; readonly worst_days_past_due: number; readonly periods: number };

/** Present exactly where the Loan is late: what its late periods owe, or everything once the debt is fixed. */
export function lateness(loan: Loan, on: CivilDay): Late | undefined {
  const late = loan.periods.filter((period) => isLate(loan, period, on));
  if (late.length === 0) return undefined;
  const debt = debtIsFixed(loan) ? payoff(loan, on) : sumOf(late.map(wholeDebt));
  return {
    owed: owedFigure(debt, loan.terms.currency),
    worst_days_past_due: late.reduce((worst, period) => Math.max(worst, daysPastDue(loan, period, on)), 0),
    periods: late.length,
  };
}
