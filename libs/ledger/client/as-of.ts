/** A Client's book as it was when it held so many facts. */
import { type Book, bookUntil } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { creditKnownAt } from '#libs/ledger/client/credit.ts';
import type { RecordedFact } from '#libs/ledger/fact-record.ts';

/** What was known at a moment (RFC 3339 in UTC with six decimals, so that moments order as text), withdrawals included. */
export function asKnownAt(book: ClientBook, moment: string, calendars: Calendars): ClientBook {
  const { registration, ...rest } = book;
  return {
    ...rest,
    ...(registration !== undefined && registration.at <= moment ? { registration } : {}),
    quotes: book.quotes.filter(({ at }) => at <= moment),
    credit: creditKnownAt(book.credit, moment),
    folded: cutOff(book.folded, ({ at }) => at <= moment, calendars),
  };
}

/** What is folded of the book when it held so many facts of its sequence. */
export function asOfSequence(book: ClientBook, sequence: number, calendars: Calendars): ClientBook {
  if (book.sequence <= sequence) return book;
  return { ...book, sequence, folded: cutOff(book.folded, ({ seq }) => seq <= sequence, calendars) };
}

/** Facts are recorded in the order of their moments and numbers: what is kept is a beginning. */
function cutOff(book: Book, isKept: (entry: RecordedFact) => boolean, calendars: Calendars): Book {
  return bookUntil(book, book.log.beginning(book.length, isKept), calendars);
}
