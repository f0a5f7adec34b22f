/** A merchant's book: the Loans its sales began, and what is out on them on a day. */

import { mayServe } from '#libs/api/versions.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { walkLoans } from '#libs/database/read-loans.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type MerchantLoan, merchantLoan, merchantTotals } from '#libs/ledger/answers/merchant.ts';
import { type BookOnDay, bookOnDay } from '#libs/ledger/answers/moment.ts';
import { type LoanByItself, type RecordedRow, recordedRow } from '#libs/ledger/answers/recorded-row.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { derivedOfLoan, type LoanOnPage, loansAt } from './loan-pages.ts';
import type { ReadContext, RequestTo } from './reads.ts';
import { toldOfAll } from './single-loan-reads.ts';
import type { Unsound } from './underivable-book.ts';
import { knowingOf } from './version-filter.ts';

export function merchantReads(reads: ReadContext): RouteHandlers {
  return { readMerchantBook: (asked) => readMerchantBook(reads, asked) };
}

async function readMerchantBook(reads: ReadContext, asked: RequestTo<'readMerchantBook'>): Promise<RouteResult> {
  const { tenancy, timing, params, query } = asked;
  const merchantRef = String(params['merchant_ref']);
  const listing = { tenantId: tenancy.id, name: 'merchant', filters: { merchant_ref: merchantRef, on: query.on } };
  const taken = reads.cursors.take(listing, query.cursor);
  if (isRefusal(taken)) return taken;
  const before = Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER);
  const walk = { tenantId: tenancy.id, merchantRef, before, limit: query.limit };
  const { loans: walked, next } = await walkLoans(reads.database, timing, walk);
  const found = await loansAt(reads, asked, walked);
  const derived = await timing.measure('derive', () =>
    merchantLoans(found, (book) => bookOnDay(book.folded, dayOf(query.on), reads.calendars)),
  );
  const tell = (loan: LoanByItself): Told => ({ row: recordedRow(loan) });
  const told = await toldOfAll<Told>(reads, asked, { page: found, derived, tell });
  const knowing = knowingOf(reads.contract, asked);
  const loans = told.filter(({ row }) => mayServe(knowing, 'loan_state', row.state));
  return {
    status: 200,
    body: {
      merchant_ref: merchantRef,
      on: query.on,
      loans: loans.map(({ row }) => row),
      currencies: merchantTotals(loans.filter(isDerived)),
      page_totals: true,
      ...(next === undefined ? {} : { cursor: reads.cursors.give(listing, [next]) }),
    },
  };
}

/** What adds to no total is a row alone. */
type Told = MerchantLoan | { readonly row: RecordedRow };

function isDerived(told: Told): told is MerchantLoan {
  return 'currency' in told;
}

/** A Client's Loans stand in one book, whose day is opened once for all of them. */
function merchantLoans(
  found: readonly LoanOnPage[],
  opened: (book: ClientBook) => BookOnDay,
): (MerchantLoan | Unsound)[] {
  const moments = new Map<ClientBook, BookOnDay>();
  return found.map((loan) =>
    derivedOfLoan(loan, ({ book, order }) => {
      const moment = moments.get(book) ?? opened(book);
      moments.set(book, moment);
      return merchantLoan(moment, order, book);
    }),
  );
}
