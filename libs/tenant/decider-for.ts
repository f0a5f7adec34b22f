/** Which kind of book a name is of. Pure. */

import type { BookDecider, Namespace } from '#libs/ledger/book-decider.ts';
import { clientOf, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientKind } from '#libs/ledger/client/client-kind.ts';
import { receiptNamed } from '#libs/ledger/client/receipts.ts';
import { releasable } from '#libs/ledger/release.ts';
import { tenancyKind } from '#libs/tenant/tenancy-book.ts';

const tenancies = releasable(tenancyKind(), (book) => book) as BookDecider<unknown>;
const clients = {
  ...releasable(clientKind(), (book) => ({ ...book, sequence: book.sequence + 1 })),
  // Receipts are nearly all that is written, and a Client's book knows its own by their references.
  mayHoldReference: (book: ClientBook, namespace: Namespace, reference: string) =>
    namespace !== 'receipts' || receiptNamed(book, reference) !== undefined,
} as BookDecider<unknown>;

export function deciderFor(bookId: string): BookDecider<unknown> {
  if (bookId === tenancyBookId) return tenancies;
  if (clientOf(bookId) !== undefined) return clients;
  throw new Error(`${bookId} is no book`);
}
