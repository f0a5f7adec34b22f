/** Recently used books as committed last, bounded by the facts they hold. */
import { LRUCache } from 'lru-cache';
import { bookKeyText, type LoadedBook } from '#libs/database/books.ts';

interface CachedBook {
  readonly partition: number;
  readonly book: LoadedBook<unknown>;
}

/** What a book without facts takes in memory, counted in facts. */
const emptyBookWeight = 16;

export class BookCache {
  readonly #books: LRUCache<string, CachedBook>;

  constructor(maxFacts: number) {
    const maxSize = Math.max(maxFacts, 1);
    this.#books = new LRUCache({
      maxSize,
      // Capped, because lru-cache does not keep an entry above maxSize: the one book a Client posts to must stay cached.
      sizeCalculation: ({ book }) => Math.min(book.sequence + emptyBookWeight, maxSize),
    });
  }

  find(key: string): LoadedBook<unknown> | undefined {
    return this.#books.get(key)?.book;
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

  #dropWhere(isDropped: (partition: number) => boolean): void {
    for (const [key, { partition }] of this.#books.entries()) if (isDropped(partition)) this.#books.delete(key);
  }
}
