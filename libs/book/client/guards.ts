import { money } from '#libs/book/answers/figures.ts';
import { asks, momentOf } from '#libs/book/answers/moment.ts';
import type { Calendars } from '#libs/book/calendars.ts';
import { unpaidPrincipal } from '#libs/book/charges/debt.ts';
import { isLate } from '#libs/book/charges/opening.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import type { Loan } from '#libs/book/loan.ts';
import { stateOf } from '#libs/book/state.ts';
import type { LoanTerms } from '#libs/book/terms.ts';
import { type Refusal, refuse } from '#libs/contract/refusals.ts';
import type { ClientGuards } from '#libs/tenancy/product.ts';

/** What the product version guards the Client against: it looks at all Loans of the Client, of whatever product. */
export function checkGuards(
  book: ClientBook,
  terms: LoanTerms,
  guards: ClientGuards,
  calendars: Calendars,
): Refusal | undefined {
  const open = book.folded.head.loans.filter((loan): loan is Loan => loan !== undefined && isOpen(loan));
  const { maxOpenLoans, maxOutstanding } = guards;
  if (maxOpenLoans !== undefined && open.length + 1 > maxOpenLoans) {
    return refuse('client_open_loans', { bound: maxOpenLoans, observed: open.length + 1 });
  }
  if (maxOutstanding === undefined && !guards.refuseWhileOverdue) return undefined;
  const moment = momentOf(book.folded, terms.anchor, calendars);
  if (maxOutstanding !== undefined) {
    const standing = open
      .map(({ order }) => moment.loans[order] as Loan)
      .filter((loan) => loan.terms.currency === terms.currency);
    const outstanding = standing.reduce(
      (sum, loan) => sum + unpaidPrincipal(loan),
      terms.principal - terms.downPayment,
    );
    if (outstanding > maxOutstanding) {
      return refuse('client_exposure', {
        bound: money(maxOutstanding, terms.currency),
        observed: money(outstanding, terms.currency),
      });
    }
  }
  const overdue = moment.loans.some(
    (loan) => asks(loan, terms.anchor) && loan.periods.some((period) => isLate(loan, period, terms.anchor)),
  );
  return guards.refuseWhileOverdue && overdue ? refuse('client_overdue') : undefined;
}

/** Held, active, restructured, and written off while something is still owed. */
function isOpen(loan: Loan): boolean {
  switch (stateOf(loan)) {
    case 'held':
    case 'active':
    case 'restructured':
      return true;
    case 'written_off':
      return loan.discharged === undefined;
    default:
      return false;
  }
}
