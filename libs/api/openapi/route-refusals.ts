/** The refusal codes of a route: those that follow from what the route is, and those its operation lists. */
import type { Operation } from '#libs/api/openapi/operation-definition.ts';
import { isProbe, pathSegments, type Route } from '#libs/api/route.ts';
import type { Json } from '#libs/schema/json.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { identifier, reference, uuid } from '#libs/schema/scalars.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

/** Codes of the request pipeline. Every route with a credential has them. */
const pipelineCodes: readonly RefusalCode[] = [
  'invalid_contract_version',
  'invalid_query',
  'unauthenticated',
  'not_permitted_tenant',
  'body_too_large',
  'too_many_concurrent',
  'rate_exceeded',
  'internal_error',
  'unavailable',
];

export function refusalCodesOf(route: Route, { refuses }: Operation): ReadonlySet<RefusalCode> {
  if (route.isPublic) return new Set([...codesOfPublicRoute(route), ...refuses]);
  return new Set([
    ...pipelineCodes,
    ...codesOfMethod(route),
    ...codesOfPath(route),
    ...codesOfQuery(route),
    ...codesOfBody(route),
    ...refuses,
  ]);
}

/** Health routes ignore the Contract-Version header. */
function codesOfPublicRoute(route: Route): readonly RefusalCode[] {
  return isProbe(route) ? ['internal_error'] : ['invalid_contract_version', 'internal_error', 'unavailable'];
}

function codesOfMethod({ method, isForbiddenToAgents }: Route): readonly RefusalCode[] {
  const scopeCodes: readonly RefusalCode[] = method === 'GET' ? [] : ['not_permitted_scope'];
  return isForbiddenToAgents ? [...scopeCodes, 'not_permitted_agent'] : scopeCodes;
}

function codesOfPath({ method, path }: Route): readonly RefusalCode[] {
  return pathNamesIn(path).flatMap((name): RefusalCode[] => {
    const segment = pathSegments[name];
    if (segment === undefined || name === 'tenant_id') return [];
    return [method !== 'GET' && segment.grammar !== undefined ? 'invalid_identifier' : segment.codeIfAbsent];
  });
}

export function pathNamesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name as string);
}

function codesOfQuery({ query }: Route): readonly RefusalCode[] {
  return Object.values(query).flatMap(({ codeIfAbsent, codeIfInvalid }) =>
    [codeIfAbsent, codeIfInvalid].filter((code) => code !== undefined),
  );
}

function codesOfBody({ body, readsIdempotencyKey }: Route): readonly RefusalCode[] {
  if (body === undefined) return [];
  const { jsonSchema } = body;
  const hasNames = [identifier, reference, uuid].some((name) => containsSchema(jsonSchema, name.jsonSchema));
  return [
    'unsupported_media_type',
    'invalid_body',
    'unknown_field',
    'missing_field',
    'invalid_field',
    ...(hasNames ? (['invalid_identifier'] as const) : []),
    ...(containsMoney(jsonSchema) ? (['amount_out_of_range'] as const) : []),
    ...(readsIdempotencyKey ? (['idempotency_mismatch'] as const) : []),
  ];
}

function containsSchema(schema: Json, wanted: JsonSchema): boolean {
  if (schema === wanted) return true;
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.values(schema).some((inner) => containsSchema(inner as Json, wanted));
}

function containsMoney(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, inner]) => name === 'minor_units' || containsMoney(inner as Json));
}
