/** Books as they were known at a moment: the pages and programs that ask about a moment ask several questions about it. */
import { LRUCache } from 'lru-cache';
import { estimatedBookBytes } from '#libs/ledger/book-bytes.ts';
import { asKnownAt, type ClientBook } from '#libs/ledger/client/client-book.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

export class KnownBooks {
  readonly #known: LRUCache<string, ClientBook>;

  constructor(maxBytes: number) {
    // The texts of the facts are shared with the book, and the checkpoints are its own.
    const sizeCalculation = ({ folded }: ClientBook): number => estimatedBookBytes(0, folded.length);
    this.#known = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** Facts are only added, so that the books of a Client with the same number of facts are the same. */
  at(book: ClientBook, moment: string, calendars: Calendars): ClientBook {
    const key = JSON.stringify([book.tenantId, book.clientId, book.sequence, moment]);
    const stored = this.#known.get(key);
    if (stored !== undefined) return stored;
    const known = asKnownAt(book, moment, calendars);
    this.#known.set(key, known);
    return known;
  }
}
