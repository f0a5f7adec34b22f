/** Pages about Tenancies: their list, one of them, and the forms that open one or set its bounds. */
import { type Request, type Response, Router } from 'express';
import { isTimeZone } from '#libs/credit/time-zone.ts';
import { readKeyUsage } from '#libs/database/key-usage.ts';
import { type BoundsSettings, readListedTenancy, readTenancyPage } from '#libs/database/tenancies.ts';
import { mayAdminister, readableTenancies } from '#libs/people/roles.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { NewTenancy } from '#libs/submission/administration-reads.ts';
import { apiOf, requireAdmin, requireOperator, requireTenancy } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { administrationOf, type ConsoleContext, personOf, visitOf } from '../console-context.ts';
import { doneNotice, donePath } from '../done-notice.ts';
import { formText, queryText } from '../form.ts';
import { keyPositionIn, keySection } from '../keys/pages.ts';
import { sendPage } from '../page.ts';
import { refusalText } from '../refusal-text.ts';
import {
  auditListLink,
  boundsSection,
  maxBound,
  openingForm,
  type RefusedBounds,
  tenancyHead,
  tenancyList,
} from './pages.ts';

const tenanciesPerPage = 50;
const keysPerPage = 50;
const maxNameCharacters = 200;

export function tenanciesRouter(context: ConsoleContext): Router {
  const { database, databases, administration } = context;
  const router = Router();

  router.get('/tenancies', async (request, response) => {
    const visit = visitOf(response);
    const person = personOf(response);
    const page = await readTenancyPage(databases, {
      among: readableTenancies(person),
      after: queryText(request, 'after'),
      limit: tenanciesPerPage,
    });
    const content = tenancyList(visit, page, person);
    sendPage(response, { title: visit.texts.tenancies.title, content, styles: ['form-cards.css'] });
  });

  const sendTenancy = async (
    request: Request<{ tenant: string }>,
    response: Response,
    refused?: RefusedBounds,
  ): Promise<void> => {
    const tenantId = request.params.tenant;
    const visit = visitOf(response);
    const before = keyPositionIn(queryText(request, 'keys_before'));
    const [tenancy, bounds, { keys, next }] = await Promise.all([
      readListedTenancy(databases.ofTenancy(tenantId), tenantId),
      apiOf(response).readBounds(),
      administration.readKeyPage(tenantId, keysPerPage, before),
    ]);
    if (tenancy === undefined) throw new Error(`there is no Tenancy ${tenantId}`);
    const fingerprints = keys.map(({ fp }) => fp);
    const usage = await readKeyUsage(database, tenantId, fingerprints);
    const isAdmin = mayAdminister(personOf(response), tenantId);
    const rights = { mayAdminister: isAdmin && tenancy.closed_at === null };
    const keysOfTenancy = {
      tenantId,
      live: tenancy.live,
      keys,
      next,
      isFirst: before === undefined,
      usage,
      ...rights,
    };
    const content = [
      refused === undefined && doneNotice(visit, request, visit.texts.tenancies.done),
      tenancyHead(visit, tenancy),
      isAdmin && auditListLink(visit, tenantId),
      boundsSection(visit, tenantId, { bounds, refused, ...rights }),
      keySection(visit, keysOfTenancy),
    ];
    const scripts = rights.mayAdminister ? ['nacl.js', 'mint-key.js'] : [];
    const status = refused === undefined ? 200 : 422;
    sendPage(response, { status, title: tenantId, content, scripts, styles: ['form-cards.css'] });
  };

  router.get('/tenancies/:tenant', requireTenancy(context), (request, response) => sendTenancy(request, response));

  router.post('/tenancies/:tenant/bounds', requireTenancy(context), requireAdmin, async (request, response) => {
    const tenantId = request.params.tenant;
    const { texts } = visitOf(response);
    const entered = enteredBounds(request.body);
    const refuse = (problem: string) => sendTenancy(request, response, { entered, problems: [problem] });
    const bounds = parseBounds(entered);
    if (bounds === undefined) return refuse(texts.tenancies.boundsWrong);
    const { actor, acts } = administrationOf(context, response);
    const result = await acts.setBounds(actor, tenantId, bounds);
    if (isRefusal(result)) return refuse(refusalText(texts, result));
    response.redirect(303, donePath(visitOf(response), `/tenancies/${tenantId}`, 'bounds'));
  });

  router.get('/open-tenancy', requireOperator, (_request, response) => {
    const start = { jurisdiction: 'MX', timeZone: 'America/Mexico_City', live: false };
    sendOpening(response, { tenantId: '', name: '', ...start, problems: [] });
  });

  router.post('/open-tenancy', requireOperator, async (request, response) => {
    const { texts } = visitOf(response);
    const tenancy = tenancyIn(request.body);
    const { tenantId, name, timeZone } = tenancy;
    const problems = [
      ...(isIdentifier(tenantId) ? [] : [texts.tenancies.idWrong]),
      ...(name !== '' && name.length <= maxNameCharacters ? [] : [texts.tenancies.nameWrong]),
      ...(isTimeZone(timeZone) ? [] : [texts.tenancies.zoneWrong]),
    ];
    if (problems.length === 0) {
      const problem = await presentPasswordProblem(context, request, response);
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length > 0) return sendOpening(response, { ...tenancy, problems });
    const { actor, acts } = administrationOf(context, response);
    const result = await acts.openTenancy(actor, tenancy);
    if (isRefusal(result)) {
      const isTaken = result.code === 'reference_reused';
      const refused = isTaken
        ? { idProblem: texts.tenancies.idTaken(tenantId), problems: [] }
        : { problems: [refusalText(texts, result)] };
      return sendOpening(response, { ...tenancy, ...refused });
    }
    response.redirect(303, `/tenancies/${tenantId}`);
  });

  return router;
}

type Opening = Parameters<typeof openingForm>[1];

function sendOpening(response: Response, opening: Opening): void {
  const visit = visitOf(response);
  const isRefused = opening.idProblem !== undefined || opening.problems.length > 0;
  const status = isRefused ? 422 : 200;
  sendPage(response, { status, title: visit.texts.tenancies.open, content: openingForm(visit, opening) });
}

function tenancyIn(body: unknown): NewTenancy {
  return {
    tenantId: formText(body, 'id').trim(),
    name: formText(body, 'name').trim(),
    live: formText(body, 'live') === 'yes',
    jurisdiction: formText(body, 'jurisdiction'),
    timeZone: formText(body, 'time_zone').trim(),
  };
}

function enteredBounds(body: unknown): RefusedBounds['entered'] {
  return {
    concurrent: formText(body, 'concurrent'),
    patience_ms: formText(body, 'patience_ms'),
    per_second: formText(body, 'per_second'),
    burst: formText(body, 'burst'),
  };
}

/** Undefined where one of them is no bound. */
function parseBounds({
  concurrent,
  patience_ms,
  per_second,
  burst,
}: RefusedBounds['entered']): BoundsSettings | undefined {
  const number = (text: string): number => (/^[0-9]{1,7}$/.test(text) ? Number(text) : 0);
  const bounds = {
    concurrent: number(concurrent),
    patience_ms: number(patience_ms),
    per_second: number(per_second),
    burst: number(burst),
  };
  return Object.values(bounds).every((value) => value >= 1 && value <= maxBound) ? bounds : undefined;
}
