/** A merchant's book: the Loans of its sales, and what is outstanding on them on a day. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { isMemberKnown } from '#libs/api/contract-versions.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import {
  type MerchantLoan,
  merchantLoanRow,
  merchantTotals,
  type UnderivableLoanRow,
  underivableLoanRow,
} from '#libs/ledger/answers/loan-listing.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { listingPosition } from './cursors.ts';
import { deriveLoanRows } from './load-page-books.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

export function merchantReads(context: ReadContext): RouteHandlers {
  return { readMerchantBook: (request) => readMerchantBook(context, request) };
}

async function readMerchantBook(context: ReadContext, request: RouteRequest<'readMerchantBook'>): Promise<RouteResult> {
  const { tenancy, timing, params, query } = request;
  const merchantRef = String(params['merchant_ref']);
  const scope = { tenantId: tenancy.id, name: 'merchant', filters: { merchant_ref: merchantRef, on: query.on } };
  const start = context.cursors.decode(scope, query.cursor);
  if (isRefusal(start)) return start;
  const from = listingPosition(start.position);
  const { loans: listed, next } = await context.loanPages.read(timing, {
    tenantId: tenancy.id,
    merchantRef,
    from,
    limit: query.limit,
  });
  const pageLoans = await deriveLoanRows<PageLoan>(
    context,
    request,
    { loans: listed },
    {
      rowOf: (book) => {
        const onDay = bookOnDay(book.folded, dayOf(query.on), context.calendars);
        return ({ order }) => merchantLoanRow(onDay, order, book);
      },
      underivableRow: (loan) => ({ row: underivableLoanRow(loan) }),
    },
  );
  const requested = requestedVersion(context.contract, request);
  const loans = pageLoans.filter(({ row }) => isMemberKnown(requested, 'loan_state', row.state, [row]));
  return {
    status: 200,
    body: {
      merchant_ref: merchantRef,
      on: query.on,
      loans: loans.map(({ row }) => row),
      currencies: merchantTotals(loans.filter(isDerived)),
      page_totals: true,
      ...(next === undefined ? {} : { cursor: context.cursors.encode(scope, next) }),
    },
  };
}

/** An underivable Loan has a row but no amounts for the totals. */
type PageLoan = MerchantLoan | { readonly row: UnderivableLoanRow };

function isDerived(loan: PageLoan): loan is MerchantLoan {
  return 'currency' in loan;
}
