/** Loads the books a batch is decided on: from the batch in flight, the cache, or Postgres. */
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
import type { BookCache } from './book-cache.ts';
import type { InFlightBatch } from './in-flight-batch.ts';
import { booksOf, type LogEntry } from './log-entry.ts';

/** By `bookKeyText`. A book without facts is absent. */
export type BatchBooks = ReadonlyMap<string, LoadedBook<unknown>>;

/** Keeps each statement well within the statement timeout. */
const booksPerStatement = 128;

export class BookLoader {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #cache: BookCache;

  constructor(database: Database, deciderFor: DeciderFor, cache: BookCache) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    this.#cache = cache;
  }

  async load(entries: readonly LogEntry[], inFlight: InFlightBatch | undefined): Promise<BatchBooks> {
    const books = new Map<string, LoadedBook<unknown>>();
    const missing = new Map<string, { readonly key: BookKey; readonly partition: number }>();
    for (const entry of entries) {
      for (const { tenantId, bookId } of booksOf(entry)) {
        const text = bookKeyText({ tenantId, bookId });
        if (books.has(text) || missing.has(text)) continue;
        const known = inFlight?.book(text) ?? this.#cache.find(text);
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
        if (partition !== undefined && book.replayError === undefined) this.#cache.set(partition, book);
      }
    }
    return books;
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
