import { expect, test } from '@jest/globals';
import type { BookKey, LoadedBook } from '#libs/database/books.ts';
import { BookPreparation } from './book-preparation.ts';
import type { ReadContext } from './read-context.ts';

interface Load {
  readonly bookId: string;
  readonly end: (isLoaded: boolean) => Promise<void>;
}

/** Books of a thousand facts, of which none is in memory until its load ends, and a clock that stands still. */
function preparationOf({ facts = 1_000 } = {}) {
  const loads: Load[] = [];
  const inMemory = new Map<string, number>();
  const clock = { now: 0 };
  const stored = { facts };
  const repairs: Promise<void>[] = [];
  const books = {
    repairsEnded: async () => void (await Promise.all(repairs)),
    sequenceInMemory: ({ bookId }: BookKey) => inMemory.get(bookId),
    readSequence: async () => stored.facts,
    loadLatest: ({ bookId }: BookKey) => {
      const { promise, resolve, reject } = Promise.withResolvers<LoadedBook<unknown>>();
      const end = (isLoaded: boolean) => {
        if (isLoaded) inMemory.set(bookId, stored.facts);
        if (isLoaded) resolve({} as LoadedBook<unknown>);
        else reject(new Error('Postgres does not answer'));
        return new Promise<void>(setImmediate);
      };
      loads.push({ bookId, end });
      return promise;
    },
  };
  const lookups = {
    clientOfLoan: { find: async (_tenant: string, loanId: string) => (loanId === 'none' ? undefined : 'maria') },
    bookOfReceipt: { find: async (_tenant: string, name: string) => (name === 'none' ? undefined : 'c/maria') },
  };
  const preparation = new BookPreparation({ books, lookups } as unknown as ReadContext, () => clock.now);
  const isReady = (clientId: string) => preparation.isReady({ tenantId: 'lender', clientId });
  const loaded = () => loads.map(({ bookId }) => bookId);
  /** A list with a Loan of each Client, whose book has so many facts. */
  const areReady = (sequences: Readonly<Record<string, number>>) => {
    const clients = Object.entries(sequences).map(([clientId, sequence]) => ({ clientId, sequence }));
    return preparation.areReady('lender', [...clients, ...clients]);
  };
  return { preparation, isReady, areReady, loads, loaded, inMemory, stored, repairs, clock };
}

test('a long book is ready once it was loaded, however often it was asked for', async () => {
  const { preparation, isReady, loads, loaded } = preparationOf();
  expect(await Promise.all([isReady('maria'), isReady('maria')])).toEqual([false, false]);
  expect(await preparation.isReady({ tenantId: 'lender', loanId: 'loan-1' })).toBe(false);
  expect(await preparation.isReady({ tenantId: 'lender', receipt: 'receipt-1' })).toBe(false);
  expect(loaded()).toEqual(['c/maria']);
  await loads[0]?.end(true);
  expect(await isReady('maria')).toBe(true);
});

test('a book that was loaded is ready when it was also written to Redis', async () => {
  const { isReady, loads, repairs } = preparationOf();
  const { promise, resolve } = Promise.withResolvers<void>();
  repairs.push(promise);
  expect(await isReady('maria')).toBe(false);
  await loads[0]?.end(true);
  expect(await isReady('maria')).toBe(false);
  resolve();
  await new Promise(setImmediate);
  expect(await isReady('maria')).toBe(true);
});

test('a short book, and a name under which nothing is recorded, are ready', async () => {
  const { preparation, isReady, loaded } = preparationOf({ facts: 500 });
  expect(await isReady('maria')).toBe(true);
  expect(await preparation.isReady({ tenantId: 'lender', loanId: 'none' })).toBe(true);
  expect(await preparation.isReady({ tenantId: 'lender', receipt: 'none' })).toBe(true);
  expect(loaded()).toEqual([]);
});

test('the page of a book that cannot be loaded is read, which says why, and a minute later it is tried again', async () => {
  const { isReady, loads, loaded, clock } = preparationOf();
  expect(await isReady('maria')).toBe(false);
  clock.now = 100_000;
  expect(await isReady('maria')).toBe(false);
  await loads[0]?.end(false);
  expect(await isReady('maria')).toBe(true);
  clock.now += 60_000;
  expect(await isReady('maria')).toBe(false);
  expect(loaded()).toEqual(['c/maria', 'c/maria']);
});

