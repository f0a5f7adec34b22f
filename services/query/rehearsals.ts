/** Rehearsal: the real books under other values of a product, before anybody sells it. Records nothing. */
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { type Rehearsed, rehearse, rehearsedLoan } from '#libs/book/client/rehearsal.ts';
import type { Archetype } from '#libs/book/terms.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { canonicalJson } from '#libs/contract/canonical.ts';
import type { JsonObject } from '#libs/contract/json.ts';
import { isRefusal, refuse } from '#libs/contract/refusals.ts';
import type { Handlers, Outcome } from '#libs/door/handler.ts';
import { configurationAt } from '#libs/store/read-listings.ts';
import { walkLoans } from '#libs/store/read-loans.ts';
import { checkFrame } from '#libs/tenancy/frame.ts';
import { offerOf } from '#libs/tenancy/product.ts';
import { loansAt } from './loan-pages.ts';
import { type AskedOf, homeMarket, type Reads } from './reads.ts';
import { knowingOf, unserved } from './serving.ts';

export function rehearsalReads(reads: Reads): Handlers {
  return { rehearse: (asked) => rehearsal(reads, asked) };
}

const usualLimit = 50;

/** Loan by Loan of the product, newest first; those that would not change are passed over, so a page may be short. */
async function rehearsal(reads: Reads, asked: AskedOf<'rehearse'>): Promise<Outcome> {
  const { tenancy, timing, params, body } = asked;
  const { on, limit = usualLimit, cursor } = body;
  const values = body.values as JsonObject;
  const configurationId = String(params['configuration_id']);
  const found = await configurationAt(reads.database, timing, { tenantId: tenancy.id, id: configurationId });
  if (found === undefined) return refuse('no_configuration');
  const { archetype } = JSON.parse(found.answer) as { archetype: Archetype };
  const framed = checkFrame({ archetype, values, market: homeMarket(reads, asked) });
  if (isRefusal(framed)) return framed;
  const filters = { configuration_id: configurationId, on, values: canonicalJson(values) };
  const listing = { tenantId: tenancy.id, name: 'rehearsal', filters };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return refuse('invalid_query', { field: '/cursor', bound: 'a cursor of this rehearsal' });
  const before = Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER);
  const page = await walkLoans(reads.database, timing, { tenantId: tenancy.id, configurationId, before, limit });
  const loans = await loansAt(reads, asked, page.loans);
  const { markets, calendars } = reads;
  const product = { archetype, values, offer: offerOf(archetype, values) };
  const question = { configurationId, product, on: dayOf(on), markets, calendars };
  const changed = await timing.measure('derive', () => {
    // A Client's Loans stand in one book: it is folded once for all of them.
    const books = new Map<ClientBook, Rehearsed>();
    return loans.flatMap(({ book, order }) => {
      const rehearsed = books.get(book) ?? rehearse(book, question);
      books.set(book, rehearsed);
      return rehearsedLoan(rehearsed, order, book.clientId) ?? [];
    });
  });
  const next = page.next === undefined ? {} : { cursor: reads.cursors.give(listing, [page.next]) };
  const said = { configuration_id: configurationId, on, examined: loans.length };
  const knowing = knowingOf(reads.contract, asked);
  const shown = changed.filter((loan) => unserved(knowing, loan) === undefined);
  return { status: 200, body: { ...said, loans: shown, ...next } };
}
