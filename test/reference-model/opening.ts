import type { Day } from './days.ts';
import {
  isSettledForLateness,
  type Loan,
  lineOf,
  type Period,
  penaltyUnit,
  stands,
  suspensionOn,
  unpaidPrincipal,
} from './loan.ts';
import { min } from './numbers.ts';

/** fold.md 3: a day opens before its acts and Receipts. What was unpaid at the end of the day before becomes late, and grows penalty. */
export function openDay(loan: Loan, on: Day): void {
  loan.lateAsDayOpened = 0;
  if (!stands(loan, on) || loan.discharged !== undefined) return;
  if (loan.ceded !== undefined && on > loan.ceded.on) return;
  if (suspensionOn(loan, on) !== undefined) return;
  if (loan.confirmedOn !== undefined && on <= loan.confirmedOn) return;
  const charging = loan.writeOff === undefined || on <= loan.writeOff.on;
  for (const period of loan.periods) {
    if (!period.alive || period.dueOn >= on || isSettledForLateness(loan, period)) continue;
    period.daysPastDue += 1;
    if (charging) countDay(loan, period);
    if (period.daysPastDue <= loan.frame.toleranceDays) continue;
    loan.lateAsDayOpened += 1;
    if (period.lateSince === undefined) {
      period.lateSince = on;
      if (charging) period.lateFee = loan.frame.lateFee;
    }
    if (charging) takePenalty(loan, period);
  }
}

/** One running day of penalty on what the period still owed at the end of the day before: owed only once it is late. */
function countDay(loan: Loan, period: Period): void {
  const { ceilingDays } = loan.frame;
  if (ceilingDays !== undefined && period.daysPastDue > ceilingDays) return;
  period.pendingPenalty += penaltyBase(loan, period) * loan.penaltyRate;
}

function penaltyBase(loan: Loan, period: Period): bigint {
  const principal = unpaidPrincipal(period);
  if (loan.frame.penaltyBase === 'overdue_principal') return principal;
  return principal + lineOf(loan, period, 'interest').owed.amount + lineOf(loan, period, 'fee').owed.amount;
}

/** Moves what is pending into what is owed, within what the Loan's ceiling leaves; the periods come in index order. */
function takePenalty(loan: Loan, period: Period): void {
  const { ceilingBps } = loan.frame;
  const pending = period.pendingPenalty;
  period.pendingPenalty = 0n;
  const ceiling =
    ceilingBps === undefined ? undefined : (BigInt(loan.fact.principal) * ceilingBps * penaltyUnit(loan)) / 10_000n;
  const taken = ceiling === undefined ? pending : min(pending, ceiling - loan.penaltySoFar);
  loan.penaltySoFar += taken;
  period.penalty += taken;
}
