import { expect, test } from '@jest/globals';
import type { LogEntry } from './log-entry.ts';
import { type MissingBook, planBookLoading } from './plan-book-loading.ts';

const sizes: Readonly<Record<string, number>> = { small: 10, other: 10, half: 50, large: 90, huge: 200 };

const limits = { maxBatchBytes: 100, maxEntryBytes: 160 };

/** One entry for each list of Clients. */
function entriesOf(...clients: readonly (readonly string[])[]): LogEntry[] {
  return clients.map((names, offset) => {
    const items = names.map((name) => ({ submission: { tenantId: 'acme', bookId: `c/${name}` } }));
    return { partition: 0, offset, record: {}, items } as unknown as LogEntry;
  });
}

/** The plan for books that may take 100 bytes together, and 160 for one entry; by Client. */
function planned(known: readonly string[], ...clients: readonly (readonly string[])[]) {
  const missing = new Map<string, MissingBook>();
  const bytes = new Map<string, number>();
  for (const name of clients.flat()) {
    if (known.includes(name)) continue;
    missing.set(`acme/c/${name}`, { key: { tenantId: 'acme', bookId: `c/${name}` }, partition: 0 });
    const size = sizes[name];
    if (size !== undefined) bytes.set(`acme/c/${name}`, size);
  }
  const { entryCount, loaded, unaffordable } = planBookLoading(entriesOf(...clients), missing, bytes, limits);
  const names = (books: readonly MissingBook[]) => books.map(({ key }) => key.bookId.slice(2));
  return { entryCount, loaded: names(loaded), unaffordable: names(unaffordable) };
}

test('entries are decided together as long as their books fit', () => {
  expect(planned([], ['half'], ['small'], ['other'], ['large'])).toEqual({
    entryCount: 3,
    loaded: ['half', 'small', 'other'],
    unaffordable: [],
  });
});

test('a book that several entries change, or that is in memory, counts once or not at all', () => {
  expect(planned(['huge'], ['half'], ['huge'], ['half'], ['small'])).toMatchObject({ entryCount: 4, unaffordable: [] });
});

test('a new book takes no memory', () => {
  expect(planned([], ['large'], ['new'], ['small'])).toMatchObject({
    entryCount: 3,
    loaded: ['large', 'new', 'small'],
  });
});

test('of the first entry, the books that do not fit beside its other books are unaffordable', () => {
  expect(planned([], ['half', 'huge', 'small'], ['other'])).toEqual({
    entryCount: 2,
    loaded: ['half', 'small', 'other'],
    unaffordable: ['huge'],
  });
});

test('an entry whose books take more than a batch may load is decided alone', () => {
  expect(planned([], ['half', 'large'], ['other'])).toEqual({
    entryCount: 1,
    loaded: ['half', 'large'],
    unaffordable: [],
  });
});

test('a book above the bound is unaffordable only when its entry is the first', () => {
  expect(planned([], ['small'], ['huge'])).toMatchObject({ entryCount: 1, unaffordable: [] });
  expect(planned([], ['huge'], ['small'])).toEqual({ entryCount: 2, loaded: ['small'], unaffordable: ['huge'] });
});
