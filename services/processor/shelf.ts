/** The hot books, kept in memory within bounds. What stands on the shelf is committed; a batch works on copies. */
import type { BookName, StandingBook } from '#libs/store/books.ts';

export interface ShelfBounds {
  readonly books: number;
  /** Facts of all books together, for a book weighs what it holds. */
  readonly facts: number;
}

const defaultBounds: ShelfBounds = { books: 50_000, facts: 2_000_000 };

interface Shelved {
  readonly partition: number;
  readonly standing: StandingBook<unknown>;
}

export function bookName({ tenantId, bookId }: BookName): string {
  return `${tenantId}/${bookId}`;
}

export class Shelf {
  readonly #bounds: ShelfBounds;
  /** In the order of use, the longest unused first. */
  readonly #books = new Map<string, Shelved>();
  #facts = 0;

  constructor(bounds: ShelfBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#books.size;
  }

  has(name: string): boolean {
    return this.#books.has(name);
  }

  find(name: string): StandingBook<unknown> | undefined {
    const found = this.#books.get(name);
    if (found === undefined) return undefined;
    this.#books.delete(name);
    this.#books.set(name, found);
    return found.standing;
  }

  put(partition: number, standing: StandingBook<unknown>): void {
    const name = bookName(standing);
    this.#remove(name);
    this.#books.set(name, { partition, standing });
    this.#facts += standing.sequence;
  }

  /** After a batch, never within one: a batch relies on what was loaded for it. */
  trim(): void {
    for (const name of this.#books.keys()) {
      if (this.#books.size <= this.#bounds.books && this.#facts <= this.#bounds.facts) return;
      this.#remove(name);
    }
  }

  /** What another processor may have written to meanwhile. */
  dropPartitions(partitions: ReadonlySet<number>): void {
    for (const [name, { partition }] of this.#books) if (partitions.has(partition)) this.#remove(name);
  }

  /** What was not ours all the time, as far as we know, may have been written to by another. */
  keepPartitions(partitions: ReadonlySet<number>): void {
    for (const [name, { partition }] of this.#books) if (!partitions.has(partition)) this.#remove(name);
  }

  #remove(name: string): void {
    const found = this.#books.get(name);
    if (found === undefined) return;
    this.#books.delete(name);
    this.#facts -= found.standing.sequence;
  }
}
