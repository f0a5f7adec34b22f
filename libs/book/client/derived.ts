/** What the tables beside the facts follow of a Client's book. */
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { type Loan, periodOwes, stands } from '#libs/book/loan.ts';
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
  return { dueFrom: firstDue(is), ...(loanStates.length === 0 ? {} : { loanStates }) };
}

/** The first day on which something of the Loans as they stand has fallen due and is unpaid. */
function firstDue(loans: readonly (Loan | undefined)[]): number | null {
  let first: number | null = null;
  for (const loan of loans) {
    if (loan === undefined || !stands(loan) || loan.cession !== undefined) continue;
    for (const period of loan.periods) {
      if (periodOwes(period) > 0n && (first === null || period.dueOn < first)) first = period.dueOn;
    }
  }
  return first;
}
