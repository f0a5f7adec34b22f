/** What every read handler uses, and how it loads a Client's book or the Tenancy's own. */

import type { Counter } from 'prom-client';
import type { Contract } from '#libs/api/contract-versions.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { BookReader } from '#libs/database/book-reader.ts';
import type { LoadedBook } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { Lookups } from '#libs/database/immutable-lookups.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { LoanPageReader } from '#libs/database/read-loans.ts';
import type { AuthorizedRequest, RouteHandlers } from '#libs/http/handler.ts';
import { clientBookId, clientIdOf, tenancyBookId } from '#libs/ledger/book-id.ts';
import { type ClientBook, loanOrder } from '#libs/ledger/client/client-book.ts';
import type { Market, Markets } from '#libs/product/markets/market.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { Cursors } from './cursors.ts';
import type { KnownBooks } from './known-books.ts';

export interface ReadContext {
  /** The home database. */
  readonly database: Database;
  readonly databases: PartitionDatabases;
  readonly books: BookReader;
  readonly knownBooks: KnownBooks;
  readonly loanPages: LoanPageReader;
  readonly lookups: Lookups;
  readonly cursors: Cursors;
  readonly markets: Markets;
  readonly calendars: Calendars;
  readonly contract: Contract;
  readonly logger: Pick<Logger, 'error'>;
  /** Counts Loans whose stored state differed from the fold of their book. */
  readonly loanStateMismatches: Pick<Counter, 'inc'>;
  /** A digest of the running release: entity tags change with it. */
  readonly release: string;
}

/** The request that a route's handler receives. */
export type RouteRequest<Name extends RouteName> = Parameters<NonNullable<RouteHandlers[Name]>>[0];

/** The parts of any request that reading from books needs. */
export type BookRequest = Pick<AuthorizedRequest, 'tenancy' | 'timing' | 'params' | 'version'>;

/** Those that loading one book needs. */
export type BookScope = Pick<AuthorizedRequest, 'timing'> & {
  readonly tenancy: Pick<AuthorizedRequest['tenancy'], 'id'>;
};

/** The Client's book with its version and position. */
export function loadLatestClientBook(
  context: ReadContext,
  { tenancy, timing }: BookScope,
  clientId: string,
): Promise<LoadedBook<ClientBook>> {
  const key = { tenantId: tenancy.id, bookId: clientBookId(clientId) };
  return context.books.loadLatest(key, timing) as Promise<LoadedBook<ClientBook>>;
}

/** The Client's book as it was known at a moment, or now. */
export async function loadClientBook(
  context: ReadContext,
  scope: BookScope,
  clientId: string,
  knownAt?: string,
): Promise<ClientBook> {
  const { book } = await loadLatestClientBook(context, scope, clientId);
  return scope.timing.measure('derive', () => bookAsKnownAt(context, book, knownAt));
}

export function bookAsKnownAt(
  { knownBooks, calendars }: ReadContext,
  book: ClientBook,
  knownAt: string | undefined,
): ClientBook {
  return knownAt === undefined ? book : knownBooks.at(book, knownAt, calendars);
}

/** The Tenancy's own book: products, lookup keys, policies, profile. */
export async function loadTenancyBook(context: ReadContext, { tenancy, timing }: BookScope): Promise<TenancyBook> {
  const { book } = await context.books.loadLatest({ tenantId: tenancy.id, bookId: tenancyBookId }, timing);
  return book as TenancyBook;
}

export interface LoanInBook {
  readonly book: ClientBook;
  readonly order: number;
}

/** The Loan of the path. */
export function findLoan(context: ReadContext, request: BookRequest, knownAt?: string): Promise<LoanInBook | Refusal> {
  return findLoanById(context, request, String(request.params['loan_id']), knownAt);
}

/** The Loan in its Client's book; refused where it does not exist or was not known yet. */
export async function findLoanById(
  context: ReadContext,
  scope: BookScope,
  loanId: string,
  knownAt?: string,
): Promise<LoanInBook | Refusal> {
  const clientId = await context.lookups.clientOfLoan.find(scope.tenancy.id, loanId, scope.timing);
  if (clientId === undefined) return refuse('not_found');
  const book = await loadClientBook(context, scope, clientId, knownAt);
  const order = loanOrder(book, loanId);
  return order === undefined ? refuse('not_found') : { book, order };
}

/** The book in which a Receipt is recorded; undefined where there is no such Receipt. */
export async function findReceiptBook(
  context: ReadContext,
  scope: BookScope,
  reference: string,
): Promise<ClientBook | undefined> {
  const bookId = await context.lookups.bookOfReceipt.find(scope.tenancy.id, reference, scope.timing);
  const clientId = bookId === undefined ? undefined : clientIdOf(bookId);
  return clientId === undefined ? undefined : loadClientBook(context, scope, clientId);
}

export function homeMarket({ markets }: ReadContext, { tenancy }: BookRequest): Market {
  const market = markets.get(tenancy.jurisdiction);
  if (market === undefined)
    throw new Error(`Tenancy ${tenancy.id}: no market for jurisdiction ${tenancy.jurisdiction}`);
  return market;
}

/** The currency of zero amounts for a Client without Loans. */
export function homeCurrency(context: ReadContext, request: BookRequest): string {
  return homeMarket(context, request).currencies.value[0];
}
