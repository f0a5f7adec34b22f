/** Books kept decoded in this process: those asked for last, up to so many facts together. */
import type { BookName, StandingBook } from './books.ts';

/** What a book without facts still takes. */
const leastWeight = 8;

export class BookShelf {
  readonly #books = new Map<string, StandingBook<unknown>>();
  readonly #most: number;
  #weight = 0;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  get(name: BookName): StandingBook<unknown> | undefined {
    const key = keyOf(name);
    const found = this.#books.get(key);
    if (found === undefined) return undefined;
    // A map keeps the order of insertion: what was asked last stands last.
    this.#books.delete(key);
    this.#books.set(key, found);
    return found;
  }

  /** Never replaced by one that holds fewer facts: a slower reader must not take the shelf back. */
  put(standing: StandingBook<unknown>): void {
    const key = keyOf(standing);
    const held = this.#books.get(key);
    if (held !== undefined) {
      if (held.sequence > standing.sequence) return;
      this.#remove(key, held);
    }
    this.#books.set(key, standing);
    this.#weight += weightOf(standing);
    for (const [oldest, book] of this.#books) {
      if (this.#weight <= this.#most || oldest === key) break;
      this.#remove(oldest, book);
    }
  }

  #remove(key: string, standing: StandingBook<unknown>): void {
    this.#books.delete(key);
    this.#weight -= weightOf(standing);
  }
}

function keyOf({ tenantId, bookId }: BookName): string {
  return `${tenantId}/${bookId}`;
}

function weightOf({ sequence }: StandingBook<unknown>): number {
  return sequence + leastWeight;
}
