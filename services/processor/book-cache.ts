/** Recently used books as committed last, bounded by the memory they take. Other books are loaded from Postgres. */
import { LRUCache } from 'lru-cache';
import {
  type BookKey,
  bookKeyText,
  type DeciderFor,
  type LoadedBook,
  loadBooks,
  loadUnreplayableBook,
} from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { InFlightBatch } from './in-flight-batch.ts';
import { booksOf, type LogEntry } from './log-entry.ts';

export interface BookCacheOptions {
  readonly database: Database;
  readonly deciderFor: DeciderFor;
  /** Of all cached books together. */
  readonly maxBytes: number;
}

interface CachedBook {
  readonly partition: number;
  readonly book: LoadedBook<unknown>;
}

/** Keeps each statement well within the statement timeout. */
const booksPerStatement = 128;

export class BookCache {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #books: LRUCache<string, CachedBook>;

  constructor({ database, deciderFor, maxBytes }: BookCacheOptions) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    const maxSize = Math.max(maxBytes, 1);
    this.#books = new LRUCache({
      maxSize,
      // Capped, because lru-cache does not keep an entry above maxSize: the one book a Client posts to must stay cached.
      sizeCalculation: ({ book }) => Math.min(book.bytes, maxSize),
    });
  }

  /** Does not count as a use. */
  peek(key: string): LoadedBook<unknown> | undefined {
    return this.#books.peek(key)?.book;
  }

  set(partition: number, book: LoadedBook<unknown>): void {
    this.#books.set(bookKeyText(book), { partition, book });
  }

  /** Another instance may have written to these partitions. */
  dropPartitions(partitions: ReadonlySet<number>): void {
    this.#dropWhere((partition) => partitions.has(partition));
  }

  keepPartitions(partitions: ReadonlySet<number>): void {
    this.#dropWhere((partition) => !partitions.has(partition));
  }

  /** The books of the entries, from the batch in flight, the cache or Postgres. By `bookKeyText`; without those that have no facts. */
  async load(
    entries: readonly LogEntry[],
    inFlight: InFlightBatch | undefined,
  ): Promise<Map<string, LoadedBook<unknown>>> {
    const books = new Map<string, LoadedBook<unknown>>();
    const missing = new Map<string, { readonly key: BookKey; readonly partition: number }>();
    for (const entry of entries) {
      for (const { tenantId, bookId } of booksOf(entry)) {
        const text = bookKeyText({ tenantId, bookId });
        if (books.has(text) || missing.has(text)) continue;
        const known = inFlight?.book(text) ?? this.#books.get(text)?.book;
        if (known !== undefined) books.set(text, known);
        else missing.set(text, { key: { tenantId, bookId }, partition: entry.partition });
      }
    }
    const wanted = [...missing.values()];
    for (let at = 0; at < wanted.length; at += booksPerStatement) {
      const keys = wanted.slice(at, at + booksPerStatement).map(({ key }) => key);
      for (const book of await this.#loadFromDatabase(keys)) {
        const text = bookKeyText(book);
        books.set(text, book);
        const partition = missing.get(text)?.partition;
        // A book that cannot be replayed is never cached: a release or a fix may make it replayable.
        if (partition !== undefined && book.replayError === undefined) this.set(partition, book);
      }
    }
    return books;
  }

  #dropWhere(isDropped: (partition: number) => boolean): void {
    for (const [key, { partition }] of this.#books.entries()) if (isDropped(partition)) this.#books.delete(key);
  }

  async #loadFromDatabase(keys: readonly BookKey[]): Promise<LoadedBook<unknown>[]> {
    try {
      return await loadBooks(this.#database, this.#deciderFor, keys);
    } catch (cause) {
      if (cause instanceof DependencyUnavailableError) throw cause;
      return this.#loadOneByOne(keys);
    }
  }

  /** One of the books cannot be replayed: it is parked when it is decided on, the others are loaded. */
  async #loadOneByOne(keys: readonly BookKey[]): Promise<LoadedBook<unknown>[]> {
    const books: LoadedBook<unknown>[] = [];
    for (const key of keys) {
      try {
        books.push(...(await loadBooks(this.#database, this.#deciderFor, [key])));
      } catch (cause) {
        if (cause instanceof DependencyUnavailableError) throw cause;
        books.push(await loadUnreplayableBook(this.#database, this.#deciderFor, key, cause));
      }
    }
    return books;
  }
}
