/** A Client on a page of many whose book tells nothing: the others are answered all the same, and somebody hears of it. */

import { clientBookId } from '#libs/ledger/book-id.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { BookRequest, ReadContext } from './reads.ts';

export class Unsound {
  readonly fault: unknown;

  constructor(fault: unknown) {
    this.fault = fault;
  }
}

export type BookOnPage = ClientBook | Unsound;

/** What is derived of a book; of one that stumbles, that it does. */
export function derivedOf<T>(book: BookOnPage, derive: (book: ClientBook) => T): T | Unsound {
  if (book instanceof Unsound) return book;
  try {
    return derive(book);
  } catch (fault) {
    return new Unsound(fault);
  }
}

/** Once for the whole page. */
export function sayUnsound(
  { say }: Pick<ReadContext, 'say'>,
  { tenancy }: BookRequest,
  unsound: ReadonlyMap<string, Unsound>,
): void {
  const [first] = unsound.values();
  if (first === undefined) return;
  const named = { tenant_id: tenancy.id, book_ids: [...unsound.keys()].map(clientBookId) };
  say.error({ err: first.fault, ...named }, 'books cannot be derived; a page tells what is recorded without them');
}
