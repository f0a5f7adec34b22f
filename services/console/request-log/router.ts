/** The request log of a Tenancy: a search, and one request in full. Two reads for each page. */
import { type Request, Router } from 'express';
import { LendingError } from '#libs/sdk/src/errors.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { filterNames, type RequestFilter, requestList } from './list-page.ts';
import { requestDetails } from './request-page.ts';

const pageSize = 50;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function requestLogRouter(context: ConsoleContext): Router {
  const { administration } = context;
  const router = Router();
  const readable = requireTenancy(context);
  const styles = ['request-log.css'];

  router.get('/tenancies/:tenant/requests', readable, async (request, response) => {
    const visit = visitOf(response);
    const filter = filterIn(request);
    const { cursor } = request.query;
    const { status, ...texts } = filter;
    const query = {
      ...texts,
      // Anything but a number is refused by the API, like every other faulty filter.
      ...(status === undefined ? {} : { status: Number(status) }),
      ...(typeof cursor === 'string' ? { cursor } : {}),
      limit: pageSize,
    };
    const [found, keys] = await Promise.all([
      apiOf(response).listRequests(query).catch(refusalIn),
      administration.listKeys(request.params.tenant),
    ]);
    const content = requestList(visit, { filter, found, keys, isFirst: cursor === undefined });
    const code = found instanceof LendingError ? 422 : 200;
    sendPage(response, { title: visit.texts.requestLog.title, content, status: code, styles });
  });

  router.get('/tenancies/:tenant/requests/:request', readable, async (request, response) => {
    const visit = visitOf(response);
    const id = request.params.request;
    const [page, keys] = await Promise.all([
      uuid.test(id) ? apiOf(response).listRequests({ request_id: id, limit: 1 }) : undefined,
      administration.listKeys(request.params.tenant),
    ]);
    const logged = page?.requests[0];
    if (logged === undefined) return sendErrorPage(response, 404, visit.texts.requestLog.notFound);
    const content = requestDetails(visit, { tenantId: request.params.tenant, logged, keys });
    sendPage(response, { title: visit.texts.requestLog.one, content, styles });
  });

  return router;
}

function refusalIn(error: unknown): LendingError {
  if (error instanceof LendingError && error.status < 500) return error;
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
