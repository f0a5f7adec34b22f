/** The journal lines that days to come will add if nothing else is recorded: interest, and late fees. */

import { addDays, type CivilDay, LAST_DAY } from '#libs/calendar/civil-day.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import { isInForce, type Loan } from '#libs/ledger/loan.ts';
import type { JournalLine } from './journal-line.ts';
import { grownLines } from './step-lines.ts';

/** Each state of a Loan is compared with the one before it and with the one after it. */
const computedLines = new WeakMap<Loan, readonly JournalLine[]>();

/** Of the Loan as its last step left it. Penalty is not in them: it grows daily, and without an end. */
export function openLines(loan: Loan): readonly JournalLine[] {
  let lines = computedLines.get(loan);
  if (lines === undefined) {
    lines = computeLines(loan);
    computedLines.set(loan, lines);
  }
  return lines;
}

function computeLines(loan: Loan): JournalLine[] {
  if (!isInForce(loan) || loan.cession !== undefined) return [];
  const last = dayOfLastCharge(loan);
  // Without a late fee there is nothing but interest, for which the Loan need not be accrued.
  const accrued = loan.terms.lateFee === 0n ? { ...loan, day: last } : accrueTo(loan, last);
  return grownLines(loan, accrued, ['interest', 'late_fee']).filter(({ day }) => day <= LAST_DAY);
}

/** On this day every period has ended, and those that are not paid have become late. */
function dayOfLastCharge(loan: Loan): CivilDay {
  let last = loan.day;
  for (const { alive, settledOn, scheduledOn, dueOn } of loan.periods) {
    if (!alive || settledOn !== undefined) continue;
    if (scheduledOn > last) last = scheduledOn;
    if (dueOn > last) last = dueOn;
  }
  // The days of a suspension do not count towards lateness.
  const suspended = loan.suspensions.reduce((days, { from, to }) => days + (to - from) + 1, 0);
  return addDays(last, loan.terms.toleranceDays + suspended + 1);
}
