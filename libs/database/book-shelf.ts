/** Books kept decoded in this process: those asked for last, up to so many facts together. */
import { type BookName, bookName, type StandingBook } from './books.ts';
import { LastUsed } from './last-used.ts';

/** What a book without facts still takes, in facts. */
const leastWeight = 16;

export class BookShelf {
  readonly #books = new LastUsed<StandingBook<unknown>>();
  readonly #most: number;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  get(name: BookName): StandingBook<unknown> | undefined {
    return this.#books.use(bookName(name));
  }

  remove(name: BookName): void {
    this.#books.remove(bookName(name));
  }

  /** Never replaced by one that holds fewer facts: a slower reader must not take the shelf back. */
  put(standing: StandingBook<unknown>): void {
    const name = bookName(standing);
    const held = this.#books.peek(name);
    if (held !== undefined && held.sequence > standing.sequence) return;
    this.#books.put(name, standing, weightOf(standing));
    this.#books.shrinkTo(this.#most);
  }
}

/** In facts: each takes about one and a half kilobytes of memory. */
export function weightOf({ sequence }: StandingBook<unknown>): number {
  return sequence + leastWeight;
}
