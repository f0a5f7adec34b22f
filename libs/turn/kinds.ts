/** Which kind of book a name is of. Pure. */
import { clientKind } from '#libs/book/client/client-kind.ts';
import { tenancyKind } from '#libs/tenancy/tenancy-book.ts';
import { clientOf, tenancyBookId } from '#libs/turn/book-id.ts';
import type { BookKind } from '#libs/turn/book-kind.ts';

const tenancies = tenancyKind() as BookKind<unknown>;
const clients = clientKind() as BookKind<unknown>;

export function kindOf(bookId: string): BookKind<unknown> {
  if (bookId === tenancyBookId) return tenancies;
  if (clientOf(bookId) !== undefined) return clients;
  throw new Error(`${bookId} is no book`);
}
