/** The Loans of a Tenancy by any filter. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { isMemberKnown, type RequestedVersion } from '#libs/api/contract-versions.ts';
import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import type { ListedLoanPage } from '#libs/database/read-loans.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import {
  type LoanListingRow,
  loanListingRow,
  type UnderivableLoanRow,
  underivableLoanRow,
} from '#libs/ledger/answers/loan-listing.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import { type CursorScope, listingPosition, statedFilters } from './cursors.ts';
import { deriveLoanRows } from './load-page-books.ts';
import type { BookScope, LoanInBook, ReadContext, RouteRequest } from './read-context.ts';

export function loanListing(context: ReadContext): RouteHandlers {
  return { listLoans: (request) => listLoans(context, request) };
}

type ListRequest = RouteRequest<'listLoans'>;

async function listLoans(context: ReadContext, request: ListRequest): Promise<RouteResult> {
  const found = await findLoans(context, request);
  if (isRefusal(found)) return found;
  const { loans, next } = found;
  const state = storedState(request.query);
  const rows = await deriveLoanRows<RowWithHold>(
    context,
    request,
    { loans, state },
    {
      rowOf: () => (inBook) => derivedRow(request, inBook),
      underivableRow: (loan) => withHold(underivableLoanRow(loan), loan.issuance?.fact.terms.holdUntil),
    },
  );
  const requested = requestedVersion(context.contract, request);
  const cursor = next === undefined ? {} : { cursor: context.cursors.encode(scopeOf(request), next) };
  return { status: 200, body: { loans: rows.flatMap((row) => listedRow(request, requested, row)), ...cursor } };
}

export type LoanSearch = BookScope & {
  readonly query: Omit<ListRequest['query'], 'state'> & { readonly state?: string };
};

/** The Loans of a page, without their books. */
export async function findLoans(context: ReadContext, search: LoanSearch): Promise<ListedLoanPage | Refusal> {
  const { query, tenancy, timing } = search;
  const start = context.cursors.decode(scopeOf(search), query.cursor);
  if (isRefusal(start)) return start;
  const { client_id: clientId, configuration_id: configurationId, merchant_ref: merchantRef } = query;
  const state = storedState(query);
  return context.loanPages.read(timing, {
    tenantId: tenancy.id,
    ...(clientId === undefined ? {} : { clientId }),
    ...(configurationId === undefined ? {} : { configurationId }),
    ...(merchantRef === undefined ? {} : { merchantRef }),
    ...(state === undefined ? {} : { state }),
    from: listingPosition(start.position),
    limit: query.limit,
  });
}

/**
 * An expired hold is folded and stored as held: it expires on a later day, without a fact. A state that changes with
 * time alone is not stored but decided by `on`; this is the only one.
 */
function storedState({ state }: LoanSearch['query']): string | undefined {
  return state === 'expired' ? 'held' : state;
}

function scopeOf({ tenancy, query }: Pick<LoanSearch, 'tenancy' | 'query'>): CursorScope {
  const { client_id, configuration_id, merchant_ref, state, on } = query;
  const filters = statedFilters({ client_id, configuration_id, merchant_ref, state, on });
  return { tenantId: tenancy.id, name: 'loans', filters };
}

type RowWithHold = { readonly row: LoanListingRow | UnderivableLoanRow; readonly holdUntil?: CivilDay };

function withHold(row: RowWithHold['row'], holdUntil: CivilDay | undefined): RowWithHold {
  return { row, ...(holdUntil === undefined ? {} : { holdUntil }) };
}

function derivedRow({ tenancy }: ListRequest, { book, order }: LoanInBook): RowWithHold {
  const row = loanListingRow(book.folded, order, { tenantId: tenancy.id, clientId: book.clientId });
  return withHold(row, book.folded.loans[order]?.issuance.terms.holdUntil);
}

/** The row, if its state on the requested day is the requested one and the caller's version knows that state. */
function listedRow(
  request: ListRequest,
  requested: RequestedVersion,
  { row, holdUntil }: RowWithHold,
): RowWithHold['row'][] {
  const { state, on } = request.query;
  if (row.state !== 'held' || on === undefined)
    return isMemberKnown(requested, 'loan_state', row.state, [row]) ? [row] : [];
  const hasExpired = holdUntil !== undefined && holdUntil < dayOf(on);
  if (state !== (hasExpired ? 'expired' : 'held')) return [];
  return isMemberKnown(requested, 'loan_state', state, [row]) ? [{ ...row, state }] : [];
}
