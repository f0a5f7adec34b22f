/** Turns a request into what its handler receives, or refuses it. */

import { type Contract, deprecationHeaders, deprecationsIn, refuseExpired } from '#libs/api/contract-versions.ts';
import { parseQuery, type QuerySchema } from '#libs/api/parse-query.ts';
import { checkPathSegments, type Route } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { bodyTooLarge } from '#libs/http/request-body.ts';
import { type RequestContext, required } from '#libs/http/request-context.ts';
import { isJson, readIdempotencyKey } from '#libs/http/request-head.ts';
import { type Json, parseJsonBody } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';

/** Reads everything of a request that its route uses, except the fields of the body: those are checked by `fieldRefusal`. */
export function parseRequest(contract: Contract, now: () => number): PipelineStep {
  return (context) => {
    const { name, params } = required(context.route, 'route');
    const { key, evidence } = required(context.caller, 'caller');
    const route: Route = routes[name];
    if (route.isForbiddenToAgents && key.holder === 'agent' && key.tenancy.live) return refuse('not_permitted_agent');
    const json = route.body === undefined ? undefined : readJson(contract, context, route, evidence.body);
    if (isRefusal(json)) return json;
    const keyed = route.readsIdempotencyKey ? readIdempotencyKey(context.head) : { key: undefined };
    if (isRefusal(keyed)) return keyed;
    const parsed = parseQuery<QuerySchema>(context.queryText, route.query);
    if (isRefusal(parsed)) return parsed;
    const { requestId, callerRequestId, version, receivedAt, timing } = context;
    context.authorizedRequest = {
      route: name,
      requestId,
      callerRequestId,
      version,
      receivedAt,
      admittedAt: now(),
      params,
      query: parsed.query,
      body: json,
      tenancy: key.tenancy,
      key,
      evidence,
      idempotencyKey: keyed.key,
      timing,
      header: (header) => context.header(header),
      disconnectSignal: () => context.disconnectSignal(),
    };
    return undefined;
  };
}

/** Why a field of the body or a name in the path is invalid. Under an idempotency key this refusal is an outcome. */
export function fieldRefusal({ route: name, params, body }: AuthorizedRequest): Refusal | undefined {
  const route: Route = routes[name];
  const parsed = route.body === undefined ? undefined : parse(route.body, body as Json);
  return isRefusal(parsed) ? parsed : checkPathSegments(route.method, params);
}

/** In this order: media type, size, JSON, deprecated members. */
function readJson(contract: Contract, context: RequestContext, route: Route, bytes: Buffer): Json | Refusal {
  if (!isJson(context.head)) return refuse('unsupported_media_type');
  if (bytes.length > route.maxBodyBytes) return bodyTooLarge(route.maxBodyBytes);
  const json = parseJsonBody(bytes, route.body?.inexactNumberPaths);
  if (isRefusal(json)) return json;
  const windows = deprecationsIn(contract, context.route?.name ?? '', json);
  const closed = refuseExpired(windows, context.receivedAt);
  if (closed) return closed;
  for (const window of windows) Object.assign(context.responseHeaders, deprecationHeaders(window));
  return json;
}
