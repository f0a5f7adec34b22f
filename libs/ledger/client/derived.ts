/** What the tables beside the facts follow of a Client's book. */

import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { dueFrom, dueSpans, haveSpansMoved } from '#libs/ledger/client/due-days.ts';
import { stateOf } from '#libs/ledger/state.ts';

export function derived(before: ClientBook, after: ClientBook): DerivedRows {
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
