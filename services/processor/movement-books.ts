/** Computes the movements of facts, in the order of their partition, from books that it keeps or loads. */
import { LRUCache } from 'lru-cache';
import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, bookKeyText, type DeciderFor, loadBooks } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { PartitionFact } from '#libs/database/read-events.ts';
import { type MovementRecord, movementRecord } from '#libs/kafka/movement.ts';
import { emptyBookBytes, factBytes } from '#libs/ledger/book-bytes.ts';
import type { StoredFact } from '#libs/ledger/book-decider.ts';

interface KnownBook {
  readonly book: unknown;
  readonly sequence: number;
  readonly bytes: number;
}

const booksPerStatement = 32;

export class MovementBooks {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #books: LRUCache<string, KnownBook>;

  constructor(database: Database, deciderFor: DeciderFor, maxBytes: number) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    // An entry above the maximum is not kept.
    this.#books = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => Math.min(bytes, maxBytes) });
  }

  /** The stored facts may have changed, or the topic may end earlier than it was thought to. */
  forgetAll(): void {
    this.#books.clear();
  }

  async movementsOf(facts: readonly PartitionFact[]): Promise<MovementRecord<number>[]> {
    const records: MovementRecord<number>[] = [];
    for (let first = 0; first < facts.length; ) {
      const { count, missing } = this.#portion(facts, first);
      // Held here until the end of the portion: the cache may drop a book that is still needed.
      const books = await this.#load(missing);
      for (const fact of facts.slice(first, first + count)) records.push(this.#movementOf(fact, books));
      for (const [key, book] of books) this.#books.set(key, book);
      first += count;
    }
    return records;
  }

  /** How many facts, from one on, need so few books that one statement loads them; and the first fact of each such book. */
  #portion(
    facts: readonly PartitionFact[],
    first: number,
  ): { readonly count: number; readonly missing: ReadonlyMap<string, PartitionFact> } {
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
    if (decider.journal === undefined || (!fact.counts && !isCurrent)) return movementRecord(moved(fact), []);
    if (!isCurrent) throw new Error(`book ${key} is not at fact ${fact.sequence - 1} but at ${known?.sequence}`);
    const stored = storedFact(fact);
    const after = decider.replay(known.book, stored);
    const loans = fact.counts ? decider.journal.movement(known.book, after) : [];
    books.set(key, { book: after, sequence: fact.sequence, bytes: known.bytes + factBytes(stored) });
    return movementRecord(moved(fact), loans);
  }

  #emptyBook({ tenant_id, book_id }: PartitionFact): KnownBook {
    return { book: this.#deciderFor(book_id).empty(tenant_id, book_id), sequence: 0, bytes: emptyBookBytes };
  }
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

function moved(fact: PartitionFact) {
  return {
    ...bookOf(fact),
    sequence: fact.sequence,
    kind: fact.kind,
    recordedAt: fact.recorded_at,
    requestId: fact.request_id,
    item: fact.item,
    partition: fact.partition,
    eventNumber: fact.event_number,
  };
}
