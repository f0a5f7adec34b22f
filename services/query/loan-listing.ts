/** The Loans of the Tenancy by every filter. */

import { type Knowing, mayServe } from '#libs/api/versions.ts';
import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import { walkLoans } from '#libs/database/read-loans.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type ListingRow, listingRow } from '#libs/ledger/answers/listing-row.ts';
import { type LoanByItself, type RecordedRow, recordedRow } from '#libs/ledger/answers/recorded-row.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { type Listing, stated } from './cursors.ts';
import { derivedOfLoan, loansAt } from './loan-pages.ts';
import type { LoanInBook, ReadContext, RequestTo } from './reads.ts';
import { toldOfAll } from './single-loan-reads.ts';
import { knowingOf } from './version-filter.ts';

export function loanListing(reads: ReadContext): RouteHandlers {
  return { listLoans: (asked) => listLoans(reads, asked) };
}

type Asked = RequestTo<'listLoans'>;

async function listLoans(reads: ReadContext, asked: Asked): Promise<RouteResult> {
  const { query, tenancy, timing } = asked;
  const listing = listingOf(asked);
  const taken = reads.cursors.take(listing, query.cursor);
  if (isRefusal(taken)) return taken;
  const { client_id: clientId, configuration_id: configurationId, merchant_ref: merchantRef } = query;
  // A hold that ran out is a held Loan on another day.
  const state = query.state === 'expired' ? 'held' : query.state;
  const { loans, next } = await walkLoans(reads.database, timing, {
    tenantId: tenancy.id,
    ...(clientId === undefined ? {} : { clientId }),
    ...(configurationId === undefined ? {} : { configurationId }),
    ...(merchantRef === undefined ? {} : { merchantRef }),
    ...(state === undefined ? {} : { state }),
    before: Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER),
    limit: query.limit,
  });
  const page = await loansAt(reads, asked, loans);
  const derived = await timing.measure('derive', () =>
    page.map((loan) => derivedOfLoan(loan, (inBook) => derivedRow(asked, inBook))),
  );
  const tell = (loan: LoanByItself): Listed => listed(recordedRow(loan), loan.issuance?.fact.terms.holdUntil);
  const told = await toldOfAll(reads, asked, { page, derived, tell });
  const knowing = knowingOf(reads.contract, asked);
  const rows = told.flatMap((each) => shownRow(asked, knowing, each));
  const cursor = next === undefined ? {} : { cursor: reads.cursors.give(listing, [next]) };
  return { status: 200, body: { loans: rows, ...cursor } };
}

function listingOf({ tenancy, query }: Asked): Listing {
  const { client_id, configuration_id, merchant_ref, state, on } = query;
  const filters = stated({ client_id, configuration_id, merchant_ref, state, on });
  return { tenantId: tenancy.id, name: 'loans', filters };
}

type Listed = { readonly row: ListingRow | RecordedRow; readonly holdUntil?: CivilDay };

function listed(row: Listed['row'], holdUntil: CivilDay | undefined): Listed {
  return { row, ...(holdUntil === undefined ? {} : { holdUntil }) };
}

function derivedRow({ tenancy }: Asked, { book, order }: LoanInBook): Listed {
  const row = listingRow(book.folded, order, { tenantId: tenancy.id, clientId: book.clientId });
  return listed(row, book.folded.loans[order]?.issuance.terms.holdUntil);
}

/** The row, where the day asked leaves it in the state asked and the caller's version knows that state. */
function shownRow(asked: Asked, knowing: Knowing, { row, holdUntil }: Listed): Listed['row'][] {
  const { state, on } = asked.query;
  if (row.state !== 'held' || on === undefined) return mayServe(knowing, 'loan_state', row.state) ? [row] : [];
  const hasExpired = holdUntil !== undefined && holdUntil < dayOf(on);
  if (state !== (hasExpired ? 'expired' : 'held')) return [];
  return mayServe(knowing, 'loan_state', state) ? [{ ...row, state }] : [];
}
