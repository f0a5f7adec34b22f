/** Limits of a product version that apply to all Loans of the Client together, under any product. */

import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { bookOnDay, isClaimable } from '#libs/ledger/answers/book-on-day.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import { isLate } from '#libs/ledger/charges/lateness.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { ClientGuards } from '#libs/product/product.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export function checkClientGuards(
  book: ClientBook,
  terms: LoanTerms,
  guards: ClientGuards,
  calendars: Calendars,
): Refusal | undefined {
  const openLoans = book.folded.head.loans.filter((loan): loan is Loan => loan !== undefined && isOpen(loan));
  const { maxOpenLoans, maxOutstanding, refuseWhileOverdue } = guards;
  if (maxOpenLoans !== undefined && openLoans.length + 1 > maxOpenLoans) {
    return refuse('client_open_loans', { bound: maxOpenLoans, observed: openLoans.length + 1 });
  }
  if (maxOutstanding === undefined && !refuseWhileOverdue) return undefined;
  const { loans } = bookOnDay(book.folded, terms.anchor, calendars);
  if (maxOutstanding !== undefined) {
    const openOnAnchor = openLoans.map(({ order }) => loans[order] as Loan);
    const outstanding = outstandingWith(terms, openOnAnchor);
    if (outstanding > maxOutstanding) {
      return refuse('client_exposure', {
        bound: moneyFigure(maxOutstanding, terms.currency),
        observed: moneyFigure(outstanding, terms.currency),
      });
    }
  }
  const isOverdue = loans.some(
    (loan) => isClaimable(loan, terms.anchor) && loan.periods.some((period) => isLate(loan, period, terms.anchor)),
  );
  return refuseWhileOverdue && isOverdue ? refuse('client_overdue') : undefined;
}

/** The unpaid principal of the Loans in the currency of the new one, with the new one. */
function outstandingWith(terms: LoanTerms, loans: readonly Loan[]): bigint {
  return loans
    .filter((loan) => loan.terms.currency === terms.currency)
    .reduce((sum, loan) => sum + unpaidPrincipal(loan), terms.principal - terms.downPayment);
}

/** Held, active, restructured, or written off with something still owed. */
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
