/**
 * A Client's book as a service keeps it: the registration, the facts that are folded, and what stands beside them.
 * A value, like the book it holds.
 */

import { formatMoment } from '#libs/calendar/moment.ts';
import type { Owed } from '#libs/ledger/answers/figures.ts';
import { addFact, type Book, NO_BOOK } from '#libs/ledger/book.ts';
import type { StoredFact } from '#libs/ledger/book-decider.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { type Credit, isCreditKind, NO_CREDIT, withCreditFact } from '#libs/ledger/client/credit.ts';
import type { StatedAct } from '#libs/ledger/stored-facts.ts';
import { lineOf, readFact } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';

export type Registration = { readonly at: string; readonly stated: JsonObject };

/** A payoff quote: what discharging a Loan on a day was said to take. It binds nothing. */
export type Quote = {
  readonly id: string;
  readonly loanId: string;
  readonly on: string;
  readonly owed: Owed;
  readonly act: StatedAct;
  readonly at: string;
};

export type ClientBook = {
  readonly tenantId: string;
  readonly clientId: string;
  readonly registration?: Registration;
  readonly folded: Book;
  /** Facts recorded, folded or not. */
  readonly sequence: number;
  readonly quotes: readonly Quote[];
  readonly credit: Credit;
};

export function emptyClientBook(tenantId: string, clientId: string): ClientBook {
  return { tenantId, clientId, folded: NO_BOOK, sequence: 0, quotes: [], credit: NO_CREDIT };
}

/** A Loan's place in the order of recording. */
export function orderIn(book: ClientBook, loanId: string): number | undefined {
  return book.folded.log.loan(book.folded.loans.length, loanId.toLowerCase());
}

/** The book with one more stored fact, read again from the store, the topic or a submission just admitted. */
export function withStored(
  book: ClientBook,
  { kind, body, recordedAt }: Omit<StoredFact, 'sequence'>,
  calendars: Calendars,
): ClientBook {
  const stored = JSON.parse(body) as JsonObject;
  const at = formatMoment(recordedAt);
  const sequence = book.sequence + 1;
  if (isCreditKind(kind)) return { ...book, sequence, credit: withCreditFact(book.credit, kind, stored, at) };
  switch (kind) {
    case 'registered':
      return { ...book, sequence, registration: { at, stated: stored } };
    case 'payoff_quoted':
      return { ...book, sequence, quotes: [...book.quotes, { ...(stored as unknown as Omit<Quote, 'at'>), at }] };
    default: {
      const read = readFact(kind, stored, (loanId) => knownOrder(book, loanId));
      const { book: folded } = addFact(
        book.folded,
        { seq: sequence, at, line: lineOf(sequence, at, { kind, body }), ...read },
        calendars,
      );
      return { ...book, sequence, folded };
    }
  }
}

export function knownOrder(book: ClientBook, loanId: string): number {
  const order = orderIn(book, loanId);
  if (order === undefined) throw new Error(`${loanId} is no Loan of the book its fact stands in`);
  return order;
}
