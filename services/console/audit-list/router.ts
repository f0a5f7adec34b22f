/** The audit list of a Tenancy for its admins, and of the installation for operators. */
import { type Request, type Response, Router } from 'express';
import { type AdministrationFactFilter, examinedFacts } from '#libs/database/administration-facts.ts';
import type { Database } from '#libs/database/database.ts';
import { installationId } from '#libs/tenant/administration-acts.ts';
import { requireAdmin, requireOperator, requireTenancy } from '../access.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import type { CsvDownloads, CsvList } from '../csv-download.ts';
import { queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { actColumns, actRows } from './acts-csv.ts';
import { auditList } from './pages.ts';
import { readActs } from './read-acts.ts';

const pageSize = 50;
const maxFilterCharacters = 200;

export function auditListRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const { databases } = context;
  const router = Router();
  const readable = requireTenancy(context);

  const sendList = async (request: Request<object>, response: Response, bookOf: string): Promise<void> => {
    const visit = visitOf(response);
    const filter = filterIn(request);
    const before = queryText(request, 'before');
    const from = /^[0-9]{1,15}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
    const page = await readActs(databases.ofTenancy(bookOf), bookOf, filter, { before: from, limit: pageSize });
    sendPage(response, {
      title: visit.texts.auditList.title,
      content: auditList(visit, filter, { ...page, isFirst: before === '' }),
    });
  };

  const sendCsv = (request: Request<object>, response: Response, bookOf: string): Promise<void> =>
    downloads.send(response, listOfActs(databases.ofTenancy(bookOf), bookOf, filterIn(request)));

  router.get('/audit-list', requireOperator, (request, response) => sendList(request, response, installationId));
  router.get('/audit-list.csv', requireOperator, (request, response) => sendCsv(request, response, installationId));
  router.get('/tenancies/:tenant/audit-list', readable, requireAdmin, (request, response) =>
    sendList(request, response, request.params.tenant),
  );
  router.get('/tenancies/:tenant/audit-list.csv', readable, requireAdmin, (request, response) =>
    sendCsv(request, response, request.params.tenant),
  );
  return router;
}

function listOfActs(database: Database, bookOf: string, filter: AdministrationFactFilter): CsvList {
  async function* pages() {
    for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
      const page = await readActs(database, bookOf, filter, { before, limit: examinedFacts });
      yield actRows(page.acts);
      before = page.next;
    }
  }
  return { fileName: `audit-list-${bookOf}.csv`, columns: actColumns, pages: pages() };
}

function filterIn(request: Request<object>): AdministrationFactFilter {
  const day = queryText(request, 'day');
  return {
    person: queryText(request, 'person').slice(0, maxFilterCharacters),
    action: queryText(request, 'action').slice(0, maxFilterCharacters),
    day: /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : '',
  };
}
