/** A merchant's book: the Loans its sales began, and what is out on them on a day. */
import { type MerchantLoan, merchantLoan, merchantTotals } from '#libs/book/answers/merchant.ts';
import { type Moment, momentOf } from '#libs/book/answers/moment.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { isRefusal } from '#libs/contract/refusals.ts';
import { mayServe } from '#libs/contract/versions.ts';
import type { Handlers, Outcome } from '#libs/door/handler.ts';
import { walkLoans } from '#libs/store/read-loans.ts';
import { loansAt } from './loan-pages.ts';
import type { AskedOf, LoanInBook, Reads } from './reads.ts';
import { knowingOf } from './serving.ts';

export function merchantReads(reads: Reads): Handlers {
  return { readMerchantBook: (asked) => readMerchantBook(reads, asked) };
}

async function readMerchantBook(reads: Reads, asked: AskedOf<'readMerchantBook'>): Promise<Outcome> {
  const { tenancy, timing, params, query } = asked;
  const merchantRef = String(params['merchant_ref']);
  const listing = { tenantId: tenancy.id, name: 'merchant', filters: { merchant_ref: merchantRef, on: query.on } };
  const taken = reads.cursors.take(listing, query.cursor);
  if (isRefusal(taken)) return taken;
  const before = Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER);
  const walk = { tenantId: tenancy.id, merchantRef, before, limit: query.limit };
  const { loans: page, next } = await walkLoans(reads.database, timing, walk);
  const found = await loansAt(reads, asked, page);
  const knowing = knowingOf(reads.contract, asked);
  const loans = await timing.measure('derive', () =>
    merchantLoans(found, (book) => momentOf(book.folded, dayOf(query.on), reads.calendars)).filter(({ row }) =>
      mayServe(knowing, 'loan_state', row.state),
    ),
  );
  return {
    status: 200,
    body: {
      merchant_ref: merchantRef,
      on: query.on,
      loans: loans.map(({ row }) => row),
      currencies: merchantTotals(loans),
      page_totals: true,
      ...(next === undefined ? {} : { cursor: reads.cursors.give(listing, [next]) }),
    },
  };
}

/** A Client's Loans stand in one book, whose day is opened once for all of them. */
function merchantLoans(found: readonly LoanInBook[], opened: (book: ClientBook) => Moment): MerchantLoan[] {
  const moments = new Map<ClientBook, Moment>();
  return found.map(({ book, order }) => {
    const moment = moments.get(book) ?? opened(book);
    moments.set(book, moment);
    return merchantLoan(moment, order, book);
  });
}
