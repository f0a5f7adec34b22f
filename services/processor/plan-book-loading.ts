/** Chooses which books are loaded for the first entries of a batch, so that all of them fit into memory together. */
import { type BookKey, bookKeyText } from '#libs/database/books.ts';
import { booksOf, type LogEntry } from './log-entry.ts';

/** A book of an entry that is not in memory. */
export interface MissingBook {
  readonly key: BookKey;
  readonly partition: number;
}

export interface BookLoadingPlan {
  /** How many entries, from the first on, are decided now: at least one. */
  readonly entryCount: number;
  readonly loaded: readonly MissingBook[];
  /** Books of the first entry that do not fit beside its other books. */
  readonly unaffordable: readonly MissingBook[];
}

export interface BookMemoryLimits {
  /** Of the books of several entries. */
  readonly maxBatchBytes: number;
  /** Of the books of the first entry, which cannot be divided, and of each book. */
  readonly maxEntryBytes: number;
}

export class BookTooLargeError extends Error {
  override readonly name = 'BookTooLargeError';

  constructor(key: string, bytes: number, maxBytes: number) {
    const [taken, affordable] = [bytes, maxBytes].map((each) => Math.ceil(each / 1024 / 1024));
    super(
      `book ${key} takes about ${taken} MiB, and the books of one record may take ${affordable} MiB together; ` +
        'start the processor with a larger heap, then release the book',
    );
  }
}

/** `missing` and `bytes` are by `bookKeyText`; a book without an entry in `bytes` is a new one. */
export function planBookLoading(
  entries: readonly LogEntry[],
  missing: ReadonlyMap<string, MissingBook>,
  bytes: ReadonlyMap<string, number>,
  { maxBatchBytes, maxEntryBytes }: BookMemoryLimits,
): BookLoadingPlan {
  const loaded = new Map<string, MissingBook>();
  const unaffordable = new Map<string, MissingBook>();
  let sum = 0;
  for (const [entryCount, entry] of entries.entries()) {
    for (const key of booksOf(entry)) {
      const text = bookKeyText(key);
      const book = missing.get(text);
      if (book === undefined || loaded.has(text) || unaffordable.has(text)) continue;
      const bookBytes = bytes.get(text) ?? 0;
      const fits = sum + bookBytes <= (entryCount === 0 ? maxEntryBytes : maxBatchBytes);
      // Books that were chosen for this entry are loaded nevertheless: it is the next one.
      if (!fits && entryCount > 0)
        return { entryCount, loaded: [...loaded.values()], unaffordable: [...unaffordable.values()] };
      if (fits) {
        loaded.set(text, book);
        sum += bookBytes;
      } else unaffordable.set(text, book);
    }
  }
  return { entryCount: entries.length, loaded: [...loaded.values()], unaffordable: [...unaffordable.values()] };
}
