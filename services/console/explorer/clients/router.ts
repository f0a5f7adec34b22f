/** Pages of Clients: search and list, one Client, Receipts, statement, changes. */

import { type Request, type Response, Router } from 'express';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../../access.ts';
import { clockNote } from '../../clock-form.ts';
import { bookPath, type Clocks, knownParameter, readClocks } from '../../clocks.ts';
import { type ConsoleContext, type Visit, visitOf } from '../../console-context.ts';
import { type CsvDownloads, wholeList } from '../../csv-download.ts';
import { sendErrorPage } from '../../error-page.ts';
import { clientLink, downloadLink, pageLinks } from '../../figures.ts';
import { cursorIn, queryText } from '../../form.ts';
import { type Html, html } from '../../html.ts';
import { orUndefined } from '../../optional-read.ts';
import { sendPage } from '../../page.ts';
import { requireReadyBook } from '../../require-ready-book.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { plotAssets } from '../plot.ts';
import { receiptColumns, receiptRows } from '../receipts/receipts-csv.ts';
import { statementColumns, statementRows } from '../statement-csv.ts';
import { isReversed, rangeOf } from '../statement-range.ts';
import { changesPage } from './changes-page.ts';
import { clientPage } from './client-page.ts';
import { facilityTable, receiptTable } from './client-records.ts';
import { findByName, pathOfRecord } from './find-by-name.ts';
import { clientListPage } from './list-page.ts';
import { readChangesView } from './read-changes.ts';
import { readBookSize, readClientView } from './read-client.ts';
import { clientStatementPage } from './statement-page.ts';

const pageSize = 25;
const receiptsPerRead = 200;
const styles = ['explorer.css'];

export function clientsRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const router = Router();
  const guard = requireTenancy(context);
  const readyBook = requireReadyBook(context);
  // The API has no other Clients; '..' would be a step between folders in its address.
  router.param('client', (_request, _response, next, id) => next(isIdentifier(String(id)) ? undefined : 'route'));

  router.get('/tenancies/:tenant/clients', guard, async (request, response) => {
    const visit = visitOf(response);
    const tenantId = request.params.tenant;
    const api = apiOf(response);
    const name = queryText(request, 'q');
    const cursor = queryText(request, 'cursor');
    const searched = { api, parts: context.readApi.parts, databases: context.databases, tenantId };
    const found = name === '' ? [] : await findByName(searched, name);
    const [only] = found;
    if (only !== undefined && found.length === 1) return response.redirect(303, pathOfRecord(tenantId, only));
    const page = await api.listClients({ limit: pageSize, ...(cursor === '' ? {} : { cursor }) });
    const content = clientListPage(visit, { name, found }, page, cursor === '');
    sendPage(response, { title: visit.texts.explorer.clients.title, content, styles });
  });

  router.get('/tenancies/:tenant/clients/:client', guard, readyBook, async (request, response) => {
    const clientId = request.params.client;
    const visit = visitOf(response);
    const clocks = await readClocks(context, request, response);
    const cursor = queryText(request, 'cursor');
    const reads = { api: apiOf(response), parts: context.readApi.parts, tenantId: request.params.tenant };
    const view = await readClientView(reads, clientId, clocks, cursor);
    const title = visit.texts.explorer.client.title(clientId);
    sendPage(response, { title, content: clientPage(visit, clocks, view, cursor), ...plotAssets });
  });

  router.get('/tenancies/:tenant/clients/:client/receipts', guard, readyBook, async (request, response) => {
    const clocks = await readClocks(context, request, response);
    await sendReceipts(response, request.params.client, clocks, queryText(request, 'cursor'));
  });

  router.get('/tenancies/:tenant/clients/:client/facilities', guard, readyBook, async (request, response) => {
    const { tenant, client } = request.params;
    const visit = visitOf(response);
    const { cursor: after } = cursorIn(request);
    const clocks = await readClocks(context, request, response);
    const page = await context.readApi.parts.facilities(tenant, client, { after, limit: pageSize });
    const { facilities: words } = visit.texts.explorer;
    const content = [
      html`<p>${clientLink(visit, client)}</p>`,
      clockNote(visit, clocks, words.ofNow),
      page.items.length === 0 ? html`<p>${words.none}</p>` : facilityTable(visit, page.items),
      pageLinks(visit, {}, { cursor: page.next, isFirst: after === undefined }),
    ];
    sendPage(response, { title: words.title, content, styles });
  });

  router.get('/tenancies/:tenant/clients/:client/changes', guard, readyBook, async (request, response) => {
    const clientId = request.params.client;
    const visit = visitOf(response);
    const clocks = await readClocks(context, request, response);
    const reads = { api: apiOf(response), parts: context.readApi.parts, tenantId: request.params.tenant };
    const view = await readChangesView(reads, clientId, clocks, request);
    const content = [html`<p>${clientLink(visit, clientId)}</p>`, changesPage(visit, clocks, view)];
    const status = view.problem === undefined && !view.isTooLarge ? 200 : 422;
    sendPage(response, { status, title: visit.texts.explorer.changes.title, content, styles });
  });

  router.get('/tenancies/:tenant/clients/:client/statement', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const [profile, { range, statement }] = await Promise.all([
      orUndefined(apiOf(response).readCompanyProfile()),
      readStatement(context, request, response),
    ]);
    const clientId = request.params.client;
    const paper = { clientId, range, part: queryText(request, 'part'), profile, statement };
    const content = clientStatementPage(visit, paper);
    const status = isReversed(range) ? 422 : 200;
    sendPage(response, { status, title: visit.texts.explorer.statement.title, content, styles });
  });

  router.get('/tenancies/:tenant/clients/:client/statement.csv', guard, async (request, response) => {
    const { range, statement } = await readStatement(context, request, response);
    const { reversed, tooLarge } = visitOf(response).texts.explorer.statement;
    if (statement === undefined) return sendErrorPage(response, 422, isReversed(range) ? reversed : tooLarge);
    const fileName = `statement-${request.params.client}-${range.from}-${range.to}.csv`;
    await downloads.send(response, wholeList(fileName, statementColumns, statementRows(statement.loans)));
  });

  router.get('/tenancies/:tenant/clients/:client/receipts.csv', guard, async (request, response) => {
    const { client } = request.params;
    const fileName = `receipts-${client}.csv`;
    await downloads.send(response, {
      fileName,
      columns: receiptColumns,
      pages: rowsOfReceipts(apiOf(response), client),
    });
  });

  return router;
}

