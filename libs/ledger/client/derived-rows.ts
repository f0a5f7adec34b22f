/**
 * The rows that are derived from a Client's book: Loan states, and the days on which something of the book is overdue,
 * by which listings find Clients. No such day is missing. Where a period ended unsettled, more days than necessary may
 * be listed.
 */

import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { hasCharges, isInForce, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';

/** Only the rows that differ from before. */
export function derivedRows(before: ClientBook, after: ClientBook): DerivedRows {
  const loansBefore = before.folded.head.loans;
  const loans = after.folded.head.loans;
  if (loansBefore === loans) return {};
  const loanStates = loans.flatMap((loan, order) => {
    const previous = loansBefore[order];
    if (loan === undefined || loan === previous) return [];
    const state = stateOf(loan);
    return previous !== undefined && stateOf(previous) === state ? [] : [{ loanId: loan.id, state }];
  });
  const haveSpansChanged = loans.some(
    (loan, order) => loan !== undefined && haveDueSpansChanged(loansBefore[order], loan),
  );
  return {
    dueFrom: dueFrom(loans),
    ...(loanStates.length === 0 ? {} : { loanStates }),
    ...(haveSpansChanged ? { dueSpans: dueSpans(loans) } : {}),
  };
}

/** First and last day, both included. */
export type DueSpan = readonly [from: number, to: number];

type Loans = readonly (Loan | undefined)[];

/** The first day from which something is due until a further fact is recorded. Null where nothing is. */
export function dueFrom(loans: Loans): number | null {
  let first: number | null = null;
  const includeDay = (day: number) => {
    if (first === null || day < first) first = day;
  };
  for (const loan of loans) {
    if (loan === undefined || !isStillOwed(loan)) continue;
    // A write-off makes the whole debt due, regardless of the plan.
    if (loan.writeOff !== undefined) includeDay(loan.writeOff.on);
    for (const period of loan.periods) if (isOwing(period)) includeDay(period.dueOn);
  }
  return first;
}

/** Past days on which something was due that is settled or ended now. In order, without adjacent or overlapping spans. */
export function dueSpans(loans: Loans): readonly DueSpan[] {
  const spans = loans.flatMap((loan) => (loan === undefined ? [] : dueSpansOf(loan)));
  return mergeSpans(spans);
}

function isStillOwed(loan: Loan): boolean {
  return isInForce(loan) && loan.cession === undefined;
}

function dueSpansOf(loan: Loan): readonly DueSpan[] {
  return loan.held || loan.voided || loan.cancelled ? [] : mergeSpans(pastSpans(loan));
}

/** Whether a fact changed the past spans of the Loan. */
export function haveDueSpansChanged(before: Loan | undefined, after: Loan): boolean {
  if (before !== undefined && keepsDueSpans(before, after)) return false;
  const spansBefore = before === undefined ? [] : dueSpansOf(before);
  const spansAfter = dueSpansOf(after);
  return (
    spansBefore.length !== spansAfter.length ||
    spansBefore.some(([from, to], at) => spansAfter[at]?.[0] !== from || spansAfter[at]?.[1] !== to)
  );
}

/**
 * A fast check without computing the spans, because most Receipts settle no whole period. Settling a period sets its
 * `settledOn`. The span of an ended period may follow the day to which the Loan is accrued, so those are excluded.
 */
function keepsDueSpans(before: Loan, after: Loan): boolean {
  if (before === after) return true;
  if (!isOwedByPlan(before) || !isOwedByPlan(after) || before.periods.length !== after.periods.length) return false;
  return after.periods.every((period, at) => {
    const previous = before.periods[at] as Period;
    // A period that still owes has no past span, and a settled one keeps its span.
    const isUnchanged = previous.dueOn === period.dueOn && previous.settledOn === period.settledOn;
    return isUnchanged && previous.alive && period.alive;
  });
}

function isOwedByPlan(loan: Loan): boolean {
  return isStillOwed(loan) && loan.writeOff === undefined;
}

function pastSpans(loan: Loan): DueSpan[] {
  const spans: DueSpan[] = [];
  const add = (from: number, to: number) => {
    if (from <= to) spans.push([from, to]);
  };
  const last = lastClaimableDay(loan);
  for (const period of loan.periods) {
    if (!hasCharges(period)) continue;
    const to = lastOwingDay(loan, period, last);
    if (to !== undefined) add(period.dueOn, to);
  }
  if (loan.writeOff !== undefined && last !== undefined) add(loan.writeOff.on, last);
  return spans;
}

/** The last day on which the Loan could be claimed. Undefined while it still can. */
function lastClaimableDay(loan: Loan): number | undefined {
  if (isStillOwed(loan)) return undefined;
  const ends = [loan.discharged, loan.undone].flatMap((end) => (end === undefined ? [] : [end.on - 1]));
  // On the day of its cession the Loan can still be claimed.
  if (loan.cession !== undefined) ends.push(loan.cession.on);
  return Math.min(...ends);
}

/** The last day on which the period owed something. Undefined while it still does. */
function lastOwingDay(loan: Loan, period: Period, last: number | undefined): number | undefined {
  if (isOwing(period)) return last;
  const settled = period.settledOn;
  // An ended period does not store its last day. It is not after the day to which the Loan is accrued.
  return settled === undefined ? loan.day : settled - 1;
}

function mergeSpans(spans: readonly DueSpan[]): readonly DueSpan[] {
  if (spans.length < 2) return spans;
  const ordered = spans.slice().sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [from, to] of ordered) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
