/** Which refusals a route may answer with: those its kind brings, made from the route itself, and its own. */

import type { Operation } from '#libs/api/openapi/operation.ts';
import { isProbe, type Route, segments } from '#libs/api/route.ts';
import { identifier, type JsonSchema, reference, uuid } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

/** Whoever knocks: the version, the key, the bounds, and our own faults. */
const atTheDoor: readonly RefusalCode[] = [
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

/** Every code the route may refuse with, each once. */
export function codesOf(route: Route, { refuses }: Operation): ReadonlySet<RefusalCode> {
  if (route.open) return new Set([...ofOpen(route), ...refuses]);
  return new Set([...atTheDoor, ...ofMethod(route), ...ofPath(route), ...ofQuery(route), ...ofBody(route), ...refuses]);
}

/** Whoever asks after the service's health states no version. */
function ofOpen(route: Route): readonly RefusalCode[] {
  return isProbe(route) ? ['internal_error'] : ['invalid_contract_version', 'internal_error'];
}

function ofMethod({ method, notForAgents }: Route): readonly RefusalCode[] {
  const ofScope: readonly RefusalCode[] = method === 'GET' ? [] : ['not_permitted_scope'];
  return notForAgents ? [...ofScope, 'not_permitted_agent'] : ofScope;
}

function ofPath({ method, path }: Route): readonly RefusalCode[] {
  return namesIn(path).flatMap((name): RefusalCode[] => {
    const segment = segments[name];
    if (segment === undefined || name === 'tenant_id') return [];
    return [method !== 'GET' && segment.grammar !== undefined ? 'invalid_identifier' : segment.absent];
  });
}

export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name as string);
}

function ofQuery({ query }: Route): readonly RefusalCode[] {
  return Object.values(query).flatMap(({ absent, unreadable }) =>
    [absent, unreadable].filter((code) => code !== undefined),
  );
}

function ofBody({ body, keyed }: Route): readonly RefusalCode[] {
  if (body === undefined) return [];
  const { jsonSchema: schema } = body;
  const isNamed = [identifier, reference, uuid].some((name) => holds(schema, name.jsonSchema));
  return [
    'unsupported_media_type',
    'invalid_body',
    'unknown_field',
    'missing_field',
    'invalid_field',
    ...(isNamed ? (['invalid_identifier'] as const) : []),
    ...(statesMoney(schema) ? (['amount_out_of_range'] as const) : []),
    ...(keyed ? (['idempotency_mismatch'] as const) : []),
  ];
}

function holds(within: Json, wanted: JsonSchema): boolean {
  if (within === wanted) return true;
  return (
    typeof within === 'object' && within !== null && Object.values(within).some((inner) => holds(inner as Json, wanted))
  );
}

function statesMoney(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, inner]) => name === 'minor_units' || statesMoney(inner as Json));
}
