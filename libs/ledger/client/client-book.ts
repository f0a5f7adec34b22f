/** A Client's book as an immutable value: the registration, the folded facts, payoff quotes and credit records. */

import { formatMoment } from '#libs/calendar/moment.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { OwedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { addFact, bookAtLength, EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import type { StoredFact } from '#libs/ledger/book-decider.ts';
import {
  type CreditRecords,
  creditKnownAt,
  isCreditFactKind,
  NO_CREDIT,
  withCreditFact,
} from '#libs/ledger/client/credit-records.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import { lineOf, readFact } from '#libs/ledger/stored-facts.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Account } from '#libs/schema/objects.ts';

export type Registration = { readonly at: string; readonly stated: JsonObject };

/** The amount that would discharge a Loan on a day, as it was quoted. A quote is not binding. */
export type PayoffQuote = {
  readonly id: string;
  /** As `loanId`, for consumers of the topic. Facts of earlier releases have no such member. */
  readonly loan_id?: string;
  readonly loanId: string;
  readonly on: string;
  readonly owed: OwedFigure;
  readonly act: Account;
  readonly at: string;
};

export type ClientBook = {
  readonly tenantId: string;
  readonly clientId: string;
  readonly registration?: Registration;
  readonly folded: FoldedFacts;
  /** The number of recorded facts, folded or not. */
  readonly sequence: number;
  readonly quotes: readonly PayoffQuote[];
  readonly credit: CreditRecords;
};

export function emptyClientBook(tenantId: string, clientId: string): ClientBook {
  return { tenantId, clientId, folded: EMPTY_BOOK, sequence: 0, quotes: [], credit: NO_CREDIT };
}

/** The Loan's index in the order of recording. Undefined where it is not in the book. */
export function loanOrder(book: ClientBook, loanId: string): number | undefined {
  return book.folded.log.loan(book.folded.loans.length, loanId.toLowerCase());
}

/** The book with one more stored fact. */
export function withStoredFact(
  book: ClientBook,
  { kind, body, recordedAt }: Omit<StoredFact, 'sequence'>,
  calendars: Calendars,
  acts = manifest,
): ClientBook {
  const at = formatMoment(recordedAt);
  const sequence = book.sequence + 1;
  if (isCreditFactKind(kind)) return { ...book, sequence, credit: withCreditFact(book.credit, kind, body, at) };
  switch (kind) {
    case 'registered':
      return { ...book, sequence, registration: { at, stated: JSON.parse(body) } };
    case 'payoff_quoted': {
      const quoted: Omit<PayoffQuote, 'at'> = JSON.parse(body);
      return { ...book, sequence, quotes: [...book.quotes, { ...quoted, at }] };
    }
    default: {
      const fact = readFact(kind, JSON.parse(body), (loanId) => requireLoanOrder(book, loanId), acts);
      const { book: folded } = addFact(
        book.folded,
        { seq: sequence, at, line: lineOf(sequence, at, { kind, body }), ...fact },
        calendars,
      );
      return { ...book, sequence, folded };
    }
  }
}

export function requireLoanOrder(book: ClientBook, loanId: string): number {
  const order = loanOrder(book, loanId);
  if (order === undefined) throw new Error(`Loan ${loanId} is not in the book of Client ${book.clientId}`);
  return order;
}

/** The book with the facts recorded by a moment. The moment is RFC 3339 in UTC with six decimals, so it orders as text. */
export function asKnownAt(book: ClientBook, moment: string, calendars: Calendars): ClientBook {
  const { registration, ...rest } = book;
  return {
    ...rest,
    ...(registration !== undefined && registration.at <= moment ? { registration } : {}),
    quotes: book.quotes.filter(({ at }) => at <= moment),
    credit: creditKnownAt(book.credit, moment),
    folded: withFirstFacts(book.folded, ({ at }) => at <= moment, calendars),
  };
}

/** The folded facts of the book up to a sequence. */
export function asOfSequence(book: ClientBook, sequence: number, calendars: Calendars): ClientBook {
  if (book.sequence <= sequence) return book;
  return { ...book, sequence, folded: withFirstFacts(book.folded, ({ seq }) => seq <= sequence, calendars) };
}

/** Moments and sequences rise, so the facts that match are the first ones. */
function withFirstFacts(
  book: FoldedFacts,
  matches: (entry: RecordedFact) => boolean,
  calendars: Calendars,
): FoldedFacts {
  return bookAtLength(book, book.log.countLeading(book.length, matches), calendars);
}
