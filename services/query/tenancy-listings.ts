/** What is listed in the whole Tenancy and answered as it was recorded: Clients, products; and its market. */

import type { Knowing } from '#libs/api/versions.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import {
  clientsBefore,
  configurationAt,
  configurationsBefore,
  type ListedClient,
  type ListedConfiguration,
  versionsAfter,
} from '#libs/database/read-listings.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { marketAnswer } from '#libs/product/markets/answer.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { page } from './cursors.ts';
import type { ReadContext, RequestTo } from './reads.ts';
import { knowingOf, servedTexts } from './version-filter.ts';

export function tenancyListings(reads: ReadContext): RouteHandlers {
  return {
    listClients: (asked) => listClients(reads, asked),
    listConfigurations: (asked) => listConfigurations(reads, asked),
    readConfiguration: (asked) => readConfiguration(reads, asked),
    listConfigurationVersions: (asked) => listVersions(reads, asked),
    readConfigurationVersion: (asked) => readConfiguration(reads, asked),
    readMarket: ({ params }) => {
      const market = reads.markets.get(String(params['jurisdiction']));
      return market === undefined ? refuse('not_found') : { status: 200, body: marketAnswer(market) };
    },
  };
}

/** No number is as high. */
const fromTheNewest = Number.MAX_SAFE_INTEGER;

async function listClients({ database, cursors }: ReadContext, asked: RequestTo<'listClients'>): Promise<RouteResult> {
  const { tenancy, timing } = asked;
  const { limit, cursor } = asked.query;
  const listing = { tenantId: tenancy.id, name: 'clients', filters: {} };
  const taken = cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const before = Number(taken.place?.[0] ?? fromTheNewest);
  const found = await clientsBefore(database, timing, { tenantId: tenancy.id, before, most: limit + 1 });
  const { items, cursor: next } = page(found, limit, ({ number }) => cursors.give(listing, [number]));
  return { status: 200, body: { clients: items.map((client) => clientRow(client, tenancy.id)), ...next } };
}

function clientRow({ row, recorded_at }: ListedClient, tenantId: string) {
  const { client_id, ...stated } = row;
  return { client_id, tenant_id: tenantId, created_at: formatMoment(recorded_at as Moment), ...stated };
}

/** Behind every six digits, in any collation. */
const behindEvery = 'z';

async function listConfigurations(reads: ReadContext, asked: RequestTo<'listConfigurations'>): Promise<RouteResult> {
  const { database, cursors } = reads;
  const { tenancy, timing } = asked;
  const { limit, cursor } = asked.query;
  const listing = { tenantId: tenancy.id, name: 'configurations', filters: {} };
  const taken = cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const before = String(taken.place?.[0] ?? behindEvery);
  const found = await configurationsBefore(database, timing, { tenantId: tenancy.id, before, most: limit + 1 });
  const { items, cursor: next } = page(found, limit, (last) => cursors.give(listing, [last.configuration_id.slice(4)]));
  return listed('configurations', items, { knowing: knowingOf(reads.contract, asked), next });
}

async function listVersions(reads: ReadContext, asked: RequestTo<'listConfigurationVersions'>): Promise<RouteResult> {
  const { database, cursors } = reads;
  const { tenancy, timing } = asked;
  const { limit, cursor } = asked.query;
  const id = String(asked.params['configuration_id']);
  const listing = { tenantId: tenancy.id, name: 'configuration versions', filters: { id } };
  const taken = cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const after = Number(taken.place?.[0] ?? 0);
  const found = await versionsAfter(database, timing, { tenantId: tenancy.id, id, after, most: limit + 1 });
  // Every configuration has a first version: nothing at all is no configuration.
  if (found.length === 0 && after === 0) return refuse('no_configuration');
  const { items, cursor: next } = page(found, limit, ({ version }) => cursors.give(listing, [version]));
  return listed('versions', items, { knowing: knowingOf(reads.contract, asked), next });
}

/** The answers stand as text since their commit. */
function listed(
  name: string,
  items: readonly ListedConfiguration[],
  { knowing, next }: { readonly knowing: Knowing; readonly next: { readonly cursor?: string } },
): RouteResult {
  const rest = next.cursor === undefined ? '' : `,"cursor":${JSON.stringify(next.cursor)}`;
  const answers = items.map(({ answer }) => answer);
  return { status: 200, text: `{"${name}":[${servedTexts(knowing, answers).join(',')}]${rest}}` };
}

async function readConfiguration(
  { database }: ReadContext,
  { tenancy, timing, params }: RequestTo<'readConfiguration' | 'readConfigurationVersion'>,
): Promise<RouteResult> {
  const { configuration_id: id, configuration_version: version } = params;
  const stated = version === undefined ? {} : { version: Number(version) };
  if (stated.version !== undefined && stated.version > mostVersion) return refuse('no_configuration');
  const found = await configurationAt(database, timing, { tenantId: tenancy.id, id: String(id), ...stated });
  return found === undefined ? refuse('no_configuration') : { status: 200, text: found.answer };
}

/** Beyond what the column holds there is none. */
const mostVersion = 2 ** 31 - 1;
