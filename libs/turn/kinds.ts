/** Which kind of book a name is of. Pure. */
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { clientKind } from '#libs/book/client/client-kind.ts';
import { receiptNamed } from '#libs/book/client/receipts.ts';
import { tenancyKind } from '#libs/tenancy/tenancy-book.ts';
import { clientOf, tenancyBookId } from '#libs/turn/book-id.ts';
import type { BookKind, Namespace } from '#libs/turn/book-kind.ts';
import { releasable } from '#libs/turn/releasing.ts';

const tenancies = releasable(tenancyKind(), (book) => book) as BookKind<unknown>;
const clients = {
  ...releasable(clientKind(), (book) => ({ ...book, sequence: book.sequence + 1 })),
  // Receipts are nearly all that is written, and a Client's book knows its own by their references.
  mayHold: (book: ClientBook, namespace: Namespace, reference: string) =>
    namespace !== 'receipts' || receiptNamed(book, reference) !== undefined,
} as BookKind<unknown>;

export function kindOf(bookId: string): BookKind<unknown> {
  if (bookId === tenancyBookId) return tenancies;
  if (clientOf(bookId) !== undefined) return clients;
  throw new Error(`${bookId} is no book`);
}
