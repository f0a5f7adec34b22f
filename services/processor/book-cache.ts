/** The hot books, kept in memory within bounds. What stands on the shelf is committed; a batch works on copies. */
import { weightOf } from '#libs/database/book-shelf.ts';
import { bookKeyText, type LoadedBook } from '#libs/database/books.ts';
import { LastUsed } from '#libs/database/last-used.ts';

interface Shelved {
  readonly partition: number;
  readonly standing: LoadedBook<unknown>;
}

export class BookCache {
  readonly #books = new LastUsed<Shelved>();
  readonly #most: number;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  has(name: string): boolean {
    return this.#books.has(name);
  }

  find(name: string): LoadedBook<unknown> | undefined {
    return this.#books.use(name)?.standing;
  }

  /** Without being used by it. */
  peek(name: string): LoadedBook<unknown> | undefined {
    return this.#books.peek(name)?.standing;
  }

  put(partition: number, standing: LoadedBook<unknown>): void {
    this.#books.put(bookKeyText(standing), { partition, standing }, weightOf(standing));
  }

  /** After a batch, never within one: a batch relies on what was loaded for it. */
  trim(): void {
    this.#books.shrinkTo(this.#most);
  }

  /** What another processor may have written to meanwhile. */
  dropPartitions(partitions: ReadonlySet<number>): void {
    for (const [name, { partition }] of this.#books) if (partitions.has(partition)) this.#books.remove(name);
  }

  /** What was not ours all the time, as far as we know, may have been written to by another. */
  keepPartitions(partitions: ReadonlySet<number>): void {
    for (const [name, { partition }] of this.#books) if (!partitions.has(partition)) this.#books.remove(name);
  }
}
