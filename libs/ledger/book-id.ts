/** The names of books within a Tenancy: its own, and one for each Client. Pure. */

import { isIdentifier } from '#libs/schema/form.ts';

/** The Tenancy's own book. */
export const tenancyBookId = 't';

export function clientBookId(clientId: string): string {
  return `c/${clientId}`;
}

/** The Client of a book, undefined for the Tenancy's own. */
export function clientOf(bookId: string): string | undefined {
  return bookId.startsWith('c/') ? bookId.slice(2) : undefined;
}

export function isBookId(text: string): boolean {
  const client = clientOf(text);
  return client === undefined ? text === tenancyBookId : isIdentifier(client);
}
