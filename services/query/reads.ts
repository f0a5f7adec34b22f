/** What every read stands on, and how it comes to a Client's book or the Tenancy's own. */

import type { RouteName } from '#libs/api/routes.ts';
import type { Contract } from '#libs/api/versions.ts';
import type { LoadedBook } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { Locations } from '#libs/database/locations.ts';
import type { BookReader } from '#libs/database/read-books.ts';
import type { AuthorizedRequest, RouteHandlers } from '#libs/http/handler.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import { clientBookId, clientOf, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { asKnownAt } from '#libs/ledger/client/as-of.ts';
import { type ClientBook, orderIn } from '#libs/ledger/client/client-book.ts';
import type { Market, Markets } from '#libs/product/markets/market.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book-state.ts';
import type { Cursors } from './cursors.ts';

export interface ReadContext {
  readonly database: Database;
  readonly books: BookReader;
  readonly locations: Locations;
  readonly cursors: Cursors;
  readonly markets: Markets;
  readonly calendars: Calendars;
  readonly contract: Contract;
  readonly say: Pick<WarnLog, 'error'>;
  /** What an entity tag changes with beside the book. */
  readonly release: string;
}

/** The request a route's handler is given. */
export type RequestTo<Name extends RouteName> = Parameters<NonNullable<RouteHandlers[Name]>>[0];

/** As much of any request as finding a book takes. */
export type BookRequest = Pick<AuthorizedRequest, 'tenancy' | 'timing' | 'params' | 'version'>;

/** A Client's book and what Postgres says of it. */
export function newestBook(
  reads: ReadContext,
  { tenancy, timing }: BookRequest,
  clientId: string,
): Promise<LoadedBook<ClientBook>> {
  const name = { tenantId: tenancy.id, bookId: clientBookId(clientId) };
  return reads.books.newest(name, timing) as Promise<LoadedBook<ClientBook>>;
}

/** The Tenancy's own book: products, lookup keys, policies, profile. */
export async function tenancyBook(reads: ReadContext, { tenancy, timing }: BookRequest): Promise<TenancyBook> {
  const { book } = await reads.books.newest({ tenantId: tenancy.id, bookId: tenancyBookId }, timing);
  return book as TenancyBook;
}

export function asKnown({ calendars }: ReadContext, book: ClientBook, knownAt: string | undefined): ClientBook {
  return knownAt === undefined ? book : asKnownAt(book, knownAt, calendars);
}

export async function clientBook(
  reads: ReadContext,
  asking: BookRequest,
  clientId: string,
  knownAt?: string,
): Promise<ClientBook> {
  const { book } = await newestBook(reads, asking, clientId);
  return asking.timing.measure('derive', () => asKnown(reads, book, knownAt));
}

export interface LoanInBook {
  readonly book: ClientBook;
  readonly order: number;
}

/** The Loan a path names, in its Client's book; absent too where it was not known yet. */
export async function loanInBook(
  reads: ReadContext,
  asking: BookRequest,
  knownAt?: string,
): Promise<LoanInBook | Refusal> {
  const { tenancy, timing, params } = asking;
  const loanId = String(params['loan_id']);
  const clientId = await reads.locations.loanClient.of(tenancy.id, loanId, timing);
  if (clientId === undefined) return refuse('not_found');
  const book = await clientBook(reads, asking, clientId, knownAt);
  const order = orderIn(book, loanId);
  return order === undefined ? refuse('not_found') : { book, order };
}

/** The book a Receipt was recorded in, undefined where nobody reported it. */
export async function receiptBook(
  reads: ReadContext,
  asking: BookRequest,
  reference: string,
): Promise<ClientBook | undefined> {
  const { tenancy, timing } = asking;
  const bookId = await reads.locations.receiptBook.of(tenancy.id, reference, timing);
  const clientId = bookId === undefined ? undefined : clientOf(bookId);
  return clientId === undefined ? undefined : clientBook(reads, asking, clientId);
}

export function homeMarket({ markets }: ReadContext, { tenancy }: BookRequest): Market {
  const market = markets.get(tenancy.jurisdiction);
  if (market === undefined) throw new Error(`no market for ${tenancy.jurisdiction}, though a Tenancy is at home there`);
  return market;
}

/** In which nothing is answered where a Client never had a currency. */
export function homeCurrency(reads: ReadContext, asking: BookRequest): string {
  return homeMarket(reads, asking).currencies.value[0];
}
