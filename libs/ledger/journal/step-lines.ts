/** The journal lines of one step of the fold: what days charged until then, and what the fact changed. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import type { BookState, StepOutcome } from '#libs/ledger/fold.ts';
import { accrualDay } from '#libs/ledger/fold-act.ts';
import { type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { LoanAllocation } from '#libs/ledger/receipts/allocation.ts';
import type { FoldStep } from '#libs/ledger/steps.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import { DividedChange } from './divided-change.ts';
import type { JournalLine } from './journal-line.ts';
import { type DebtChange, debtChanges, debtOf, isZero, minus, plus } from './period-debts.ts';

export function stepLines(before: BookState, step: FoldStep, after: BookState, outcome: StepOutcome): JournalLine[] {
  const lines: JournalLine[] = [];
  for (const [order, loan] of after.loans.entries()) {
    const loanBefore = before.loans[order];
    if (loan === undefined || loan === loanBefore) continue;
    // The lines of a ceded Loan are complete.
    if (loanBefore?.cession !== undefined) continue;
    lines.push(...(loanBefore === undefined ? startLines(loan, step) : loanLines(loanBefore, step, loan, outcome)));
  }
  return lines;
}

function startLines(loan: Loan, { on, seq }: FoldStep): JournalLine[] {
  return changeLines(debtChanges(undefined, { loan, on }), { loan: loan.order, on, fact: seq }, divideAct);
}

function loanLines(before: Loan, step: FoldStep, after: Loan, outcome: StepOutcome): JournalLine[] {
  const accrued = accrueTo(before, step.type === 'act' ? accrualDay(step.act) : step.on);
  const owed = { loan: accrued, on: accrued.day };
  const grown = grownLines(before, accrued);
  const place = { loan: before.order, on: step.on, fact: step.seq };
  if (step.type === 'receipt') {
    const shares = outcome.type === 'receipt' ? outcome.allocation.shares : [];
    const share = shares.find(({ order }) => order === after.order);
    if (share === undefined) return grown;
    return [
      ...grown,
      ...changeLines(
        debtChanges(owed, { loan: after, on: step.on }),
        place,
        receiptDivision(share),
        paidCharges(share),
      ),
    ];
  }
  const kind = step.type === 'act' ? step.act.kind : step.type;
  // A suspension changes no debt, and the Loan is not accrued to its day.
  if (kind === 'suspended') return grown;
  if (kind === 'ceded') {
    if (after.cession === undefined) return grown;
    return [...grown, ...changeLines(debtChanges(owed, undefined), place, divideCession)];
  }
  const divide = kind === 'restructured' ? divideMove : divideAct;
  return [...grown, ...changeLines(debtChanges(owed, { loan: after, on: step.on }), place, divide)];
}

/** What days alone charged: interest up to its period's end, a late fee when the period became late. */
export function grownLines(before: Loan, accrued: Loan, charges: readonly Charge[] = CHARGES): JournalLine[] {
  if (accrued.day <= before.day) return [];
  const lines: JournalLine[] = [];
  const changes = debtChanges({ loan: before, on: before.day }, { loan: accrued, on: accrued.day });
  for (const { period, before: owed, after } of changes) {
    if (after === undefined) continue;
    const { scheduledOn, dueOn, lateSince } = after.of;
    for (const charge of charges) {
      const grown = minus(debtOf(after, charge), debtOf(owed, charge));
      if (isZero(grown)) continue;
      let day = accrued.day;
      if (charge === 'interest' && scheduledOn < day) day = scheduledOn;
      if (charge === 'late_fee' && lateSince !== undefined) day = lateSince;
      lines.push({ loan: before.order, period, charge, kind: 'charged', day, dueOn, ...grown });
    }
  }
  return lines;
}

type FactPlace = { readonly loan: number; readonly on: CivilDay; readonly fact: number };

/** Divides the change of a charge into its kinds. */
type Division = (change: DividedChange, charge: Charge, periods: readonly number[]) => void;

/** `paid` are the charges that have parts although they may not change. */
function changeLines(
  changes: readonly DebtChange[],
  place: FactPlace,
  divide: Division,
  paid: ReadonlySet<Charge> = NO_CHARGES,
): JournalLine[] {
  const { loan, on: day, fact } = place;
  const periods = changes.map(({ period }) => period);
  const lines: JournalLine[] = [];
  for (const charge of CHARGES) {
    const amounts = changes.map(({ before, after }) => minus(debtOf(after, charge), debtOf(before, charge)));
    // Most facts change one or two of the charges.
    if (paid.has(charge) || !amounts.every(isZero)) {
      const divided = new DividedChange(periods, amounts);
      divide(divided, charge, periods);
      for (const { period, kind, amount, tax } of divided.parts) {
        const change = changes.find((each) => each.period === period);
        const dueOn = (change?.after ?? change?.before)?.of.dueOn;
        if (dueOn === undefined) continue;
        lines.push({ loan, period, charge, kind, day, dueOn, amount, tax, fact });
      }
    }
    lines.push(...shiftedLines(changes, place, charge));
  }
  return lines;
}

const NO_CHARGES: ReadonlySet<Charge> = new Set();

function paidCharges({ lines, early }: LoanAllocation): ReadonlySet<Charge> {
  const paid = new Set(lines.map(({ charge }) => charge));
  return early === 0n ? paid : paid.add('principal');
}

/** Where a period that goes on owing falls due on another day, what it owed moves there. */
function shiftedLines(
  changes: readonly DebtChange[],
  { loan, on: day, fact }: FactPlace,
  charge: Charge,
): JournalLine[] {
  const lines: JournalLine[] = [];
  for (const { period, before, after } of changes) {
    if (before === undefined || after === undefined || before.of.dueOn === after.of.dueOn) continue;
    const { amount, tax } = debtOf(before, charge);
    if (isZero({ amount, tax })) continue;
    const moved = { loan, period, charge, kind: 'moved', day, fact } as const;
    lines.push({ ...moved, dueOn: before.of.dueOn, amount: -amount, tax: -tax });
    lines.push({ ...moved, dueOn: after.of.dueOn, amount, tax });
  }
  return lines;
}

/** An act charges or releases a charge as a whole. Apart from that it only moves it between periods. */
const divideAct: Division = (change) => {
  const { total } = change;
  change.spread(total.amount + total.tax > 0n ? 'charged' : 'released', total);
  change.moveRest();
};

const divideMove: Division = (change) => change.moveRest();

const divideCession: Division = (change, _charge, periods) => {
  for (const period of periods) change.add('ceded', period, change.restOf(period));
};

/** A Receipt receives what its allocation says, charges interest that it settles early, and may release the rest. */
function receiptDivision({ lines, early }: LoanAllocation): Division {
  return (change, charge, periods) => {
    for (const period of periods) {
      const received = sumOf(lines.filter((line) => line.period === period && line.charge === charge));
      change.add('received', period, minus(ZERO_TAXED, received));
      const unexplained = change.restOf(period);
      const isEarlyInterest = charge === 'interest' && unexplained.amount + unexplained.tax > 0n;
      if (isEarlyInterest) change.add('charged', period, unexplained);
    }
    // Principal paid ahead is on no line of the allocation.
    if (charge === 'principal') change.spread('received', { amount: -early, tax: 0n });
    change.spread('released', change.total);
    change.moveRest();
  };
}

function sumOf(lines: readonly Taxed[]): Taxed {
  return lines.reduce<Taxed>(plus, ZERO_TAXED);
}
