/** Pages of Loans out of many books, all of them as they were in the one moment of the page. */
import { asOfSequence } from '#libs/book/client/as-of.ts';
import { type ClientBook, knownOrder } from '#libs/book/client/client-book.ts';
import type { FoundLoan } from '#libs/store/read-loans.ts';
import { clientBookId } from '#libs/turn/book-id.ts';
import type { Asking, LoanInBook, Reads } from './reads.ts';

export interface ClientAt {
  readonly clientId: string;
  readonly sequence: number;
}

export async function booksAt(
  reads: Reads,
  { tenancy, timing }: Asking,
  clients: readonly ClientAt[],
): Promise<ReadonlyMap<string, ClientBook>> {
  const sequences = new Map(clients.map(({ clientId, sequence }) => [clientId, sequence]));
  const names = [...sequences].map(([clientId, sequence]) => ({
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    sequence,
  }));
  const standing = await reads.books.atLeast(names, timing);
  return timing.measure(
    'derive',
    () =>
      new Map(
        standing.map(({ book }) => {
          const whole = book as ClientBook;
          return [whole.clientId, asOfSequence(whole, sequences.get(whole.clientId) ?? 0, reads.calendars)];
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
