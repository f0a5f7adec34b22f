/** Pages of products and policies. None of them records anything. */
import { type Request, type Response, Router } from 'express';
import type { JsonObject } from '#libs/schema/json.ts';
import type { ProductConfiguration, StatedProductValues } from '#libs/sdk/src/contract/shapes.ts';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { sendBeingPrepared } from '../being-prepared-page.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { cursorIn, queryText } from '../form.ts';
import { orUndefined } from '../optional-read.ts';
import { sendPage } from '../page.ts';
import type { ReadApi } from '../read-api.ts';
import { refusalText } from '../refusal-text.ts';
import { readTenancyDay } from '../tenancy-day.ts';
import { statableFields } from './field-kinds.ts';
import { policyList, policyPage } from './policy-pages.ts';
import { productList } from './product-list-page.ts';
import { productPage } from './product-page.ts';
import { type FormInputs, inputNames, inputsOf, valuesOf } from './rehearsal-form-values.ts';
import { type RehearsalPage, rehearsalPage } from './rehearsal-page.ts';
import { chosenVersions } from './version-form.ts';

const pageSize = 50;
const keysPerPage = 25;
const styles = ['products.css'];

export function productsRouter(context: ConsoleContext): Router {
  const router = Router();
  const readable = requireTenancy(context);

  router.get('/tenancies/:tenant/products', readable, async (request, response) => {
    const visit = visitOf(response);
    const page = await apiOf(response).listConfigurations({ ...cursorIn(request), limit: pageSize });
    sendPage(response, { title: visit.texts.products.title, content: productList(visit, page), styles });
  });

  router.get('/tenancies/:tenant/products/:configuration', readable, (request, response) =>
    sendProduct(context, request, response),
  );
  router.get('/tenancies/:tenant/products/:configuration/rehearsal', readable, (request, response) =>
    sendRehearsal(context, request, response),
  );

  router.get('/tenancies/:tenant/policies', readable, async (request, response) => {
    const visit = visitOf(response);
    const page = await apiOf(response).listPolicies({ ...cursorIn(request), limit: pageSize });
    sendPage(response, { title: visit.texts.products.policies, content: policyList(visit, page), styles });
  });

  router.get('/tenancies/:tenant/policies/:policy', readable, sendPolicy);
  return router;
}

function sendNotFound(response: Response): void {
  sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
}

/** At most five reads. */
async function sendProduct(
  { readApi }: ConsoleContext,
  request: Request<{ tenant: string; configuration: string }>,
  response: Response,
): Promise<void> {
  const visit = visitOf(response);
  const api = apiOf(response);
  const at = { configuration_id: request.params.configuration };
  const latest = await api.readConfiguration(at);
  const chosen = chosenVersions(request.query, latest.version);
  if (chosen === undefined) return sendNotFound(response);
  const read = async (version: number): Promise<ProductConfiguration> =>
    version === latest.version ? latest : api.readConfigurationVersion({ ...at, configuration_version: version });
  const after = queryText(request, 'keys_after') || undefined;
  const part = { after, limit: keysPerPage };
  const [version, other, lookupKeys, adoption] = await Promise.all([
    read(chosen.version),
    chosen.other === undefined ? undefined : read(chosen.other),
    readApi.parts.lookupKeys(request.params.tenant, latest.id, part),
    orUndefined(api.readAdoptedPolicy(at)),
  ]);
  const keys = { lookupKeys: lookupKeys.items, nextKeys: lookupKeys.next, isFirstOfKeys: after === undefined };
  const content = productPage(visit, { version, other, latestVersion: latest.version, adoption, ...keys });
  sendPage(response, { title: latest.id, content, styles });
}

/** Four reads: how many Loans a rehearsal examines is bounded by the API. */
async function sendRehearsal(
  { databases, readApi }: ConsoleContext,
  request: Request<{ tenant: string; configuration: string }>,
  response: Response,
): Promise<void> {
  const visit = visitOf(response);
  const api = apiOf(response);
  const { query } = request;
  const at = { configuration_id: request.params.configuration };
  const latest = await api.readConfiguration(at);
  const chosen = chosenVersions({ version: query['version'] }, latest.version);
  if (chosen === undefined) return sendNotFound(response);
  const version = await api.readConfigurationVersion({ ...at, configuration_version: chosen.version });
  const values = version.values as JsonObject;
  const { day } = await readTenancyDay(databases, request.params.tenant);
  const page = { version, on: day, inputs: inputsOf(values), problems: [] };
  const sent = typeof query['on'] === 'string' ? await rehearse(readApi, request, response, version) : page;
  if (sent === 'not_ready') return sendBeingPrepared(response, visit.texts.errors.booksAreRead);
  const title = visit.texts.products.rehearsal;
  const status = sent.problems.length === 0 ? 200 : 422;
  sendPage(response, { title, status, content: rehearsalPage(visit, sent), styles });
}

async function rehearse(
  { parts }: ReadApi,
  request: Request<{ tenant: string; configuration: string }>,
  response: Response,
  version: ProductConfiguration,
): Promise<RehearsalPage | 'not_ready'> {
  const on = queryText(request, 'on');
  const inputs = inputsIn(request, version.archetype);
  const { texts } = visitOf(response);
  const { currency } = version.values.principal_min;
  const values = valuesOf(inputs, version.archetype, { texts, currency });
  const page = { version, on, inputs, problems: [] };
  // What does not have the type of its field is refused by the API.
  const supposed = { values: values as StatedProductValues, on, ...cursorIn(request), limit: pageSize };
  const search = { ...supposed, values, configurationId: version.id };
  if (!(await parts.lists.isRehearsalReady(request.params.tenant, search))) return 'not_ready';
  try {
    const rehearsal = await apiOf(response).rehearse({ configuration_id: version.id }, supposed);
    const query = new URL(request.originalUrl, 'http://console').searchParams;
    return { ...page, result: { values, rehearsal, query } };
  } catch (error) {
    if (!(error instanceof RefusalError) || error.status >= 500) throw error;
    return { ...page, problems: [refusalText(visitOf(response).texts, error)] };
  }
}

function inputsIn({ query }: Request<object>, archetype: string): FormInputs {
  const names = statableFields(archetype).flatMap(inputNames);
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = query[name];
      return typeof text === 'string' ? [[name, text.trim()]] : [];
    }),
  );
}

/** At most three reads. */
async function sendPolicy(request: Request<{ tenant: string; policy: string }>, response: Response): Promise<void> {
  const visit = visitOf(response);
  const api = apiOf(response);
  const { policy: name } = request.params;
  const policy = await api.readPolicy({ policy: name, ...cursorIn(request), limit: pageSize });
  const chosen = chosenVersions(request.query, policy.latest_version);
  if (chosen === undefined) return sendNotFound(response);
  const read = (version: number) => api.readPolicyVersion({ policy: name, policy_version: version });
  const [version, other] = await Promise.all([
    read(chosen.version),
    chosen.other === undefined ? undefined : read(chosen.other),
  ]);
  sendPage(response, { title: policy.policy, content: policyPage(visit, { policy, version, other }), styles });
}
