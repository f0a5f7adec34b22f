/** The page of dues, and their download as CSV. */
import { type Request, type Response, Router } from 'express';
import { parseDay } from '#libs/calendar/civil-day.ts';
import { requireTenancy } from '../access.ts';
import { sendBeingPrepared } from '../being-prepared-page.ts';
import { type Clocks, readClocks } from '../clocks.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import type { CsvDownloads, CsvList } from '../csv-download.ts';
import { sendErrorPage } from '../error-page.ts';
import { queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import type { DuesPart, DuesQuery, PartialReads } from '../read-parts.ts';
import { dueColumns, dueRows } from './dues-csv.ts';
import { type DuesFilter, duesPage } from './dues-page.ts';

/** A page ends at so many Clients, or at about so many bytes of their Loans. A Client with more Loans has no figures. */
const maxPage = { clients: 25, bytes: 131_072, loans: 100 } as const;

export function duesRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const router = Router();
  const readable = requireTenancy(context);

  router.get('/tenancies/:tenant/dues', readable, async (request, response) => {
    const { clocks, filter, query, problems } = await readSearch(context, request, response);
    const { texts } = visitOf(response);
    const after = queryText(request, 'cursor');
    const { dues, lists } = context.readApi.parts;
    const { tenant } = request.params;
    const place = { after, bounds: maxPage };
    if (problems.length === 0 && !(await lists.areDuesReady(tenant, { query, ...place })))
      return sendBeingPrepared(response, texts.errors.booksAreRead);
    const part = problems.length > 0 ? undefined : await dues(tenant, query, place);
    const shown = { clocks, filter, problems, part, isFirst: after === '', maxLoans: maxPage.loans };
    // Links stay at the day of these figures, also after midnight. Dues are read as everything recorded says.
    const content = duesPage({ ...visitOf(response), clocks: { on: clocks.on } }, shown);
    const status = problems.length > 0 ? 422 : 200;
    sendPage(response, { status, title: texts.dues.title, content, styles: ['explorer.css'] });
  });

  router.get('/tenancies/:tenant/dues.csv', readable, async (request, response) => {
    const { query, problems } = await readSearch(context, request, response);
    const [problem] = problems;
    if (problem !== undefined) return sendErrorPage(response, 422, problem);
    await downloads.send(response, duesList(context.readApi.parts, request.params.tenant, query));
  });

  return router;
}

interface DuesSearch {
  readonly clocks: Clocks;
  readonly filter: DuesFilter;
  readonly query: DuesQuery;
  readonly problems: readonly string[];
}

async function readSearch(context: ConsoleContext, request: Request, response: Response): Promise<DuesSearch> {
  const words = visitOf(response).texts.dues;
  const { knownAt: _, ...clocks } = await readClocks(context, request, response);
  const days = queryText(request, 'min_days_past_due');
  const only = queryText(request, 'only') === 'late' ? 'late' : '';
  const problems = [
    ...(parseDay(clocks.on) === undefined ? [words.dayWrong] : []),
    ...(days === '' || /^[1-9]\d{0,4}$/.test(days) ? [] : [words.minDaysWrong]),
  ];
  return {
    clocks,
    filter: { only, min_days_past_due: days },
    query: {
      on: clocks.on,
      ...(only === '' ? {} : { only }),
      ...(days === '' ? {} : { min_days_past_due: Number(days) }),
    },
    problems,
  };
}

function duesList(parts: PartialReads, tenantId: string, query: DuesQuery): CsvList {
  async function* pages() {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { clients, next }: DuesPart = await parts.dues(tenantId, query, { after, bounds: maxPage });
      for (const client of clients) {
        if (client.isLarge !== true) yield dueRows({ on: query.on, clients: [client] });
        else yield* rowsOfLargeClient(parts, { tenantId, clientId: client.client_id }, query);
      }
      after = next;
    }
  }
  return { fileName: `dues-${tenantId}-${query.on}.csv`, columns: dueColumns, pages: pages() };
}

async function* rowsOfLargeClient(
  parts: PartialReads,
  { tenantId, clientId }: { readonly tenantId: string; readonly clientId: string },
  query: DuesQuery,
) {
  for await (const dues of parts.largeClientDues(tenantId, clientId, query)) {
    yield dueRows({ on: query.on, clients: [dues] });
  }
}
