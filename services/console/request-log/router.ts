/** The request log of a Tenancy: a search, and one request in full. Three reads at most for each page. */
import { type Request, Router } from 'express';
import { isUuid } from '#libs/schema/identifiers.ts';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { cursorIn, queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { filterNames, type RequestFilter, requestList } from './list-page.ts';
import { requestDetails } from './request-page.ts';

const pageSize = 50;
/** To choose from; any other key is found by its fingerprint in the address. */
const offeredKeys = 100;

export function requestLogRouter(context: ConsoleContext): Router {
  const { administration } = context;
  const router = Router();
  const readable = requireTenancy(context);
  const styles = ['request-log.css'];

  router.get('/tenancies/:tenant/requests', readable, async (request, response) => {
    const visit = visitOf(response);
    const filter = filterIn(request);
    const cursor = cursorIn(request);
    const { status, ...texts } = filter;
    const query = {
      ...texts,
      // Anything but a number is refused by the API, like every other faulty filter.
      ...(status === undefined ? {} : { status: Number(status) }),
      ...cursor,
      limit: pageSize,
    };
    const { tenant } = request.params;
    const [found, { keys: newest }] = await Promise.all([
      apiOf(response).listRequests(query).catch(refusalIn),
      administration.readKeyPage(tenant, offeredKeys),
    ]);
    const used = found instanceof RefusalError ? [] : found.requests.map(({ fp }) => fp);
    const known = new Set(newest.map(({ fp }) => fp));
    const others = [...new Set([...used, filter.fp ?? ''])].filter((fp) => fp !== '' && !known.has(fp));
    const keys = others.length === 0 ? newest : [...newest, ...(await administration.findKeys(tenant, others))];
    const content = requestList(visit, { filter, found, keys, isFirst: cursor.cursor === undefined });
    const code = found instanceof RefusalError ? 422 : 200;
    sendPage(response, { title: visit.texts.requestLog.title, content, status: code, styles });
  });

  router.get('/tenancies/:tenant/requests/:request', readable, async (request, response) => {
    const visit = visitOf(response);
    const id = request.params.request;
    const page = isUuid(id) ? await apiOf(response).listRequests({ request_id: id, limit: 1 }) : undefined;
    const logged = page?.requests[0];
    if (logged === undefined) return sendErrorPage(response, 404, visit.texts.requestLog.notFound);
    const tenantId = request.params.tenant;
    const [key] = await administration.findKeys(tenantId, [logged.fp]);
    const content = requestDetails(visit, { tenantId, logged, keyLabel: key?.label });
    sendPage(response, { title: visit.texts.requestLog.one, content, styles });
  });

  return router;
}

function refusalIn(error: unknown): RefusalError {
  if (error instanceof RefusalError && error.status < 500) return error;
  throw error;
}

function filterIn(request: Request<object>): RequestFilter {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const text = queryText(request, name).slice(0, 200);
      return text === '' ? [] : [[name, text]];
    }),
  );
}