async function* rowsOfReceipts(api: Lending, client: string) {
  for await (const page of api.pages('listReceipts', { client_id: client, limit: receiptsPerRead })) {
    yield receiptRows(page);
  }
}

/** No statement where the days are reversed, or the book is too large to be read whole. */
async function readStatement(context: ConsoleContext, request: Request<{ client: string }>, response: Response) {
  const api = apiOf(response);
  const clientId = request.params.client;
  // The book of a Client who does not exist would read as an empty one.
  await api.readClient({ client_id: clientId });
  // Unless the days are stated: the month of the last day.
  const range = rangeOf(request, await readClocks(context, request, response), (to) => `${to.slice(0, 8)}01`);
  if (isReversed(range)) return { range, statement: undefined };
  const { isBounded } = await readBookSize(api, clientId);
  const { from, to } = range;
  const at = { client_id: clientId, from, to, ...knownParameter(range) };
  return { range, statement: isBounded ? await api.readStatement(at) : undefined };
}

/** The log of requests has the reports that were refused, of any Client: bodies are not logged. */
function missingReceipts({ texts, tenantId = '' }: Visit): Html {
  const { receipts: words } = texts.explorer;
  const link = (status: number): Html => {
    const href = tenancyPath(tenantId, ['requests'], { method: 'POST', target: '/receipts', status });
    return html`<a href=${href}>${words.refusedReports(status)}</a>`;
  };
  return html`<p class="screen-only">${words.missing} ${link(422)} · ${link(409)}</p>`;
}

async function sendReceipts(response: Response, clientId: string, clocks: Clocks, cursor: string): Promise<void> {
  const visit = visitOf(response);
  const { receipts: words } = visit.texts.explorer;
  const page = await apiOf(response).listReceipts({
    client_id: clientId,
    limit: pageSize,
    ...(cursor === '' ? {} : { cursor }),
  });
  const content = [
    html`<p>${clientLink(visit, clientId)}</p>`,
    clockNote(visit, clocks, words.ofNow),
    page.receipts.length === 0 ? html`<p>${words.none}</p>` : receiptTable(visit, page.receipts),
    pageLinks(visit, {}, { cursor: page.cursor, isFirst: cursor === '' }),
    missingReceipts(visit),
    page.receipts.length > 0 && downloadLink(visit, bookPath(visit, ['clients', clientId, 'receipts.csv'])),
  ];
  sendPage(response, { title: words.title, content, styles });
}
