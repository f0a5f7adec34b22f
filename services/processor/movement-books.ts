/** Computes the movements of facts, in the order of their partition, from books that it keeps or loads. */
import { LRUCache } from 'lru-cache';
import type { Moment } from '#libs/calendar/moment.ts';
import { readBookBytes } from '#libs/database/book-sizes.ts';
import { type BookKey, bookKeyText, type DeciderFor, loadBooks } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { PartitionFact } from '#libs/database/read-events.ts';
import { type MovementRecord, movementRecord } from '#libs/kafka/movement.ts';
import { emptyBookBytes, factBytes } from '#libs/ledger/book-bytes.ts';
import type { StoredFact } from '#libs/ledger/book-decider.ts';

export interface MovementBookLimits {
  /** Of all books that are kept. */
  readonly maxCachedBytes: number;
  /** Of the books that one statement loads; one larger book is loaded alone. */
  readonly maxLoadedBytes: number;
  /** The movements of a larger book are not computed. */
  readonly maxBookBytes: number;
  /** Of the journal lines that are compared for one movement. */
  readonly maxLineBytes: number;
}

interface KnownBook {
  readonly book: unknown;
  readonly sequence: number;
  readonly bytes: number;
}

/** So many facts, from one on, whose books one statement loads. */
interface Portion {
  readonly count: number;
  /** By `bookKeyText`, the first fact of each book that must be loaded. */
  readonly missing: ReadonlyMap<string, PartitionFact>;
}

const booksPerStatement = 32;
/** A line, and what it takes to compare it, before the fact and after it. */
const bytesPerLine = 800;

export class MovementBooks {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #limits: MovementBookLimits;
  readonly #books: LRUCache<string, KnownBook>;

  constructor(database: Database, deciderFor: DeciderFor, limits: MovementBookLimits) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    this.#limits = limits;
    const maxSize = Math.max(Math.floor(limits.maxCachedBytes), 1);
    // Capped, because lru-cache does not keep an entry above maxSize.
    this.#books = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => Math.min(bytes, maxSize) });
  }

  /** The stored facts may have changed, or the topic may end earlier than it was thought to. */
  forgetAll(): void {
    this.#books.clear();
  }

  /** Of each fact, as it is computed. Throws at the first fact of which it cannot be computed. */
  async *movements(facts: readonly PartitionFact[]): AsyncGenerator<MovementRecord<number>> {
    for (let first = 0; first < facts.length; ) {
      const { count, missing } = await this.#affordable(this.#nextPortion(facts, first), facts.slice(first));
      // Held here until the end of the portion: the cache may drop a book that is still needed.
      const books = await this.#load(missing);
      try {
        for (const fact of facts.slice(first, first + count)) yield this.#movementOf(fact, books);
      } finally {
        // Also where the caller wants no more for now.
        for (const [key, book] of books) this.#books.set(key, book);
      }
      first += count;
    }
  }

  #nextPortion(facts: readonly PartitionFact[], first: number): Portion {
    const missing = new Map<string, PartitionFact>();
    const seen = new Set<string>();
    let count = 0;
    for (; first + count < facts.length; count += 1) {
      const fact = facts[first + count] as PartitionFact;
      const key = keyOf(fact);
      if (!fact.counts || seen.has(key)) continue;
      const needsLoad = fact.sequence > 1 && this.#books.get(key)?.sequence !== fact.sequence - 1;
      if (needsLoad && missing.size === booksPerStatement) break;
      seen.add(key);
      if (needsLoad) missing.set(key, fact);
    }
    return { count, missing };
  }

  /** The portion up to the first fact whose book would be too much beside the others. */
  async #affordable({ count, missing }: Portion, facts: readonly PartitionFact[]): Promise<Portion> {
    if (missing.size === 0) return { count, missing };
    const { maxLoadedBytes, maxBookBytes } = this.#limits;
    const sizes = await readBookBytes(this.#database, [...missing.values()].map(bookOf));
    const affordable = new Map<string, PartitionFact>();
    let sum = 0;
    for (const [key, fact] of missing) {
      const bytes = sizes.get(key) ?? 0;
      sum += bytes;
      const isTooLarge = bytes > maxBookBytes;
      const before = facts.indexOf(fact);
      if (before > 0 && (isTooLarge || (affordable.size > 0 && sum > maxLoadedBytes)))
        return { count: before, missing: affordable };
      if (isTooLarge) throw tooLargeError(key, bytes, maxBookBytes);
      affordable.set(key, fact);
    }
    return { count, missing };
  }

  /** Books as they were before these facts. */
  async #load(firstFacts: ReadonlyMap<string, PartitionFact>): Promise<Map<string, KnownBook>> {
    const books = new Map<string, KnownBook>();
    if (firstFacts.size === 0) return books;
    const keys = [...firstFacts.values()].map(bookOf);
    for (const loaded of await loadBooks(this.#database, this.#deciderFor, keys)) {
      const key = bookKeyText(loaded);
      const fact = firstFacts.get(key);
      const { journal } = this.#deciderFor(loaded.bookId);
      if (fact === undefined || journal === undefined) continue;
      const sequence = fact.sequence - 1;
      const book = loaded.sequence > sequence ? journal.asOf(loaded.book, sequence) : loaded.book;
      books.set(key, { book, sequence, bytes: loaded.bytes });
    }
    return books;
  }

  #movementOf(fact: PartitionFact, books: Map<string, KnownBook>): MovementRecord<number> {
    const decider = this.#deciderFor(fact.book_id);
    const key = keyOf(fact);
    const known = fact.sequence === 1 ? this.#emptyBook(fact) : (books.get(key) ?? this.#books.get(key));
    const isCurrent = known?.sequence === fact.sequence - 1;
    // A fact that changes no figure needs no book.
    if (decider.journal === undefined || (!fact.counts && !isCurrent)) return movementRecord(fact, []);
    if (!isCurrent) throw new Error(`book ${key} is not at fact ${fact.sequence - 1} but at ${known?.sequence}`);
    const { maxBookBytes, maxLineBytes } = this.#limits;
    if (fact.counts && known.bytes > maxBookBytes) throw tooLargeError(key, known.bytes, maxBookBytes);
    const stored = storedFact(fact);
    const after = decider.replay(known.book, stored);
    const maxLines = Math.floor(maxLineBytes / bytesPerLine);
    const loans = fact.counts ? decider.journal.movement(known.book, after, maxLines) : [];
    books.set(key, { book: after, sequence: fact.sequence, bytes: known.bytes + factBytes(stored) });
    return movementRecord(fact, loans);
  }

  #emptyBook({ tenant_id, book_id }: PartitionFact): KnownBook {
    return { book: this.#deciderFor(book_id).empty(tenant_id, book_id), sequence: 0, bytes: emptyBookBytes };
  }
}

function tooLargeError(key: string, bytes: number, maxBytes: number): Error {
  const [taken, affordable] = [bytes, maxBytes].map((each) => (each / 1024 / 1024).toFixed(1));
  return new Error(
    `book ${key} takes about ${taken} MiB, and movements are computed of books up to ${affordable} MiB; ` +
      'start the processor with a larger heap',
  );
}

function bookOf({ tenant_id, book_id }: PartitionFact): BookKey {
  return { tenantId: tenant_id, bookId: book_id };
}

function keyOf(fact: PartitionFact): string {
  return bookKeyText(bookOf(fact));
}

function storedFact({ sequence, kind, body, recorded_at }: PartitionFact): StoredFact {
  return { sequence, kind, body, recordedAt: recorded_at as Moment };
}