test('a book that does not stay in memory is read by pages for a minute', async () => {
  const { isReady, loads, inMemory, clock } = preparationOf();
  await isReady('maria');
  await loads[0]?.end(true);
  inMemory.clear();
  clock.now = 59_999;
  expect(await isReady('maria')).toBe(true);
  clock.now = 60_000;
  expect(await isReady('maria')).toBe(false);
});

test('a book in memory that lacks many facts is ready once they were loaded', async () => {
  const { isReady, loads, loaded, inMemory, stored } = preparationOf({ facts: 9_000 });
  inMemory.set('c/maria', 8_500);
  expect(await isReady('maria')).toBe(true);
  stored.facts += 1;
  expect(await isReady('maria')).toBe(false);
  await loads[0]?.end(true);
  expect(await isReady('maria')).toBe(true);
  // Again within a minute: of a book that stays in memory only the new facts are loaded.
  stored.facts += 501;
  expect(await isReady('maria')).toBe(false);
  expect(loaded()).toEqual(['c/maria', 'c/maria']);
});

test('a book in memory that cannot be brought up to date is read, alone and in a list, and later tried again', async () => {
  const { isReady, areReady, loads, loaded, inMemory, clock } = preparationOf({ facts: 9_000 });
  inMemory.set('c/maria', 8_000);
  expect(await areReady({ maria: 9_000 })).toBe(false);
  await loads[0]?.end(false);
  expect(await areReady({ maria: 9_000 })).toBe(true);
  expect(await isReady('maria')).toBe(true);
  clock.now += 60_000;
  expect(await areReady({ maria: 9_000 })).toBe(false);
  expect(loaded()).toEqual(['c/maria', 'c/maria']);
});

test('two books are loaded at once, and others in the order in which they were asked for', async () => {
  const { isReady, loads, loaded } = preparationOf();
  for (const name of ['a', 'b', 'c', 'd']) expect(await isReady(name)).toBe(false);
  expect(loaded()).toEqual(['c/a', 'c/b']);
  await loads[1]?.end(false);
  expect(loaded()).toEqual(['c/a', 'c/b', 'c/c']);
  await loads[0]?.end(true);
  expect(loaded()).toEqual(['c/a', 'c/b', 'c/c', 'c/d']);
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(isReady))).toEqual([true, true, false, false]);
});

test('of very many long books some wait in their pages instead', async () => {
  const { isReady, loads, loaded } = preparationOf();
  for (let index = 0; index <= 100; index += 1) expect(await isReady(`client-${index}`)).toBe(false);
  for (let index = 0; index < loads.length; index += 1) await loads[index]?.end(true);
  expect(loaded()).toHaveLength(100);
  expect(await isReady('client-100')).toBe(false);
  expect(loaded()).toHaveLength(101);
});

test('a list is ready while its books have few facts together, and otherwise once all of them were loaded', async () => {
  const { areReady, loads, loaded } = preparationOf();
  expect(await areReady({ a: 200, b: 300 })).toBe(true);
  expect(loaded()).toEqual([]);
  expect(await areReady({ a: 200, b: 301 })).toBe(false);
  expect(loaded()).toEqual(['c/a', 'c/b']);
  await loads[0]?.end(true);
  await loads[1]?.end(true);
  expect(await areReady({ a: 200, b: 301 })).toBe(true);
  expect(loaded()).toEqual(['c/a', 'c/b']);
});

test('a list waits for the new facts of a long book in memory, and not for the others', async () => {
  const { areReady, loads, loaded, inMemory, clock } = preparationOf();
  inMemory.set('c/long', 9_000);
  const answer = areReady({ long: 9_001, short: 3 });
  expect(loaded()).toEqual(['c/long']);
  await loads[0]?.end(true);
  expect(await answer).toBe(true);
  clock.now += 60_000;
  expect(await areReady({ long: 9_600 })).toBe(false);
});

test('a list with a book that cannot be loaded is read, which says why', async () => {
  const { areReady, loads } = preparationOf();
  expect(await areReady({ a: 501 })).toBe(false);
  await loads[0]?.end(false);
  expect(await areReady({ a: 501 })).toBe(true);
});
