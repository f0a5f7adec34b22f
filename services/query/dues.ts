/** The Clients with something due and unpaid on a day. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import { maxPageBytes } from '#libs/database/byte-bounded-page.ts';
import { type DueClient, findDueClients } from '#libs/database/read-dues.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import {
  type ClientDues,
  clientDues,
  type DuesFilter,
  duesTotals,
  underivableDues,
} from '#libs/ledger/answers/dues.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { statedFilters } from './cursors.ts';
import { pageResponse } from './json-page.ts';
import { deriveFromBook, loadPageBooks, logUnderivableBooks, UnderivableBook } from './load-page-books.ts';
import { type BookScope, loadClientBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function duesReads(context: ReadContext): RouteHandlers {
  return { readDues: (request) => readDues(context, request) };
}

type DuesRequest = RouteRequest<'readDues'>;

/** Clients examined for each one of a page: the filters are checked on the derived book. */
const maxExaminedPerClient = 2;

async function readDues(context: ReadContext, request: DuesRequest): Promise<RouteResult> {
  const { query, tenancy } = request;
  const { on, only, min_days_past_due, limit } = query;
  const scope = { tenantId: tenancy.id, name: 'dues', filters: statedFilters({ on, only, min_days_past_due }) };
  const start = context.cursors.decode(scope, query.cursor);
  if (isRefusal(start)) return start;
  const page = await readDuesPage(context, request, {
    query,
    after: String(start.position?.[0] ?? ''),
    bounds: { clients: limit, bytes: maxPageBytes, loans: Number.POSITIVE_INFINITY },
  });
  const { clients, texts, next } = page;
  const cursor = next === undefined ? undefined : context.cursors.encode(scope, [next]);
  return pageResponse('clients', { texts, cursor }, { on, totals: duesTotals(clients), page_totals: true });
}

export interface DuesSearch {
  readonly query: Pick<DuesRequest['query'], 'on' | 'only' | 'min_days_past_due'>;
  /** Client ids after this one; empty for the first page. */
  readonly after: string;
  readonly bounds: DuesBounds;
}

/** Where a page ends. */
export interface DuesBounds {
  readonly clients: number;
  readonly bytes: number;
  /** A Client with more Loans is named without figures. */
  readonly loans: number;
}

/** A Client with more Loans than are computed. */
export type LargeClient = ClientDues & { readonly isLarge: true };

interface DuesPage {
  readonly clients: readonly (ClientDues | LargeClient)[];
  /** Each Client's dues as JSON. */
  readonly texts: readonly string[];
  /** The id of the last Client examined, where more follow. */
  readonly next?: string;
}

export async function readDuesPage(context: ReadContext, scope: BookScope, search: DuesSearch): Promise<DuesPage> {
  const maxExamined = search.bounds.clients * maxExaminedPerClient;
  const candidates = await findDueCandidates(context, scope, search, maxExamined + 1);
  const { clients, texts, examined } = await fillPage(context, scope, search, candidates.slice(0, maxExamined));
  const last = candidates[examined - 1];
  const hasMore = candidates.length > examined && last !== undefined;
  return hasMore ? { clients, texts, next: last.clientId } : { clients, texts };
}

/** The Clients that may be on the page, in its order, without their books. */
export function findDueCandidates(
  context: ReadContext,
  { tenancy, timing }: BookScope,
  { query, after }: Pick<DuesSearch, 'query' | 'after'>,
  limit: number,
): Promise<DueClient[]> {
  return findDueClients(context.databases, timing, { tenantId: tenancy.id, on: dayOf(query.on), after, limit });
}

/** Loads books until the page is full, of rows or of bytes: nearly always the first candidates are enough. */
async function fillPage(
  context: ReadContext,
  scope: BookScope,
  { query, bounds }: DuesSearch,
  candidates: readonly DueClient[],
): Promise<Omit<DuesPage, 'next'> & { readonly examined: number }> {
  const clients: ClientDues[] = [];
  const texts: string[] = [];
  let bytes = 0;
  const underivable = new Map<string, UnderivableBook>();
  let examined = 0;
  while (clients.length < bounds.clients && bytes < bounds.bytes && examined < candidates.length) {
    const batch = candidates.slice(examined, examined + bounds.clients - clients.length);
    for await (const books of loadPageBooks(context, scope, batch)) {
      // One after the other: what does not fit is not computed.
      await scope.timing.measure('derive', () => {
        for (const { clientId, book } of books) {
          const result = deriveFromBook(book, (derivable) => duesOf(context, query, bounds, derivable));
          if (result instanceof UnderivableBook) underivable.set(clientId, result);
          const dues = result instanceof UnderivableBook ? underivableDues(clientId) : result;
          const text = dues === undefined ? '' : JSON.stringify(dues);
          bytes += Buffer.byteLength(text);
          if (bytes > bounds.bytes && clients.length > 0) return;
          examined += 1;
          if (dues === undefined) continue;
          clients.push(dues);
          texts.push(text);
        }
      });
      if (bytes >= bounds.bytes) break;
    }
  }
  logUnderivableBooks(context, scope, underivable);
  return { clients, texts, examined };
}

/** The dues of a Client with very many Loans, a slice of the Loans at a time. Other requests are served in between. */
export async function* readDuesBySlice(
  context: ReadContext,
  scope: BookScope,
  clientId: string,
  query: DuesSearch['query'],
): AsyncGenerator<ClientDues> {
  const { folded } = await loadClientBook(context, scope, clientId);
  const bookDay = bookOnDay(folded, dayOf(query.on), context.calendars);
  for (let start = 0; start < bookDay.loans.length; start += loansPerSlice) {
    const loans = bookDay.loans.slice(start, start + loansPerSlice);
    const dues = clientDues({ ...bookDay, loans }, clientId, filterOf(query));
    if (dues !== undefined) yield dues;
    await new Promise(setImmediate);
  }
}

const loansPerSlice = 200;

/** Undefined where the Client has no dues that match the filters. */
function duesOf(
  { calendars }: ReadContext,
  query: DuesSearch['query'],
  { loans: maxLoans }: DuesBounds,
  { folded, clientId }: ClientBook,
): ClientDues | LargeClient | undefined {
  if (folded.head.loans.length > maxLoans) return { client_id: clientId, loans: [], totals: [], isLarge: true };
  return clientDues(bookOnDay(folded, dayOf(query.on), calendars), clientId, filterOf(query));
}

function filterOf({ only, min_days_past_due: minDaysPastDue }: DuesSearch['query']): DuesFilter {
  return { onlyLate: only === 'late', ...(minDaysPastDue === undefined ? {} : { minDaysPastDue }) };
}
