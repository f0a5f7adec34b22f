/** Which kind of book a name is of. Pure. */
import { tenancyKind } from '#libs/tenancy/tenancy-book.ts';
import { tenancyBookId } from '#libs/turn/book-id.ts';
import type { BookKind } from '#libs/turn/book-kind.ts';

const tenancies = tenancyKind() as BookKind<unknown>;

export function kindOf(bookId: string): BookKind<unknown> {
  if (bookId === tenancyBookId) return tenancies;
  throw new Error(`${bookId} is no book`);
}
