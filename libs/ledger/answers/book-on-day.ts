/** A book on one day: every Loan accrued to that day, with all facts dated on it or before. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { actsInForce, type LoanRecord } from '#libs/ledger/book-record.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import { stateOn } from '#libs/ledger/checkpoints.ts';
import type { BookState } from '#libs/ledger/fold.ts';
import { isInForce, type Loan } from '#libs/ledger/loan.ts';
import { loanAtIssuance } from '#libs/ledger/loan-at-issuance.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

export type BookOnDay = {
  readonly book: FoldedFacts;
  readonly on: CivilDay;
  readonly state: BookState;
  readonly loans: readonly Loan[];
  /** By currency, how many Loans can receive money that names no Loan. */
  readonly reachable: ReadonlyMap<string, number>;
};

/** With `onlyOrder`, only this Loan is accrued: the figures of one Loan need no accrued others. */
export function bookOnDay(book: FoldedFacts, on: CivilDay, calendars: Calendars, onlyOrder?: number): BookOnDay {
  const state = stateOn(book, on, calendars);
  const loans = book.loans.map((record, order) => {
    const started = state.loans[order];
    if (started === undefined) return loanBeforeStart(record, order);
    return onlyOrder === undefined || order === onlyOrder ? accrueTo(started, on) : started;
  });
  const reachable = new Map<string, number>();
  for (const loan of loans) {
    const { currency } = loan.terms;
    if (isReachable(loan, on)) reachable.set(currency, (reachable.get(currency) ?? 0) + 1);
  }
  return { book, on, state, loans, reachable };
}

/** Whether money that names no Loan can be allocated to this one. */
export function isReachable(loan: Loan, on: CivilDay): boolean {
  return hasStarted(loan, on) && isClaimable(loan, on);
}

/** Before its anchor a Loan reads as on its anchor. A cancelled Loan reads as cancelled at any time. */
export function loanBeforeStart(record: LoanRecord, order: number): Loan {
  const loan = loanAtIssuance(record.issuance, order);
  const cancelled = actsInForce(record).some(({ fact }) => fact.kind === 'cancelled');
  return cancelled ? { ...loan, cancelled } : loan;
}

export function hasStarted(loan: Loan, on: CivilDay): boolean {
  return loan.terms.anchor <= on;
}

/** Whether the Tenancy can claim payment of the Loan on the day. On the day of a cession it still can. */
export function isClaimable(loan: Loan, on: CivilDay): boolean {
  return isInForce(loan) && (loan.cession === undefined || loan.cession.on >= on);
}
