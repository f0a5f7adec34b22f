/** Rehearsal: how the recorded Loans of a product would look under other values of it. Records nothing. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { refuseUnknownMembers } from '#libs/api/closed-members.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { findConfiguration } from '#libs/database/read-client-and-credit-pages.ts';
import type { ListedLoan, ListedLoanPage } from '#libs/database/read-loans.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import type { UnderivableLoan } from '#libs/ledger/answers/loan-listing.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import {
  type RehearsalInput,
  type RehearsalResult,
  type RehearsedLoanRow,
  rehearsalCost,
  rehearse,
  rehearsedLoanRow,
  tooLargeRehearsalRow,
  underivableRehearsalRow,
} from '#libs/ledger/client/rehearsal.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import { checkFrame } from '#libs/product/frame.ts';
import { offeredTermsOf } from '#libs/product/product.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { canonicalJson, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { type CursorScope, listingPosition } from './cursors.ts';
import { type FairScheduler, maxRequestCost } from './fair-scheduler.ts';
import {
  deriveFromLoan,
  type LoansOfBook,
  loadLoanBooks,
  type PageBook,
  type RowsByLoan,
  replaceUnderivable,
  UnderivableBook,
} from './load-page-books.ts';
import { type BookScope, homeMarket, type ReadContext, type RouteRequest } from './read-context.ts';

/** `maxCost` is that of a page, in folded steps. */
export function rehearsalReads(
  context: ReadContext,
  scheduler: FairScheduler,
  maxCost: number = maxRequestCost,
): RouteHandlers {
  return { rehearse: (request) => rehearseLoans(context, { scheduler, maxCost }, request) };
}

interface RehearsalRun {
  readonly scheduler: FairScheduler;
  readonly maxCost: number;
}

const defaultLimit = 50;

/** Loans of the product, newest first. Loans that would not change are left out, so a page may be short. */
async function rehearseLoans(
  context: ReadContext,
  { scheduler, maxCost }: RehearsalRun,
  request: RouteRequest<'rehearse'>,
): Promise<RouteResult> {
  const { timing, params, body } = request;
  const { on } = body;
  const values = body.values as JsonObject;
  const configurationId = String(params['configuration_id']);
  const search = { ...body, configurationId };
  const listed = await findRehearsedLoans(context, request, search);
  if (isRefusal(listed)) return refuse('invalid_query', { field: '/cursor', bound: 'a cursor of this rehearsal' });
  const configuration = await findConfiguration(context.databases.ofTenancy(request.tenancy.id), timing, {
    tenantId: request.tenancy.id,
    id: configurationId,
  });
  if (configuration === undefined) return refuse('no_configuration');
  const { archetype } = JSON.parse(configuration.answer) as { archetype: Archetype };
  const framed = checkFrame({ archetype, values, market: homeMarket(context, request) });
  if (isRefusal(framed)) return framed;
  const { markets, calendars } = context;
  const product = { archetype, values, offer: offeredTermsOf(archetype, values) };
  const rehearsal = { configurationId, product, on: dayOf(on), markets, calendars };
  const examined = new ExaminedBooks(rehearsal, maxCost);
  let isContinued = false;
  for await (const portion of loadLoanBooks(context, request, { loans: listed.loans })) {
    const isFull = await scheduler.run(request, examined.add(portion), { isContinued });
    if (isFull) break;
    isContinued = true;
  }
  const end = listed.loans.findIndex(({ clientId }) => !examined.has(clientId));
  const { derived } = examined;
  const page = (end === -1 ? listed.loans : listed.loans.slice(0, end)).filter((loan) => derived.has(loan));
  const underivableRow = ({ id, ...loan }: UnderivableLoan): PageRow =>
    underivableRehearsalRow({ loanId: id, ...loan });
  const rows = await replaceUnderivable<PageRow>(context, request, { page, derived, underivableRow });
  // Where the cost limit ended the page early, the next page starts after the last examined Loan.
  const next = end === -1 ? listed.next : listed.loans[end - 1]?.position;
  const scope = scopeOf(request.tenancy.id, search);
  const cursor = next === undefined ? {} : { cursor: context.cursors.encode(scope, next) };
  const requested = requestedVersion(context.contract, request);
  const loans = rows
    .filter((row) => row !== undefined)
    .filter((row) => refuseUnknownMembers(requested, row) === undefined);
  return { status: 200, body: { configuration_id: configurationId, on, examined: page.length, loans, ...cursor } };
}

