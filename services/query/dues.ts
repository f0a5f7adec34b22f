/** The Clients with something due and unpaid on a day. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import { maxPageBytes } from '#libs/database/byte-bounded-page.ts';
import { type DueClient, findDueClients } from '#libs/database/read-dues.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { type ClientDues, clientDues, duesTotals, underivableDues } from '#libs/ledger/answers/dues.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { statedFilters } from './cursors.ts';
import { pageResponse } from './json-page.ts';
import {
  deriveFromBook,
  loadPageBooks,
  logUnderivableBooks,
  type PageBook,
  UnderivableBook,
} from './load-page-books.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

export function duesReads(context: ReadContext): RouteHandlers {
  return { readDues: (request) => readDues(context, request) };
}

type DuesRequest = RouteRequest<'readDues'>;

/** Clients examined for each one of a page: the filters are checked on the derived book. */
const maxExaminedPerClient = 2;

async function readDues(context: ReadContext, request: DuesRequest): Promise<RouteResult> {
  const { query, tenancy, timing } = request;
  const { on, only, min_days_past_due, limit } = query;
  const scope = { tenantId: tenancy.id, name: 'dues', filters: statedFilters({ on, only, min_days_past_due }) };
  const start = context.cursors.decode(scope, query.cursor);
  if (isRefusal(start)) return start;
  const maxExamined = limit * maxExaminedPerClient;
  const candidates = await findDueClients(context.database, timing, {
    tenantId: tenancy.id,
    on: dayOf(on),
    after: String(start.position?.[0] ?? ''),
    limit: maxExamined + 1,
  });
  const { clients, texts, examined } = await fillPage(context, request, candidates.slice(0, maxExamined));
  const last = candidates[examined - 1];
  const hasMore = candidates.length > examined && last !== undefined;
  const cursor = hasMore ? context.cursors.encode(scope, [last.clientId]) : undefined;
  return pageResponse('clients', { texts, cursor }, { on, totals: duesTotals(clients), page_totals: true });
}

interface DuesPage {
  readonly clients: readonly ClientDues[];
  /** Each Client's dues as JSON. */
  readonly texts: readonly string[];
  readonly examined: number;
}

/** Loads books until the page is full, of rows or of bytes: nearly always the first `limit` candidates are enough. */
async function fillPage(
  context: ReadContext,
  request: DuesRequest,
  candidates: readonly DueClient[],
): Promise<DuesPage> {
  const { limit } = request.query;
  const clients: ClientDues[] = [];
  const texts: string[] = [];
  let bytes = 0;
  const underivable = new Map<string, UnderivableBook>();
  let examined = 0;
  while (clients.length < limit && bytes < maxPageBytes && examined < candidates.length) {
    const batch = candidates.slice(examined, examined + limit - clients.length);
    const books = await loadPageBooks(context, request, batch);
    const derived = await request.timing.measure('derive', () =>
      batch.map(({ clientId }) =>
        deriveFromBook(books.get(clientId) as PageBook, (book) => duesOf(context, request, book)),
      ),
    );
    for (const [index, { clientId }] of batch.entries()) {
      examined += 1;
      const result = derived[index];
      if (result instanceof UnderivableBook) underivable.set(clientId, result);
      const dues = result instanceof UnderivableBook ? underivableDues(clientId) : result;
      if (dues === undefined) continue;
      const text = JSON.stringify(dues);
      bytes += Buffer.byteLength(text);
      if (bytes > maxPageBytes && clients.length > 0) {
        examined -= 1;
        break;
      }
      clients.push(dues);
      texts.push(text);
    }
  }
  logUnderivableBooks(context, request, underivable);
  return { clients, texts, examined };
}

/** Undefined where the Client has no dues that match the filters. */
function duesOf(
  { calendars }: ReadContext,
  { query }: DuesRequest,
  { folded, clientId }: ClientBook,
): ClientDues | undefined {
  const { on, only, min_days_past_due: minDaysPastDue } = query;
  const filters = { onlyLate: only === 'late', ...(minDaysPastDue === undefined ? {} : { minDaysPastDue }) };
  return clientDues(bookOnDay(folded, dayOf(on), calendars), clientId, filters);
}
