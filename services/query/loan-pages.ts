/** Pages of Loans out of many books, all of them as they were in the one moment of the page. */

import type { BookStood } from '#libs/database/book-stood.ts';
import type { LoadedBook } from '#libs/database/books.ts';
import type { FoundLoan } from '#libs/database/read-loans.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { asOfSequence } from '#libs/ledger/client/as-of.ts';
import { type ClientBook, knownOrder } from '#libs/ledger/client/client-book.ts';
import type { BookRequest, LoanInBook, ReadContext } from './reads.ts';
import { type BookOnPage, derivedOf, Unsound } from './underivable-book.ts';

/** A Client as its book stood in the moment of the page. */
export type ClientAt = BookStood & { readonly clientId: string };

/** A Loan on the page, and the book that tells of it. */
export type LoanOnPage = { readonly loan: FoundLoan; readonly book: BookOnPage };

export async function booksAt(
  reads: ReadContext,
  { tenancy, timing }: BookRequest,
  clients: readonly ClientAt[],
): Promise<ReadonlyMap<string, BookOnPage>> {
  const each = [...new Map(clients.map((client) => [client.clientId, client])).values()];
  const names = each.map(({ clientId, sequence, recordedAt }) => ({
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    sequence,
    recordedAt,
  }));
  const standing = await reads.books.atLeast(names, timing);
  return timing.measure(
    'derive',
    () =>
      new Map(
        each.map(({ clientId, sequence }, nth) => {
          const { book, replayError: unsound } = standing[nth] as LoadedBook<ClientBook>;
          const stood = unsound === undefined ? book : new Unsound(unsound);
          return [clientId, derivedOf(stood, (whole) => asOfSequence(whole, sequence, reads.calendars))];
        }),
      ),
  );
}

export async function loansAt(
  reads: ReadContext,
  asking: BookRequest,
  loans: readonly FoundLoan[],
): Promise<LoanOnPage[]> {
  const books = await booksAt(reads, asking, loans);
  return loans.map((loan) => ({ loan, book: books.get(loan.clientId) as BookOnPage }));
}

export function derivedOfLoan<T>({ loan, book }: LoanOnPage, derive: (loan: LoanInBook) => T): T | Unsound {
  return derivedOf(book, (whole) => derive({ book: whole, order: knownOrder(whole, loan.loanId) }));
}
