import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { beginLoan } from '#libs/ledger/begin.ts';
import { type Book, stateOn } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { openDay } from '#libs/ledger/charges/accrue-to.ts';
import { actsInForce, type LoanRecord } from '#libs/ledger/fact-record.ts';
import type { State } from '#libs/ledger/fold.ts';
import { type Loan, stands } from '#libs/ledger/loan.ts';

/** A book on one day: every Loan with that day opened, by all facts dated on it or before. */
export type BookOnDay = {
  readonly book: Book;
  readonly on: CivilDay;
  readonly state: State;
  readonly loans: readonly Loan[];
};

export function bookOnDay(book: Book, on: CivilDay, calendars: Calendars): BookOnDay {
  const state = stateOn(book, on, calendars);
  const loans = book.loans.map((record, order) => {
    const begun = state.loans[order];
    return begun === undefined ? notBegun(record, order) : openDay(begun, on);
  });
  return { book, on, state, loans };
}

/** A Loan before its anchor stands as on it; one that is cancelled is so from its anchor on, and before it. */
export function notBegun(record: LoanRecord, order: number): Loan {
  const loan = beginLoan(record.issuance, order);
  const cancelled = actsInForce(record).some(({ fact }) => fact.kind === 'cancelled');
  return cancelled ? { ...loan, cancelled } : loan;
}

export function hasBegun(loan: Loan, on: CivilDay): boolean {
  return loan.terms.anchor <= on;
}

/** Whether the Loan asks for anything on the day. On the day of a cession it still does. */
export function asks(loan: Loan, on: CivilDay): boolean {
  return stands(loan) && (loan.cession === undefined || loan.cession.on >= on);
}
