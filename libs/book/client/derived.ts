/** What the tables beside the facts follow of a Client's book. */
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { dueFrom, dueSpans, spansOf } from '#libs/book/client/due-days.ts';
import type { Loan } from '#libs/book/loan.ts';
import { stateOf } from '#libs/book/state.ts';
import type { Derived } from '#libs/turn/book-kind.ts';

export function derived(before: ClientBook, after: ClientBook): Derived {
  const was = before.folded.head.loans;
  const is = after.folded.head.loans;
  if (was === is) return {};
  const loanStates = is.flatMap((loan, order) => {
    const earlier = was[order];
    if (loan === undefined || loan === earlier) return [];
    const state = stateOf(loan);
    return earlier !== undefined && stateOf(earlier) === state ? [] : [{ loanId: loan.id, state }];
  });
  const hasMoved = is.some((loan, order) => loan !== undefined && haveSpansMoved(was[order], loan));
  return {
    dueFrom: dueFrom(is),
    ...(loanStates.length === 0 ? {} : { loanStates }),
    ...(hasMoved ? { dueSpans: dueSpans(is) } : {}),
  };
}

function haveSpansMoved(before: Loan | undefined, after: Loan): boolean {
  if (before === after) return false;
  const [was, is] = [before === undefined ? [] : spansOf(before), spansOf(after)];
  return was.length !== is.length || was.some(([from, to], at) => is[at]?.[0] !== from || is[at]?.[1] !== to);
}
