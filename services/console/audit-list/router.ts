/** The audit list of a Tenancy for its admins, and of the installation for operators. */
import { once } from 'node:events';
import { type Request, type Response, Router } from 'express';
import { type AdministrationFactFilter, examinedFacts } from '#libs/database/administration-facts.ts';
import type { Database } from '#libs/database/database.ts';
import { installationId } from '#libs/tenant/administration-acts.ts';
import { requireAdmin, requireOperator, requireTenancy } from '../access.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { csvHead, csvRows } from './acts-csv.ts';
import { auditList } from './pages.ts';
import { readActs } from './read-acts.ts';

const pageSize = 50;
const maxFilterCharacters = 200;
/** At once: each reads the whole book of a Tenancy. */
const maxExports = 2;

export function auditListRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();
  const readable = requireTenancy(context);
  let exports = 0;

  const sendList = async (request: Request<object>, response: Response, bookOf: string): Promise<void> => {
    const visit = visitOf(response);
    const filter = filterIn(request);
    const before = queryText(request, 'before');
    const from = /^[0-9]{1,15}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
    const page = await readActs(database, bookOf, filter, { before: from, limit: pageSize });
    sendPage(response, {
      title: visit.texts.auditList.title,
      content: auditList(visit, filter, { ...page, isFirst: before === '' }),
    });
  };

  const sendCsv = async (request: Request<object>, response: Response, bookOf: string): Promise<void> => {
    if (exports === maxExports) return sendErrorPage(response, 503, visitOf(response).texts.auditList.exportsBusy);
    exports += 1;
    try {
      await writeCsv(database, response, bookOf, filterIn(request));
    } finally {
      exports -= 1;
    }
  };

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

/** A page of it is in memory at a time. */
async function writeCsv(
  database: Database,
  response: Response,
  bookOf: string,
  filter: AdministrationFactFilter,
): Promise<void> {
  response.type('text/csv').attachment(`audit-list-${bookOf}.csv`).write(csvHead);
  for (let next: number | undefined = Number.MAX_SAFE_INTEGER; next !== undefined && !response.destroyed; ) {
    const page = await readActs(database, bookOf, filter, { before: next, limit: examinedFacts });
    if (!response.write(csvRows(page.acts))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    next = page.next;
  }
  response.end();
}

function filterIn(request: Request<object>): AdministrationFactFilter {
  const day = queryText(request, 'day');
  return {
    person: queryText(request, 'person').slice(0, maxFilterCharacters),
    action: queryText(request, 'action').slice(0, maxFilterCharacters),
    day: /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : '',
  };
}
