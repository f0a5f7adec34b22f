/** The listings of a Tenancy that Postgres answers alone: Clients and product configurations; and the market. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { withoutUnknownMembers } from '#libs/api/closed-members.ts';
import type { RequestedVersion } from '#libs/api/contract-versions.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import {
  type ConfigurationOnPage,
  findConfiguration,
  type ListedClient,
  readClientsBefore,
  readConfigurationsBefore,
  readVersionsAfter,
} from '#libs/database/read-client-and-credit-pages.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { marketAnswer } from '#libs/product/markets/market.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { listingPosition } from './cursors.ts';
import { type JsonPage, jsonPage, pageResponse } from './json-page.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

export function tenancyListings(context: ReadContext): RouteHandlers {
  return {
    listClients: (request) => listClients(context, request),
    listConfigurations: (request) => listConfigurations(context, request),
    readConfiguration: (request) => readConfiguration(context, request),
    listConfigurationVersions: (request) => listVersions(context, request),
    readConfigurationVersion: (request) => readConfiguration(context, request),
    readMarket: (request) => readMarket(context, request),
  };
}

async function listClients(
  { databases, cursors }: ReadContext,
  request: RouteRequest<'listClients'>,
): Promise<RouteResult> {
  const { tenancy, timing } = request;
  const { limit, cursor } = request.query;
  const scope = { tenantId: tenancy.id, name: 'clients', filters: {} };
  const start = cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const from = listingPosition(start.position);
  const clients = await readClientsBefore(databases, timing, { tenantId: tenancy.id, from, limit: limit + 1 });
  const page = jsonPage(clients, {
    limit,
    found: clients[0]?.found,
    textOf: (client) => JSON.stringify(clientRow(client, tenancy.id)),
    cursorAfter: ({ position }) => cursors.encode(scope, position),
  });
  return pageResponse('clients', page);
}

function clientRow({ content, recorded_at }: ListedClient, tenantId: string) {
  const { client_id, ...registration } = JSON.parse(content) as { readonly client_id: string };
  return { client_id, tenant_id: tenantId, created_at: formatMoment(recorded_at as Moment), ...registration };
}

/** Identifiers end in six digits: this sorts after all of them in any collation. */
const afterEveryIdentifier = 'z';

async function listConfigurations(
  context: ReadContext,
  request: RouteRequest<'listConfigurations'>,
): Promise<RouteResult> {
  const { databases, cursors } = context;
  const { tenancy, timing } = request;
  const { limit, cursor } = request.query;
  const scope = { tenantId: tenancy.id, name: 'configurations', filters: {} };
  const start = cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const before = String(start.position?.[0] ?? afterEveryIdentifier);
  const found = await readConfigurationsBefore(databases.ofTenancy(tenancy.id), timing, {
    tenantId: tenancy.id,
    before,
    limit: limit + 1,
  });
  const page = configurationsPage(found, limit, (last) => cursors.encode(scope, [last.configuration_id.slice(4)]));
  return configurationsResult('configurations', page, requestedVersion(context.contract, request));
}

async function listVersions(
  context: ReadContext,
  request: RouteRequest<'listConfigurationVersions'>,
): Promise<RouteResult> {
  const { databases, cursors } = context;
  const { tenancy, timing } = request;
  const { limit, cursor } = request.query;
  const id = String(request.params['configuration_id']);
  const scope = { tenantId: tenancy.id, name: 'configuration versions', filters: { id } };
  const start = cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const after = Number(start.position?.[0] ?? 0);
  const found = await readVersionsAfter(databases.ofTenancy(tenancy.id), timing, {
    tenantId: tenancy.id,
    id,
    after,
    limit: limit + 1,
  });
  // Every configuration has a first version.
  if (found.length === 0 && after === 0) return refuse('no_configuration');
  const page = configurationsPage(found, limit, ({ version }) => cursors.encode(scope, [version]));
  return configurationsResult('versions', page, requestedVersion(context.contract, request));
}

/** The answers are stored as JSON text and are sent as they are. */
function configurationsPage(
  rows: readonly ConfigurationOnPage[],
  limit: number,
  cursorAfter: (last: ConfigurationOnPage) => string,
): JsonPage {
  return jsonPage(rows, { limit, found: rows[0]?.found, textOf: ({ content }) => content, cursorAfter });
}

function configurationsResult(name: string, { texts, cursor }: JsonPage, requested: RequestedVersion): RouteResult {
  return pageResponse(name, { texts: withoutUnknownMembers(requested, texts), cursor });
}

/** The largest version that the column can hold. */
const maxVersion = 2 ** 31 - 1;

/** One version, or the latest where the path names none. */
async function readConfiguration(
  { databases }: ReadContext,
  { tenancy, timing, params }: RouteRequest<'readConfiguration' | 'readConfigurationVersion'>,
): Promise<RouteResult> {
  const { configuration_id: id, configuration_version: version } = params;
  const wanted = version === undefined ? {} : { version: Number(version) };
  if (wanted.version !== undefined && wanted.version > maxVersion) return refuse('no_configuration');
  const found = await findConfiguration(databases.ofTenancy(tenancy.id), timing, {
    tenantId: tenancy.id,
    id: String(id),
    ...wanted,
  });
  return found === undefined ? refuse('no_configuration') : { status: 200, text: found.answer };
}

function readMarket({ markets }: ReadContext, { params }: RouteRequest<'readMarket'>): RouteResult {
  const market = markets.get(String(params['jurisdiction']));
  return market === undefined ? refuse('not_found') : { status: 200, body: marketAnswer(market) };
}