export type RehearsalSearch = Pick<RouteRequest<'rehearse'>['body'], 'on' | 'values' | 'cursor' | 'limit'> & {
  readonly configurationId: string;
};

/** The Loans of a page, without their books. */
export async function findRehearsedLoans(
  context: ReadContext,
  { tenancy, timing }: BookScope,
  search: RehearsalSearch,
): Promise<ListedLoanPage | Refusal> {
  const start = context.cursors.decode(scopeOf(tenancy.id, search), search.cursor);
  if (isRefusal(start)) return start;
  return context.loanPages.read(timing, {
    tenantId: tenancy.id,
    configurationId: search.configurationId,
    from: listingPosition(start.position),
    limit: search.limit ?? defaultLimit,
  });
}

function scopeOf(tenantId: string, { configurationId, on, values }: RehearsalSearch): CursorScope {
  const filters = { configuration_id: configurationId, on, values: canonicalJson(values as JsonObject) };
  return { tenantId, name: 'rehearsal', filters };
}

/** Undefined for a Loan that would not change. */
type PageRow = RehearsedLoanRow | undefined;

/** A book that alone costs more than a page may, so that it is not computed. */
class TooLargeBook {}

type BookResult = RehearsalResult | UnderivableBook | TooLargeBook;

/** Whole books up to the cost limit, of which only the rows are kept. */
class ExaminedBooks {
  readonly derived: RowsByLoan<PageRow> = new Map();
  readonly #clientIds = new Set<string>();
  readonly #rehearsal: RehearsalInput;
  readonly #maxCost: number;
  #cost = 0;

  constructor(rehearsal: RehearsalInput, maxCost: number) {
    this.#rehearsal = rehearsal;
    this.#maxCost = maxCost;
  }

  has(clientId: string): boolean {
    return this.#clientIds.has(clientId);
  }

  /** Returns whether the limit was reached. */
  *add(portion: readonly LoansOfBook[]): CooperativeTask<boolean> {
    for (const { clientId, book, loans } of portion) {
      yield;
      const bookCost = book instanceof UnderivableBook ? 0 : rehearsalCost(book);
      const isTooLarge = bookCost > this.#maxCost;
      if (!isTooLarge) this.#cost += bookCost;
      if (this.#cost > this.#maxCost) return true;
      // Each book is folded once for all of its Loans.
      const result = isTooLarge ? new TooLargeBook() : yield* rehearseBook(book, this.#rehearsal);
      for (const loan of loans) this.derived.set(loan, rowOf(loan, book, result));
      this.#clientIds.add(clientId);
    }
    return false;
  }
}

function* rehearseBook(book: PageBook, rehearsal: RehearsalInput): CooperativeTask<RehearsalResult | UnderivableBook> {
  if (book instanceof UnderivableBook) return book;
  try {
    return yield* rehearse(book, rehearsal);
  } catch (cause) {
    return new UnderivableBook(cause);
  }
}

function rowOf(loan: ListedLoan, pageBook: PageBook, result: BookResult): PageRow | UnderivableBook {
  if (result instanceof UnderivableBook) return result;
  return deriveFromLoan(loan, pageBook, ({ book, order }) => {
    const { clientId, folded } = book;
    if (!(result instanceof TooLargeBook)) return rehearsedLoanRow(result, order, clientId);
    const { loanId, reference } = (folded.loans[order] as LoanRecord).issuance;
    return tooLargeRehearsalRow({ loanId, clientId, reference });
  });
}
