/** Finds the decider of a book by the book's id. */

import type { BookDecider, Namespace } from '#libs/ledger/book-decider.ts';
import { clientIdOf, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientBookDecider } from '#libs/ledger/client/client-book-decider.ts';
import { findReceipt } from '#libs/ledger/client/receipts.ts';
import { withRelease } from '#libs/ledger/release.ts';
import { tenancyBookDecider } from '#libs/tenant/tenancy-book-decider.ts';

const tenancyDecider: BookDecider<unknown> = withRelease(tenancyBookDecider(), (book) => book);
const clientDecider: BookDecider<unknown> = {
  ...withRelease(clientBookDecider(), (book) => ({ ...book, sequence: book.sequence + 1 })),
  // Most submissions are Receipts, and a Client's book can find its own Receipts by reference.
  mayHoldReference: (book: ClientBook, namespace: Namespace, reference: string) =>
    namespace !== 'receipts' || findReceipt(book, reference) !== undefined,
};

export function deciderFor(bookId: string): BookDecider<unknown> {
  if (bookId === tenancyBookId) return tenancyDecider;
  if (clientIdOf(bookId) !== undefined) return clientDecider;
  throw new Error(`invalid book id ${bookId}: expected ${tenancyBookId} or c/<client id>`);
}
