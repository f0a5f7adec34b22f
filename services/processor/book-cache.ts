/** Recently used books as committed last, bounded by the memory they take. Other books are loaded from Postgres. */
import { LRUCache } from 'lru-cache';
import { bookPortions } from '#libs/database/book-portions.ts';
import { countBookReads } from '#libs/database/book-read-metrics.ts';
import { readBookBytes } from '#libs/database/book-sizes.ts';
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
import { type BookMemoryLimits, BookTooLargeError, type MissingBook, planBookLoading } from './plan-book-loading.ts';

export interface BookCacheOptions {
  readonly database: Database;
  readonly deciderFor: DeciderFor;
  /** Of all cached books together. */
  readonly maxBytes: number;
  readonly limits: BookMemoryLimits;
}

export interface LoadedBooks {
  /** By `bookKeyText`; without those that have no facts. */
  readonly books: ReadonlyMap<string, LoadedBook<unknown>>;
  /** How many entries, from the first on, have all their books here. The others would take too much memory beside them. */
  readonly entryCount: number;
}

interface CachedBook {
  readonly partition: number;
  readonly book: LoadedBook<unknown>;
}

/** Keeps each statement well within the statement timeout. */
const maxPerStatement = { maxBooks: 128, maxBytes: 32 * 1024 * 1024 } as const;

export class BookCache {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #limits: BookMemoryLimits;
  readonly #books: LRUCache<string, CachedBook>;

  constructor({ database, deciderFor, maxBytes, limits }: BookCacheOptions) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    this.#limits = limits;
    const maxSize = Math.max(Math.floor(maxBytes), 1);
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

  /** The books of the first entries, from the batch in flight, the cache or Postgres. A book that is too large is parked. */
  async load(entries: readonly LogEntry[], inFlight: InFlightBatch | undefined): Promise<LoadedBooks> {
    const books = new Map<string, LoadedBook<unknown>>();
    const missing = new Map<string, MissingBook>();
    for (const entry of entries) {
      for (const { tenantId, bookId } of booksOf(entry)) {
        const text = bookKeyText({ tenantId, bookId });
        if (books.has(text) || missing.has(text)) continue;
        const known = inFlight?.book(text) ?? this.#books.get(text)?.book;
        if (known !== undefined) books.set(text, this.#affordable(text, known));
        else missing.set(text, { key: { tenantId, bookId }, partition: entry.partition });
      }
    }
    countBookReads('memory', books.size);
    countBookReads('postgres', missing.size);
    if (missing.size === 0) return { books, entryCount: entries.length };
    const bytes = await readBookBytes(
      this.#database,
      Array.from(missing.values(), ({ key }) => key),
    );
    const plan = planBookLoading(entries, missing, bytes, this.#limits);
    for (const { key } of plan.unaffordable) {
      const text = bookKeyText(key);
      const error = new BookTooLargeError(text, bytes.get(text) ?? 0, this.#limits.maxEntryBytes);
      books.set(text, await loadUnreplayableBook(this.#database, this.#deciderFor, key, error));
    }
    const bytesOf = (key: BookKey): number | undefined => bytes.get(bookKeyText(key));
    const stored = plan.loaded.map(({ key }) => key).filter((key) => bytesOf(key) !== undefined);
    for (const { keys } of bookPortions(stored, (key) => bytesOf(key) ?? 0, maxPerStatement)) {
      for (const book of await this.#loadFromDatabase(keys)) {
        const text = bookKeyText(book);
        books.set(text, book);
        const partition = missing.get(text)?.partition;
        // A book that cannot be replayed is never cached: a release or a fix may make it replayable.
        if (partition !== undefined && book.replayError === undefined) this.set(partition, book);
      }
    }
    return { books, entryCount: plan.entryCount };
  }

  /** A book that has grown too large is no longer cached, and what is decided on it is parked. */
  #affordable(text: string, known: LoadedBook<unknown>): LoadedBook<unknown> {
    if (known.bytes <= this.#limits.maxEntryBytes) return known;
    this.#books.delete(text);
    const { tenantId, bookId, sequence: snapshotSequence } = known;
    const book = this.#deciderFor(bookId).empty(tenantId, bookId);
    const replayError = new BookTooLargeError(text, known.bytes, this.#limits.maxEntryBytes);
    return { ...known, book, snapshotSequence, replayError };
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
