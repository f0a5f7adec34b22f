/** The start of a day: lateness, late fees and penalties. */
import type { Day } from './days.ts';
import {
  isInForce,
  isSettledForLateness,
  type Loan,
  lineOf,
  type Period,
  penaltyUnit,
  suspensionOn,
  unpaidPrincipal,
} from './loan.ts';
import { min } from './numbers.ts';

/** Section 3 of fold.md: the start of a day, before its acts and Receipts. What was unpaid at the end of the day before becomes late and accrues penalty. */
export function accrueDay(loan: Loan, on: Day): void {
  loan.latePeriodsAtDayStart = 0;
  if (!isInForce(loan, on) || loan.discharged !== undefined) return;
  if (loan.ceded !== undefined && on > loan.ceded.on) return;
  if (suspensionOn(loan, on) !== undefined) return;
  if (loan.confirmedOn !== undefined && on <= loan.confirmedOn) return;
  const charging = loan.writeOff === undefined || on <= loan.writeOff.on;
  for (const period of loan.periods) {
    if (!period.alive || period.dueOn >= on || isSettledForLateness(loan, period)) continue;
    period.daysPastDue += 1;
    if (charging) countDay(loan, period);
    if (period.daysPastDue <= loan.product.toleranceDays) continue;
    loan.latePeriodsAtDayStart += 1;
    if (period.lateSince === undefined) {
      period.lateSince = on;
      if (charging) period.lateFee = loan.product.lateFee;
    }
    if (charging) takePenalty(loan, period);
  }
}

/** Counts one day of penalty on what the period owed at the end of the day before. It is owed only once the period is late. */
function countDay(loan: Loan, period: Period): void {
  const { ceilingDays } = loan.product;
  if (ceilingDays !== undefined && period.daysPastDue > ceilingDays) return;
  period.pendingPenalty += penaltyBase(loan, period) * loan.penaltyRate;
}

function penaltyBase(loan: Loan, period: Period): bigint {
  const principal = unpaidPrincipal(period);
  if (loan.product.penaltyBase === 'overdue_principal') return principal;
  return principal + lineOf(loan, period, 'interest').owed.amount + lineOf(loan, period, 'fee').owed.amount;
}

/** Makes the pending penalty owed, up to the ceiling of the Loan, in the order of the periods. */
function takePenalty(loan: Loan, period: Period): void {
  const { ceilingBps } = loan.product;
  const pending = period.pendingPenalty;
  period.pendingPenalty = 0n;
  const ceiling =
    ceilingBps === undefined ? undefined : (BigInt(loan.fact.principal) * ceilingBps * penaltyUnit(loan)) / 10_000n;
  const taken = ceiling === undefined ? pending : min(pending, ceiling - loan.penaltySoFar);
  loan.penaltySoFar += taken;
  period.penalty += taken;
}
