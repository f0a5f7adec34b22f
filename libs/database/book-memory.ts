/** The decoded books that a process holds, the most recently read ones. */
import { LRUCache } from 'lru-cache';

interface SizedBook {
  readonly bytes: number;
}

/** A book above the limit is held beside small ones, one at a time: it is the most expensive to read again. */
const maxShareOfBook = 0.75;

export function createBookMemory<Book extends SizedBook>(maxBytes: number): LRUCache<string, Book> {
  const maxSize = Math.max(maxBytes, 1);
  const largest = Math.ceil(maxSize * maxShareOfBook);
  return new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => Math.min(bytes, largest) });
}
