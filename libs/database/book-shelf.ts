/** Books kept decoded in this process: those asked for last, up to so many facts together. */
import { type BookKey, bookKeyText, type LoadedBook } from './books.ts';
import { LastUsed } from './last-used.ts';

/** What a book without facts still takes, in facts. */
const leastWeight = 16;

export class BookShelf {
  readonly #books = new LastUsed<LoadedBook<unknown>>();
  readonly #most: number;

  constructor(mostFacts: number) {
    this.#most = mostFacts;
  }

  get(name: BookKey): LoadedBook<unknown> | undefined {
    return this.#books.use(bookKeyText(name));
  }

  remove(name: BookKey): void {
    this.#books.remove(bookKeyText(name));
  }

  /** Never replaced by one that holds fewer facts: a slower reader must not take the shelf back. */
  put(standing: LoadedBook<unknown>): void {
    const name = bookKeyText(standing);
    const held = this.#books.peek(name);
    if (held !== undefined && held.sequence > standing.sequence) return;
    this.#books.put(name, standing, weightOf(standing));
    this.#books.shrinkTo(this.#most);
  }
}

/** In facts: each takes about one and a half kilobytes of memory. */
export function weightOf({ sequence }: LoadedBook<unknown>): number {
  return sequence + leastWeight;
}
