/** The hot books, kept in memory within bounds. What stands on the shelf is committed; a batch works on copies. */
import { weightOf } from '#libs/store/book-shelf.ts';
import type { BookName, StandingBook } from '#libs/store/books.ts';
import { LastUsed } from '#libs/store/last-used.ts';

interface Shelved {
  readonly partition: number;
  readonly standing: StandingBook<unknown>;
}

export function bookName({ tenantId, bookId }: BookName): string {
  return `${tenantId}/${bookId}`;
}

export class Shelf {
  readonly #books = new LastUsed<Shelved>();
  readonly #most: number;
  #weight = 0;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  has(name: string): boolean {
    return this.#books.has(name);
  }

  find(name: string): StandingBook<unknown> | undefined {
    return this.#books.use(name)?.standing;
  }

  put(partition: number, standing: StandingBook<unknown>): void {
    const name = bookName(standing);
    const held = this.#books.peek(name)?.standing;
    this.#weight += weightOf(standing) - (held === undefined ? 0 : weightOf(held));
    this.#books.put(name, { partition, standing });
  }

  /** After a batch, never within one: a batch relies on what was loaded for it. */
  trim(): void {
    for (let oldest = this.#books.oldest; oldest !== undefined; oldest = this.#books.oldest) {
      // What was used last is needed next, however much it weighs.
      if (this.#weight <= this.#most || this.#books.size === 1) return;
      this.#remove(oldest);
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
    const held = this.#books.peek(name);
    if (held !== undefined) this.#weight -= weightOf(held.standing);
    this.#books.remove(name);
  }
}
