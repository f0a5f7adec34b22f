/** Turns a request into what its handler receives, or refuses it. */

import type { ContractRules } from '#libs/api/apply-contract-changes.ts';
import { parseQuery } from '#libs/api/parse-query.ts';
import { checkPathSegments, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { bodyTooLarge } from '#libs/http/request-body.ts';
import { type RequestContext, required } from '#libs/http/request-context.ts';
import { isJson, readIdempotencyKey } from '#libs/http/request-head.ts';
import { runInParts } from '#libs/runtime/run-in-parts.ts';
import { Turns } from '#libs/runtime/turns.ts';
import { type Json, type JsonObject, type MemberPath, parseJsonBody, parseJsonBodyInParts } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';

/** Reads everything of a request that its route uses, except the fields of the body: those are checked by `fieldRefusal`. */
export function parseRequest(rules: ContractRules, now: () => number): PipelineStep {
  return (context) => {
    const { name } = required(context.route, 'route');
    const { key, evidence } = required(context.caller, 'caller');
    const route: Route = routes[name];
    if (route.isForbiddenToAgents && key.holder === 'agent' && key.tenancy.live) return refuse('not_permitted_agent');
    const json = route.body === undefined ? undefined : readJson(rules, context, name, evidence.body);
    return json instanceof Promise
      ? json.then((read) => setAuthorizedRequest(context, read, { rules, now }))
      : setAuthorizedRequest(context, json, { rules, now });
  };
}

function setAuthorizedRequest(
  context: RequestContext,
  json: JsonObject | Refusal | undefined,
  { rules, now }: { readonly rules: ContractRules; readonly now: () => number },
): Refusal | undefined {
  if (isRefusal(json)) return json;
  const { name, params } = required(context.route, 'route');
  const { key, evidence } = required(context.caller, 'caller');
  const keyed = routes[name].readsIdempotencyKey ? readIdempotencyKey(context.head) : { key: undefined };
  if (isRefusal(keyed)) return keyed;
  const moment = { version: context.version, at: context.receivedAt };
  const parsed = parseQuery(context.queryText, rules.querySchema(name, moment));
  if (isRefusal(parsed)) return parsed;
  context.announce(rules.windowsOfQuery(name, context.queryText));
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
    endBodyWork: context.endBodyWork,
    header: (header) => context.header(header),
    disconnectSignal: () => context.disconnectSignal(),
  };
  return undefined;
}

/** Why a field of the body or a name in the path is invalid. Under an idempotency key this refusal is an outcome. */
export function fieldRefusal({ route: name, params, body }: AuthorizedRequest): Refusal | undefined {
  const route: Route = routes[name];
  const parsed = route.body === undefined ? undefined : parse(route.body, body as Json);
  return isRefusal(parsed) ? parsed : checkPathSegments(route.method, params);
}

/** A larger body is parsed in parts. */
const maxBytesAtOnce = 256 * 1024;
/**
 * One of them at a time, until it is queued for Kafka: what is made of it takes twenty times its length, and a gateway that
 * worked on 16 of them at once grew by 1.9 GB instead of 0.6.
 */
const turnsOfLongBodies = new Turns();

/** In this order: media type, size, JSON, changes of the contract. */
function readJson(
  rules: ContractRules,
  context: RequestContext,
  name: RouteName,
  bytes: Buffer,
): JsonObject | Refusal | Promise<JsonObject | Refusal> {
  const route: Route = routes[name];
  if (!isJson(context.head)) return refuse('unsupported_media_type');
  if (bytes.length > route.maxBodyBytes) return bodyTooLarge(route.maxBodyBytes);
  const inexactNumberPaths = route.body?.inexactNumberPaths;
  return bytes.length > maxBytesAtOnce
    ? parseLongBody(context, bytes, inexactNumberPaths).then((json) => readBody(rules, context, name, json))
    : readBody(rules, context, name, parseJsonBody(bytes, inexactNumberPaths));
}

async function parseLongBody(
  context: RequestContext,
  bytes: Buffer,
  inexactNumberPaths: readonly MemberPath[] | undefined,
): Promise<JsonObject | Refusal> {
  const endTurn = await turnsOfLongBodies.take();
  context.endBodyWork = endTurn;
  context.onResult(endTurn);
  return runInParts(parseJsonBodyInParts(bytes, inexactNumberPaths));
}

function readBody(
  rules: ContractRules,
  context: RequestContext,
  name: RouteName,
  json: JsonObject | Refusal,
): JsonObject | Refusal {
  if (isRefusal(json)) return json;
  const read = rules.readBody(name, { version: context.version, at: context.receivedAt }, json);
  if (isRefusal(read)) return read;
  context.announce(read.windows);
  return read.body;
}
