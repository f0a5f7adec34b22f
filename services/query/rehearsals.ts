/** Rehearsal: the real books under other values of a product, before anybody sells it. Records nothing. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { configurationAt } from '#libs/database/read-listings.ts';
import { walkLoans } from '#libs/database/read-loans.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import type { LoanByItself } from '#libs/ledger/answers/recorded-row.ts';
import {
  type Rehearsal,
  type Rehearsed,
  type RehearsedLoan,
  rehearsalWork,
  rehearse,
  rehearsedLoan,
  unknownChanges,
} from '#libs/ledger/client/rehearsal.ts';
import type { InPieces } from '#libs/ledger/cooperative-loop.ts';
import { checkFrame } from '#libs/product/frame.ts';
import { offerOf } from '#libs/product/product.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { type Aside, mostWork } from './fair-scheduler.ts';
import { derivedOfLoan, type LoanOnPage, loansAt } from './loan-pages.ts';
import { homeMarket, type ReadContext, type RequestTo } from './reads.ts';
import { toldOfAll } from './single-loan-reads.ts';
import { type BookOnPage, Unsound } from './underivable-book.ts';
import { knowingOf, unserved } from './version-filter.ts';

export function rehearsalReads(reads: ReadContext, aside: Aside): RouteHandlers {
  return { rehearse: (asked) => rehearsal(reads, aside, asked) };
}

const usualLimit = 50;

/** Loan by Loan of the product, newest first; those that would not change are passed over, so a page may be short. */
async function rehearsal(reads: ReadContext, aside: Aside, asked: RequestTo<'rehearse'>): Promise<RouteResult> {
  const { tenancy, timing, params, body } = asked;
  const { on, limit = usualLimit, cursor } = body;
  const values = body.values as JsonObject;
  const configurationId = String(params['configuration_id']);
  const filters = { configuration_id: configurationId, on, values: canonicalJson(values) };
  const listing = { tenantId: tenancy.id, name: 'rehearsal', filters };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return refuse('invalid_query', { field: '/cursor', bound: 'a cursor of this rehearsal' });
  const found = await configurationAt(reads.database, timing, { tenantId: tenancy.id, id: configurationId });
  if (found === undefined) return refuse('no_configuration');
  const { archetype } = JSON.parse(found.answer) as { archetype: Archetype };
  const framed = checkFrame({ archetype, values, market: homeMarket(reads, asked) });
  if (isRefusal(framed)) return framed;
  const before = Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER);
  const page = await walkLoans(reads.database, timing, { tenantId: tenancy.id, configurationId, before, limit });
  const loans = await loansAt(reads, asked, page.loans);
  const { markets, calendars } = reads;
  const product = { archetype, values, offer: offerOf(archetype, values) };
  const question = { configurationId, product, on: dayOf(on), markets, calendars };
  const { examined, derived } = await aside.derive(asked, rehearsedPage(loans, question));
  const tell = ({ id, ...named }: LoanByItself): RehearsedLoan => unknownChanges({ loanId: id, ...named });
  const told = await toldOfAll<RehearsedLoan | undefined>(reads, asked, { page: loans, derived, tell });
  // Where the page ended before its Loans did, the next begins after the last that was looked at.
  const next = examined < loans.length ? page.loans[examined - 1]?.number : page.next;
  const goesOn = next === undefined ? {} : { cursor: reads.cursors.give(listing, [next]) };
  const said = { configuration_id: configurationId, on, examined };
  const knowing = knowingOf(reads.contract, asked);
  const changed = told.filter((loan) => loan !== undefined);
  const shown = changed.filter((loan) => unserved(knowing, loan) === undefined);
  return { status: 200, body: { ...said, loans: shown, ...goesOn } };
}

/** Whole Clients, as many as one question may cost; the first of them always, or nobody would come past it. */
function* rehearsedPage(
  loans: readonly LoanOnPage[],
  question: Rehearsal,
): InPieces<{ readonly examined: number; readonly derived: readonly (RehearsedLoan | undefined | Unsound)[] }> {
  // A Client's Loans stand in one book: it is folded once for all of them.
  const books = new Map<BookOnPage, Rehearsed | Unsound>();
  const derived: (RehearsedLoan | undefined | Unsound)[] = [];
  let work = 0;
  for (const [nth, loan] of loans.entries()) {
    yield;
    const { book } = loan;
    let rehearsed = books.get(book);
    if (rehearsed === undefined) {
      work += book instanceof Unsound ? 0 : rehearsalWork(book);
      if (work > mostWork && nth > 0) return { examined: nth, derived };
      rehearsed = yield* rehearsedBook(book, question);
      books.set(book, rehearsed);
    }
    derived.push(changesOf(loan, rehearsed));
  }
  return { examined: loans.length, derived };
}

function* rehearsedBook(book: BookOnPage, question: Rehearsal): InPieces<Rehearsed | Unsound> {
  if (book instanceof Unsound) return book;
  try {
    return yield* rehearse(book, question);
  } catch (fault) {
    return new Unsound(fault);
  }
}

function changesOf(loan: LoanOnPage, rehearsed: Rehearsed | Unsound): RehearsedLoan | undefined | Unsound {
  if (rehearsed instanceof Unsound) return rehearsed;
  return derivedOfLoan(loan, ({ book, order }) => rehearsedLoan(rehearsed, order, book.clientId));
}
