/** A merchant's book: the Loans its sales began, and what is out on them on a day. */
import { merchantLoan, merchantTotals } from '#libs/book/answers/merchant.ts';
import { momentOf } from '#libs/book/answers/moment.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { isRefusal } from '#libs/contract/refusals.ts';
import { mayServe } from '#libs/contract/versions.ts';
import type { Handlers, Outcome } from '#libs/door/handler.ts';
import { walkLoans } from '#libs/store/read-loans.ts';
import { loansAt } from './loan-pages.ts';
import type { AskedOf, Reads } from './reads.ts';
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
    found
      .map(({ book, order }) => {
        const moment = momentOf(book.folded, dayOf(query.on), reads.calendars);
        return merchantLoan(moment, order, { tenantId: tenancy.id, clientId: book.clientId });
      })
      .filter(({ row }) => mayServe(knowing, 'loan_state', row.state)),
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
