import { type QueryShape, readQuery } from '#libs/api/query.ts';
import { pathFault, type Route } from '#libs/api/route.ts';
import type { Matched } from '#libs/api/route-matcher.ts';
import { routes } from '#libs/api/routes.ts';
import { type Contract, closedWindow, windowHeaders, windowsOf } from '#libs/api/versions.ts';
import { type Authenticated, readIdempotencyKey } from '#libs/auth/authenticate.ts';
import { tooLarge } from '#libs/http/body-bytes.ts';
import type { Exchange } from '#libs/http/exchange.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { isJson } from '#libs/http/request-head.ts';
import { type DataPaths, type Json, parseBody } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { readBody } from '#libs/schema/shape.ts';

/** Everything a route reads of a request, up to the fields of its body: those are the first outcome there can be. */
export function takeIn(
  contract: Contract,
  exchange: Exchange,
  { key, evidence }: Authenticated,
  { name, params }: Matched,
  admittedAt: number,
): AuthorizedRequest | Refusal {
  const route: Route = routes[name];
  if (route.notForAgents && key.holder === 'agent' && key.tenancy.live) return refuse('not_permitted_agent');
  const read = route.body === undefined ? { json: undefined } : readJson(contract, exchange, route, evidence.body);
  if (isRefusal(read)) return read;
  const keyed = route.keyed ? readIdempotencyKey(exchange.head) : { key: undefined };
  if (isRefusal(keyed)) return keyed;
  const asked = readQuery<QueryShape>(exchange.queryText, route.query);
  if (isRefusal(asked)) return asked;
  const { requestId, callerRequestId, version, receivedAt, timing } = exchange;
  return {
    route: name,
    requestId,
    callerRequestId,
    version,
    receivedAt,
    admittedAt,
    params,
    query: asked.query,
    body: read.json,
    tenancy: key.tenancy,
    key,
    evidence,
    idempotencyKey: keyed.key,
    timing,
    header: (header) => exchange.header(header),
    gone: () => exchange.gone(),
  };
}

/** What a body, or a name in the path, states that its route cannot take. */
export function fieldFault({ route: name, params, body }: AuthorizedRequest): Refusal | undefined {
  const route: Route = routes[name];
  const stated = route.body === undefined ? { body } : readBody(route.body, body as Json);
  return isRefusal(stated) ? stated : pathFault(route.method, params);
}

/** Media type, then size, then JSON, then the members whose days are counted. */
function readJson(
  contract: Contract,
  exchange: Exchange,
  route: Route,
  bytes: Buffer,
): { readonly json: Json } | Refusal {
  if (!isJson(exchange.head)) return refuse('unsupported_media_type');
  if (bytes.length > route.mostBodyBytes) return tooLarge(route.mostBodyBytes);
  const json = parseBody(bytes, (route.body?.numbersKeptAsText ?? []) as DataPaths);
  if (isRefusal(json)) return json;
  const windows = windowsOf(contract, exchange.route ?? '', json);
  const closed = closedWindow(windows, exchange.receivedAt);
  if (closed) return closed;
  for (const window of windows) Object.assign(exchange.headers, windowHeaders(window));
  return { json };
}
