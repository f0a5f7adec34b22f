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
import { debtOf, isZero, minus, NO_DEBTS, type PeriodDebts, periodDebts, periodsOf, plus } from './period-debts.ts';

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
  return changeLines(NO_DEBTS, periodDebts(loan, on), { loan: loan.order, on, fact: seq }, divideAct);
}

function loanLines(before: Loan, step: FoldStep, after: Loan, outcome: StepOutcome): JournalLine[] {
  const accrued = accrueTo(before, step.type === 'act' ? accrualDay(step.act) : step.on);
  const owed = periodDebts(accrued, accrued.day);
  const grown = grownLines(periodDebts(before, before.day), owed, { loan: before.order, accrued, from: before.day });
  const place = { loan: before.order, on: step.on, fact: step.seq };
  if (step.type === 'receipt') {
    const shares = outcome.type === 'receipt' ? outcome.allocation.shares : [];
    const share = shares.find(({ order }) => order === after.order);
    if (share === undefined) return grown;
    return [
      ...grown,
      ...changeLines(owed, periodDebts(after, step.on), place, receiptDivision(share), paidCharges(share)),
    ];
  }
  const kind = step.type === 'act' ? step.act.kind : step.type;
  // A suspension changes no debt, and the Loan is not accrued to its day.
  if (kind === 'suspended') return grown;
  if (kind === 'ceded') {
    return after.cession === undefined ? grown : [...grown, ...changeLines(owed, NO_DEBTS, place, divideCession)];
  }
  const divide = kind === 'restructured' ? divideMove : divideAct;
  return [...grown, ...changeLines(owed, periodDebts(after, step.on), place, divide)];
}

type Growth = {
  readonly loan: number;
  /** The Loan on the day to which it has grown. */
  readonly accrued: Loan;
  readonly from: CivilDay;
  /** All charges where absent. */
  readonly charges?: readonly Charge[];
};

/** What days alone charged: interest up to its period's end, a late fee when the period became late. */
export function grownLines(before: PeriodDebts, after: PeriodDebts, growth: Growth): JournalLine[] {
  const { loan, accrued, from, charges = CHARGES } = growth;
  if (accrued.day <= from) return [];
  const lines: JournalLine[] = [];
  for (const { index, scheduledOn, dueOn, lateSince } of accrued.periods) {
    if (after.get(index) === before.get(index)) continue;
    if (!after.has(index)) continue;
    for (const charge of charges) {
      const grown = minus(debtOf(after, index, charge), debtOf(before, index, charge));
      if (isZero(grown)) continue;
      let day = accrued.day;
      if (charge === 'interest' && scheduledOn < day) day = scheduledOn;
      if (charge === 'late_fee' && lateSince !== undefined) day = lateSince;
      lines.push({ loan, period: index, charge, kind: 'charged', day, dueOn, ...grown });
    }
  }
  return lines;
}

type FactPlace = { readonly loan: number; readonly on: CivilDay; readonly fact: number };

/** Divides the change of a charge into its kinds. */
type Division = (change: DividedChange, charge: Charge, periods: readonly number[]) => void;

/** `paid` are the charges that have parts although they may not change. */
function changeLines(
  before: PeriodDebts,
  after: PeriodDebts,
  place: FactPlace,
  divide: Division,
  paid: ReadonlySet<Charge> = NO_CHARGES,
): JournalLine[] {
  const { loan, on: day, fact } = place;
  const periods = periodsOf(before, after);
  const lines: JournalLine[] = [];
  for (const charge of CHARGES) {
    const changes = periods.map((period) => minus(debtOf(after, period, charge), debtOf(before, period, charge)));
    // Most facts change one or two of the charges.
    if (paid.has(charge) || !changes.every(isZero)) {
      const change = new DividedChange(periods, changes);
      divide(change, charge, periods);
      for (const { period, kind, amount, tax } of change.parts) {
        const dueOn = dueDayOf(before, after, period);
        if (dueOn === undefined) continue;
        lines.push({ loan, period, charge, kind, day, dueOn, amount, tax, fact });
      }
    }
    lines.push(...shiftedLines(before, after, place, charge));
  }
  return lines;
}

const NO_CHARGES: ReadonlySet<Charge> = new Set();

function paidCharges({ lines, early }: LoanAllocation): ReadonlySet<Charge> {
  const paid = new Set(lines.map(({ charge }) => charge));
  return early === 0n ? paid : paid.add('principal');
}

function dueDayOf(before: PeriodDebts, after: PeriodDebts, period: number): CivilDay | undefined {
  return (after.get(period) ?? before.get(period))?.dueOn;
}

/** Where a period that goes on owing falls due on another day, what it owed moves there. */
function shiftedLines(
  before: PeriodDebts,
  after: PeriodDebts,
  { loan, on: day, fact }: FactPlace,
  charge: Charge,
): JournalLine[] {
  const lines: JournalLine[] = [];
  for (const [period, { dueOn, debt }] of before) {
    const newDueOn = after.get(period)?.dueOn ?? dueOn;
    const { amount, tax } = debt[charge];
    if (newDueOn === dueOn || isZero(debt[charge])) continue;
    const moved = { loan, period, charge, kind: 'moved', day, fact } as const;
    lines.push({ ...moved, dueOn, amount: -amount, tax: -tax }, { ...moved, dueOn: newDueOn, amount, tax });
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
