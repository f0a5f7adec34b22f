import { emptyBook, type LoadedBook } from '#libs/database/books.ts';
import { adder } from './adder.ts';

/** A book of the Tenancy `acme` with so many facts. */
export function loadedBook(bookId: string, sequence: number, bytes = 1_000): LoadedBook<unknown> {
  const empty = emptyBook(() => adder, { tenantId: 'acme', bookId });
  return { ...empty, sequence, versionCount: sequence, bytes };
}
