import { money } from '#libs/ledger/answers/figures.ts';
import { asks, bookOnDay } from '#libs/ledger/answers/moment.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { isLate } from '#libs/ledger/charges/accrue-to.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/state.ts';
import type { ClientGuards } from '#libs/product/product.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

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
  const moment = bookOnDay(book.folded, terms.anchor, calendars);
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
