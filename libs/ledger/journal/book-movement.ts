/** What one fact changes in the journal of its book: the lines it adds and those it takes back. */

import { itemAt } from '#libs/ledger/append-list.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { type Checkpoint, stateAfter } from '#libs/ledger/checkpoints.ts';
import { foldStep } from '#libs/ledger/fold.ts';
import { commonSteps } from '#libs/ledger/step-list.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { type DifferingLines, differingLines, type JournalLine } from './journal-line.ts';
import { openLines } from './open-lines.ts';
import { stepLines } from './step-lines.ts';

export type LoanMovement = {
  readonly loanId: string;
  readonly currency: string;
  readonly added: readonly JournalLine[];
  readonly takenBack: readonly JournalLine[];
};

/**
 * By Loan, in the order of recording. `after` is `before` with one more fact. Throws where the lines of either book that
 * must be compared are more than `maxLines`: each Receipt may have lines of all periods of all Loans.
 */
export function bookMovement(
  before: FoldedFacts,
  after: FoldedFacts,
  calendars: Calendars,
  maxLines = Number.POSITIVE_INFINITY,
): LoanMovement[] {
  const common = commonSteps(before.steps, after.steps);
  // Most facts come last: then this is the head of the book, and nothing is folded again.
  const state = stateAfter(before, common, calendars);
  const linesBefore = linesAfterStep(before, { at: common, state }, calendars, maxLines);
  const linesAfter = linesAfterStep(after, { at: common, state }, calendars, maxLines);
  const changed = [...after.head.loans.entries()].filter(([order, loan]) => loan !== before.head.loans[order]);
  for (const [order, loan] of changed) {
    const loanBefore = before.head.loans[order];
    if (loanBefore !== undefined) linesBefore.push(...openLines(loanBefore));
    if (loan !== undefined) linesAfter.push(...openLines(loan));
  }
  return byLoan(after, differingLines(linesBefore, linesAfter));
}

/** The lines of the steps after those of the checkpoint. */
function linesAfterStep(
  { steps }: FoldedFacts,
  from: Checkpoint,
  calendars: Calendars,
  maxLines: number,
): JournalLine[] {
  const lines: JournalLine[] = [];
  let { state } = from;
  for (let { at } = from; at < steps.length; at += 1) {
    const step = itemAt(steps, at);
    const folded = foldStep(state, step, calendars);
    lines.push(...stepLines(state, step, folded.state, folded.outcome));
    if (lines.length > maxLines) throw new Error(`more than ${maxLines} journal lines follow the day of the fact`);
    state = folded.state;
  }
  return lines;
}

function byLoan({ loans }: FoldedFacts, { added, takenBack }: DifferingLines): LoanMovement[] {
  const orders = [...new Set([...added, ...takenBack].map(({ loan }) => loan))].sort((a, b) => a - b);
  return orders.flatMap((order) => {
    const issuance = loans[order]?.issuance;
    if (issuance === undefined) return [];
    const isOfLoan = ({ loan }: JournalLine) => loan === order;
    return {
      loanId: issuance.loanId,
      currency: issuance.terms.currency,
      added: added.filter(isOfLoan),
      takenBack: takenBack.filter(isOfLoan),
    };
  });
}
