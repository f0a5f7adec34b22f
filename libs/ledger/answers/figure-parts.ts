/** The parts that the periods of a Loan have in its figures on a day. A figure is the sum of its parts. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { hasStarted, isClaimable, isReachable } from '#libs/ledger/answers/book-on-day.ts';
import { NO_DEBT, payoffByPeriod, periodDebt, quotedPayoffByPeriod } from '#libs/ledger/charges/debt.ts';
import { isLate } from '#libs/ledger/charges/lateness.ts';
import { type Debt, hasFallenDue, isDebtFixed, type Loan, type Period } from '#libs/ledger/loan.ts';

/** One for each period of the Loan, in the same order. */
export type DebtParts = readonly Debt[];

/** What has fallen due. Once the debt is fixed, all of it is overdue. */
export function overdueParts(loan: Loan, on: CivilDay): DebtParts {
  if (!isReachable(loan, on)) return noParts(loan);
  if (isDebtFixed(loan)) return payoffByPeriod(loan, on);
  return loan.periods.map((period) => (hasFallenDue(period, on) ? periodDebt(period) : NO_DEBT));
}

export function latePeriods(loan: Loan, on: CivilDay): readonly Period[] {
  return isReachable(loan, on) ? loan.periods.filter((period) => isLate(loan, period, on)) : [];
}

/** A late Loan owes its late periods, or everything once its debt is fixed. */
export function lateParts(loan: Loan, on: CivilDay): DebtParts {
  const late = new Set(latePeriods(loan, on));
  if (late.size === 0) return noParts(loan);
  if (isDebtFixed(loan)) return payoffByPeriod(loan, on);
  return loan.periods.map((period) => (late.has(period) ? periodDebt(period) : NO_DEBT));
}

/** As the payoff is quoted. Before its anchor a Loan is paid off as on its anchor. */
export function payoffParts(loan: Loan, on: CivilDay): DebtParts {
  if (!isClaimable(loan, on)) return noParts(loan);
  return quotedPayoffByPeriod(loan, hasStarted(loan, on) ? on : loan.terms.anchor);
}

function noParts(loan: Loan): DebtParts {
  return loan.periods.map(() => NO_DEBT);
}
