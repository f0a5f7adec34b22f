import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { chargesSomething, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';

/**
 * Notes the periods that owe nothing any more, and the day on which the Loan owes nothing and will charge nothing. A
 * remainder within the tolerance band is still owed.
 */
export function noteSettled(loan: Loan, on: CivilDay, by?: string): Loan {
  let owes = false;
  let changed = false;
  const periods = loan.periods.map((period) => {
    if (!period.alive) return period;
    if (isOwing(period)) {
      owes = true;
      return period;
    }
    if (period.settledOn !== undefined || !chargesSomething(period)) return period;
    changed = true;
    return { ...period, settledOn: on };
  });
  const noted = changed ? { ...loan, periods } : loan;
  if (owes || loan.held || loan.discharged !== undefined) return noted;
  return { ...noted, discharged: by === undefined ? { on } : { on, by } };
}

/** The rest of the debt is released: what was not settled before ends. */
export function release(loan: Loan): Loan {
  const periods = loan.periods.map(
    (period): Period => (period.settledOn === undefined ? { ...period, alive: false } : period),
  );
  return { ...loan, periods };
}
