/** The page of dues, and their download as CSV. */
import { type Request, type Response, Router } from 'express';
import { parseDay } from '#libs/calendar/civil-day.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type Clocks, readClocks } from '../clocks.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import type { CsvDownloads, CsvList } from '../csv-download.ts';
import { sendErrorPage } from '../error-page.ts';
import { wholeBook } from '../explorer/clients/read-client.ts';
import { queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import type { DuesQuery } from '../read-parts.ts';
import { dueColumns, dueRows } from './dues-csv.ts';
import { type DuesFilter, duesPage } from './dues-page.ts';

/** A page ends at so many Clients, or at about so many bytes of their Loans. A Client with more Loans has no figures. */
const maxPage = { clients: 25, bytes: 131_072, loans: wholeBook.loans } as const;
const clientsPerRead = 50;

export function duesRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const router = Router();
  const readable = requireTenancy(context);

  router.get('/tenancies/:tenant/dues', readable, async (request, response) => {
    const { clocks, filter, query, problems } = await readSearch(context, request, response);
    const { texts } = visitOf(response);
    const after = queryText(request, 'cursor');
    const { dues } = context.readApi.parts;
    const part = problems.length > 0 ? undefined : await dues(request.params.tenant, query, { after, bounds: maxPage });
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
    await downloads.send(response, duesList(apiOf(response), request.params.tenant, query));
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

function duesList(api: Lending, tenantId: string, query: DuesQuery): CsvList {
  async function* pages() {
    for await (const page of api.pages('readDues', { ...query, limit: clientsPerRead })) yield dueRows(page);
  }
  return { fileName: `dues-${tenantId}-${query.on}.csv`, columns: dueColumns, pages: pages() };
}
