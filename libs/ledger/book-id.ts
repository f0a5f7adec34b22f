/** Ids of books within a Tenancy: the Tenancy's own book, and one book per Client. */

import { isIdentifier } from '#libs/schema/identifiers.ts';

export const tenancyBookId = 't';

export function clientBookId(clientId: string): string {
  return `c/${clientId}`;
}

/** Undefined for the Tenancy's own book. */
export function clientIdOf(bookId: string): string | undefined {
  return bookId.startsWith('c/') ? bookId.slice(2) : undefined;
}

export function requireClientId(bookId: string): string {
  const clientId = clientIdOf(bookId);
  if (clientId === undefined) throw new Error(`book ${bookId} is not the book of a Client; expected c/<client id>`);
  return clientId;
}

export function isBookId(text: string): boolean {
  const clientId = clientIdOf(text);
  return clientId === undefined ? text === tenancyBookId : isIdentifier(clientId);
}
