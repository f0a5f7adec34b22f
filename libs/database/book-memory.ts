/** The decoded books that a process holds, the most recently read ones. */
import { LRUCache } from 'lru-cache';

interface SizedBook {
  readonly bytes: number;
}

/**
 * One large book is held beside the others: it is the most expensive to read again, and a list of many Clients would take its
 * place.
 */
export class BookMemory<Book extends SizedBook> {
  readonly #maxBytes: number;
  readonly #books: LRUCache<string, Book>;
  #large: { readonly key: string; readonly book: Book } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = Math.max(maxBytes, 1);
    this.#books = new LRUCache({ maxSize: this.#maxBytes, sizeCalculation: ({ bytes }) => Math.max(bytes, 1) });
  }

  get(key: string): Book | undefined {
    return this.#large?.key === key ? this.#large.book : this.#books.get(key);
  }

  set(key: string, book: Book): void {
    this.delete(key);
    if (book.bytes > this.#maxBytes / 2) this.#large = { key, book };
    else this.#books.set(key, book);
  }

  delete(key: string): void {
    if (this.#large?.key === key) this.#large = undefined;
    this.#books.delete(key);
  }
}
