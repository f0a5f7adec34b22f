/** Whom to ask for money on a day: the Clients with something fallen due and unpaid. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { type DueClient, dueClients } from '#libs/database/read-dues.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type ClientDues, clientDues, duesTotals, unknownDues } from '#libs/ledger/answers/dues.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { stated } from './cursors.ts';
import { booksAt } from './loan-pages.ts';
import type { ReadContext, RequestTo } from './reads.ts';
import { type BookOnPage, derivedOf, sayUnsound, Unsound } from './underivable-book.ts';

export function duesReads(reads: ReadContext): RouteHandlers {
  return { readDues: (asked) => readDues(reads, asked) };
}

type Asked = RequestTo<'readDues'>;

/** So many Clients are examined at most for each one asked for. */
const examinedPerClient = 2;

async function readDues(reads: ReadContext, asked: Asked): Promise<RouteResult> {
  const { query, tenancy, timing } = asked;
  const { on, only, min_days_past_due, limit } = query;
  const listing = { tenantId: tenancy.id, name: 'dues', filters: stated({ on, only, min_days_past_due }) };
  const taken = reads.cursors.take(listing, query.cursor);
  if (isRefusal(taken)) return taken;
  const most = limit * examinedPerClient;
  const walk = { tenantId: tenancy.id, on: dayOf(on), after: String(taken.place?.[0] ?? ''), most: most + 1 };
  const candidates = await dueClients(reads.database, timing, walk);
  const { clients, examined } = await examine(reads, asked, candidates.slice(0, most));
  const last = candidates[examined - 1];
  const hasMore = candidates.length > examined && last !== undefined;
  return {
    status: 200,
    body: {
      on,
      clients,
      totals: duesTotals(clients),
      page_totals: true,
      ...(hasMore ? { cursor: reads.cursors.give(listing, [last.clientId]) } : {}),
    },
  };
}

/** One after the other until the page is full; nearly always that is after the first `limit`, so the rest is not read before. */
async function examine(
  reads: ReadContext,
  asked: Asked,
  candidates: readonly DueClient[],
): Promise<{ readonly clients: readonly ClientDues[]; readonly examined: number }> {
  const { limit } = asked.query;
  const clients: ClientDues[] = [];
  const unsound = new Map<string, Unsound>();
  let examined = 0;
  while (clients.length < limit && examined < candidates.length) {
    const next = candidates.slice(examined, examined + limit - clients.length);
    const books = await booksAt(reads, asked, next);
    const found = await asked.timing.measure('derive', () =>
      next.map(({ clientId }) => derivedOf(books.get(clientId) as BookOnPage, (book) => duesOf(reads, asked, book))),
    );
    for (const [nth, { clientId }] of next.entries()) {
      const dues = found[nth];
      if (dues instanceof Unsound) unsound.set(clientId, dues);
      const told = dues instanceof Unsound ? unknownDues(clientId) : dues;
      if (told !== undefined) clients.push(told);
    }
    examined += next.length;
  }
  sayUnsound(reads, asked, unsound);
  return { clients, examined };
}

function duesOf(
  { calendars }: ReadContext,
  { query }: Asked,
  { folded, clientId }: ClientBook,
): ClientDues | undefined {
  const { on, only, min_days_past_due: minDaysPastDue } = query;
  const narrowing = { onlyLate: only === 'late', ...(minDaysPastDue === undefined ? {} : { minDaysPastDue }) };
  return clientDues(bookOnDay(folded, dayOf(on), calendars), clientId, narrowing);
}
