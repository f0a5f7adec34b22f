/**
 * On which days something of a book may have fallen due and be unpaid, by all that is recorded: what an index finds the
 * Clients of a day by. Never a day too few; where a period was ended rather than settled, some days too many.
 */
import { chargesSomething, isOwing, type Loan, type Period, stands } from '#libs/ledger/loan.ts';

/** First and last day, both within. */
export type Span = readonly [from: number, to: number];

type Loans = readonly (Loan | undefined)[];

/** The first day from which something is due for as long as nothing more is recorded; null where nothing is. */
export function dueFrom(loans: Loans): number | null {
  let first: number | null = null;
  const note = (day: number) => {
    if (first === null || day < first) first = day;
  };
  for (const loan of loans) {
    if (loan === undefined || !isOpen(loan)) continue;
    // Written off, the whole debt is due, whatever its plan said.
    if (loan.writeOff !== undefined) note(loan.writeOff.on);
    for (const period of loan.periods) if (isOwing(period)) note(period.dueOn);
  }
  return first;
}

/** The days before, of what has been settled or ended since; in order, none touching another. */
export function dueSpans(loans: Loans): readonly Span[] {
  const spans = loans.flatMap((loan) => (loan === undefined ? [] : spansOf(loan)));
  return merged(spans);
}

/** Asks for something on every day to come. */
function isOpen(loan: Loan): boolean {
  return stands(loan) && loan.cession === undefined;
}

function spansOf(loan: Loan): readonly Span[] {
  return loan.held || loan.voided || loan.cancelled ? [] : merged(pastOf(loan));
}

/** Whether the days before are others than they were. */
export function haveSpansMoved(before: Loan | undefined, after: Loan): boolean {
  if (before !== undefined && keepsItsSpans(before, after)) return false;
  const [was, is] = [before === undefined ? [] : spansOf(before), spansOf(after)];
  return was.length !== is.length || was.some(([from, to], at) => is[at]?.[0] !== from || is[at]?.[1] !== to);
}

/**
 * Seen without asking for them: most Receipts settle nothing whole. Whatever settles a period notes the day on it
 * (`noteSettled`), and a period that is not alive may follow the last day its Loan was opened to.
 */
function keepsItsSpans(before: Loan, after: Loan): boolean {
  if (before === after) return true;
  if (!isPlainlyOpen(before) || !isPlainlyOpen(after) || before.periods.length !== after.periods.length) return false;
  return after.periods.every((is, at) => {
    const was = before.periods[at] as Period;
    // Of a period that goes on owing no day is past; one that was settled keeps its days.
    return was.dueOn === is.dueOn && was.settledOn === is.settledOn && was.alive && is.alive;
  });
}

function isPlainlyOpen(loan: Loan): boolean {
  return isOpen(loan) && loan.writeOff === undefined;
}

function pastOf(loan: Loan): Span[] {
  const spans: Span[] = [];
  const add = (from: number, to: number) => {
    if (from <= to) spans.push([from, to]);
  };
  const last = lastAsked(loan);
  for (const period of loan.periods) {
    if (!chargesSomething(period)) continue;
    const to = lastOwing(loan, period, last);
    if (to !== undefined) add(period.dueOn, to);
  }
  if (loan.writeOff !== undefined && last !== undefined) add(loan.writeOff.on, last);
  return spans;
}

/** The last day on which the Loan asked for anything; undefined while it goes on asking. */
function lastAsked(loan: Loan): number | undefined {
  if (isOpen(loan)) return undefined;
  const ends = [loan.discharged, loan.undone].flatMap((end) => (end === undefined ? [] : [end.on - 1]));
  // On the day of its cession it still asks.
  if (loan.cession !== undefined) ends.push(loan.cession.on);
  return Math.min(...ends);
}

/** The last day on which the period owed something; undefined while it goes on owing. */
function lastOwing(loan: Loan, period: Period, last: number | undefined): number | undefined {
  if (isOwing(period)) return last;
  const settled = period.settledOn;
  // A period that was ended says not when: not after the last day that the Loan was opened to.
  return settled === undefined ? loan.day : settled - 1;
}

function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const ordered = spans.slice().sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of ordered) {
    const before = joined.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
