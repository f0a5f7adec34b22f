/** Which kind of book a name is of. */
import { tenancyBookId } from '#libs/log/book-key.ts';
import type { KindOf } from '#libs/store/books.ts';
import { tenancyKind } from '#libs/tenancy/tenancy-book.ts';
import type { BookKind } from '#libs/turn/book-kind.ts';

const tenancies = tenancyKind() as BookKind<unknown>;

export const kindOf: KindOf = (bookId) => {
  if (bookId === tenancyBookId) return tenancies;
  throw new Error(`${bookId} is no book`);
};
