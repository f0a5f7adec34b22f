/** The words a Tenancy's versions are sold under, and what each names now. */

import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { heldKeys, lookupKeyAnswer, namedBy } from '#libs/tenant/lookup-keys.ts';
import { type ReadContext, type RequestTo, tenancyBook } from './reads.ts';
import { knowingOf, unserved } from './version-filter.ts';

export function lookupKeyReads(reads: ReadContext): RouteHandlers {
  return {
    listLookupKeys: (asked) => listLookupKeys(reads, asked),
    readLookupKey: (asked) => readLookupKey(reads, asked),
  };
}

/** Whoever names keys wants to sell by them, and is given the whole versions. */
async function listLookupKeys(reads: ReadContext, asked: RequestTo<'listLookupKeys'>): Promise<RouteResult> {
  const book = await tenancyBook(reads, asked);
  const named = asked.query.lookup_key;
  const withVersion = named !== undefined;
  const knowing = knowingOf(reads.contract, asked);
  const keys = await asked.timing.measure('derive', () =>
    heldKeys(book.lookupKeys, named)
      .map((key) => lookupKeyAnswer(key, book, { withVersion }))
      .filter((key) => unserved(knowing, key) === undefined),
  );
  return { status: 200, body: { lookup_keys: keys } };
}

async function readLookupKey(reads: ReadContext, asked: RequestTo<'readLookupKey'>): Promise<RouteResult> {
  const book = await tenancyBook(reads, asked);
  const held = namedBy(book.lookupKeys, String(asked.params['lookup_key']));
  if (held === undefined) return refuse('not_found');
  return { status: 200, body: lookupKeyAnswer(held, book, { withVersion: true }) };
}
