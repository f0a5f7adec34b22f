/** Books kept decoded in this process: those asked for last, up to so many facts together. */
import type { BookName, StandingBook } from './books.ts';
import { LastUsed } from './last-used.ts';

/** What a book without facts still takes, in facts. */
const leastWeight = 16;

export class BookShelf {
  readonly #books = new LastUsed<StandingBook<unknown>>();
  readonly #most: number;
  #weight = 0;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  get(name: BookName): StandingBook<unknown> | undefined {
    return this.#books.use(keyOf(name));
  }

  /** Never replaced by one that holds fewer facts: a slower reader must not take the shelf back. */
  put(standing: StandingBook<unknown>): void {
    const key = keyOf(standing);
    const held = this.#books.peek(key);
    if (held !== undefined && held.sequence > standing.sequence) return;
    this.#weight += weightOf(standing) - (held === undefined ? 0 : weightOf(held));
    this.#books.put(key, standing);
    for (let oldest = this.#books.oldest; oldest !== undefined && oldest !== key; oldest = this.#books.oldest) {
      if (this.#weight <= this.#most) break;
      this.#weight -= weightOf(this.#books.peek(oldest) as StandingBook<unknown>);
      this.#books.remove(oldest);
    }
  }
}

function keyOf({ tenantId, bookId }: BookName): string {
  return `${tenantId}/${bookId}`;
}

/** In facts: each takes about one and a half kilobytes of memory. */
export function weightOf({ sequence }: StandingBook<unknown>): number {
  return sequence + leastWeight;
}
