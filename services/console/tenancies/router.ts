/** Pages about Tenancies. */
import { Router } from 'express';
import { apiOf, requireTenancy } from '../access.ts';
import { type ConsoleContext, personOf, visitOf } from '../console-context.ts';
import { sendPage } from '../page.ts';
import { tenancyList, tenancyOverview } from './pages.ts';
import { listTenancies } from './tenancy-list.ts';

export function tenanciesRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();

  router.get('/tenancies', async (request, response) => {
    const visit = visitOf(response);
    const { after } = request.query;
    const page = await listTenancies(database, personOf(response), typeof after === 'string' ? after : '');
    sendPage(response, { title: visit.texts.tenancies.title, content: tenancyList(visit, page) });
  });

  router.get('/tenancies/:tenant', requireTenancy(context), async (request, response) => {
    const visit = visitOf(response);
    const bounds = await apiOf(response).readBounds();
    sendPage(response, { title: request.params.tenant, content: tenancyOverview(visit, bounds) });
  });

  return router;
}
