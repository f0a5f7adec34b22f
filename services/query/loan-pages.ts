/** Pages of Loans out of many books, all of them as they were in the one moment of the page. */
import { asOfSequence } from '#libs/book/client/as-of.ts';
import { type ClientBook, knownOrder } from '#libs/book/client/client-book.ts';
import type { BookName } from '#libs/store/books.ts';
import type { BookAt } from '#libs/store/read-books.ts';
import type { FoundLoan } from '#libs/store/read-loans.ts';
import { clientBookId } from '#libs/turn/book-id.ts';
import type { Asking, LoanInBook, Reads } from './reads.ts';

/** A Client as its book stood in the moment of the page. */
export type ClientAt = Omit<BookAt, keyof BookName> & { readonly clientId: string };

export async function booksAt(
  reads: Reads,
  { tenancy, timing }: Asking,
  clients: readonly ClientAt[],
): Promise<ReadonlyMap<string, ClientBook>> {
  const each = new Map(clients.map((client) => [client.clientId, client]));
  const names = [...each.values()].map(({ clientId, sequence, recordedAt }) => ({
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
        standing.map(({ book }) => {
          const whole = book as ClientBook;
          return [whole.clientId, asOfSequence(whole, each.get(whole.clientId)?.sequence ?? 0, reads.calendars)];
        }),
      ),
  );
}

export async function loansAt(reads: Reads, asking: Asking, loans: readonly FoundLoan[]): Promise<LoanInBook[]> {
  const books = await booksAt(reads, asking, loans);
  return loans.map(({ clientId, loanId }) => {
    const book = books.get(clientId) as ClientBook;
    return { book, order: knownOrder(book, loanId) };
  });
}
