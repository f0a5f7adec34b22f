import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { openApi, openApiText } from '#libs/api/openapi/document.ts';
import { routes } from '#libs/api/routes.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { Json } from '#libs/schema/json.ts';
import { catalogue } from '#libs/schema/refusals.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

/** Every object in the document, with its path. */
function* objectsIn(value: Json, at = '#'): Generator<readonly [string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as JsonSchema];
  for (const [name, inner] of Object.entries(value)) {
    // Examples are data, not schemas.
    if (name !== 'example') yield* objectsIn(inner as Json, `${at}/${name}`);
  }
}

const all = [...objectsIn(openApi)];
const operations = all.filter(([, { operationId }]) => operationId !== undefined);

test('schemas/openapi.json is generated from the code', () => {
  const file = readFileSync(new URL('../../../schemas/openapi.json', import.meta.url), 'utf8');
  if (file !== openApiText) throw new Error('schemas/openapi.json is out of date; run npm run schemas:api');
});

test('every route is in the document once', () => {
  expect(operations.map(([, { operationId }]) => operationId).sort()).toEqual(Object.keys(routes).sort());
});

test('every $ref points at something', () => {
  const refs = all.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
  const broken = refs.filter(
    (ref) =>
      ref
        .slice(2)
        .split('/')
        .reduce((at: Json | undefined, name) => (at as JsonSchema)?.[name], openApi) === undefined,
  );
  expect(refs.length).toBeGreaterThan(1_000);
  expect(broken).toEqual([]);
});

describe('an enumeration', () => {
  const marked = all.filter(([, schema]) => Array.isArray(schema['enum']));

  test('is marked open or closed everywhere', () => {
    expect(marked.filter(([, schema]) => typeof schema['x-enum-open'] !== 'boolean').map(([at]) => at)).toEqual([]);
  });

  const asText = (members: readonly string[]): string => [...members].sort().join();
  const knockoutOutcomes = 'not_offered,refer,refuse';
  const closed = new Set([
    ...Object.values(enumerations)
      .filter(({ open, members }) => !open && members.length > 0)
      .map(({ members }) => asText(members)),
    knockoutOutcomes,
  ]);
  const reachable = operations.map(([, { parameters = [], requestBody = null, responses = null }]) => ({
    request: [...enumerationsFrom(parameters), ...enumerationsFrom(requestBody)],
    answer: [...enumerationsFrom(responses)],
  }));
  const inRequests = new Map(reachable.flatMap(({ request }) => request));
  const inAnswers = new Map(reachable.flatMap(({ answer }) => answer));

  test('is open wherever a request states it', () => {
    const open = [...inRequests].filter(([, schema]) => schema['x-enum-open'] !== true).map(([at]) => at);
    expect(open).toEqual([]);
  });

  test('is open in the request places of the closed enumerations', () => {
    const places = [...inRequests]
      .filter(([, schema]) => closed.has(asText(schema['enum'] as string[])))
      .map(([at]) => at.replace('#/components/schemas/', ''));
    expect(places.sort()).toEqual([
      '/4/schema',
      'ReceiptToReport/properties/rail',
      'StatedBnplValues/properties/schedule/properties/kind',
      'StatedInstalmentValues/properties/schedule/properties/kind',
      'StatedPaydayValues/properties/schedule/properties/kind',
      'StatedPolicyContent/properties/bands/items/properties/outcome',
      'StatedPolicyContent/properties/knockouts/items/properties/outcome',
      'StatedSchedule/properties/kind',
    ]);
  });

  test('is closed where an answer shows it if and only if the contract closes it', () => {
    const answered = [...inAnswers.values()];
    for (const schema of answered) {
      const members = asText(schema['enum'] as string[]);
      expect([members, schema['x-enum-open']]).toEqual([members, !closed.has(members)]);
    }
    const shown = new Set(answered.map((schema) => asText(schema['enum'] as string[])));
    expect([...closed].filter((members) => !shown.has(members))).toEqual([]);
  });

  test('differs between what a request states and what an answer shows in its mark only', () => {
    const { schemas } = openApi['components'] as { readonly schemas: { readonly [name: string]: JsonSchema } };
    const shared = Object.keys(schemas).filter((name) => schemas[`Stated${name}`] !== undefined && name !== 'Money');
    const unmarked = (schema: unknown): string =>
      JSON.stringify(schema)
        .replaceAll(/"x-enum-open":(true|false)/g, '')
        .replaceAll('/schemas/Stated', '/schemas/');
    for (const name of shared)
      expect([name, unmarked(schemas[`Stated${name}`])]).toEqual([name, unmarked(schemas[name])]);
    expect(shared).toHaveLength(6);
  });
});

/** The enumerations of a part of the document and of the components it refers to, with their paths. */
function* enumerationsFrom(
  value: Json,
  followed = new Set<string>(),
  at = '',
): Generator<readonly [string, JsonSchema]> {
  for (const [inner, schema] of objectsIn(value, at)) {
    if (Array.isArray(schema['enum'])) yield [inner, schema];
    const { $ref } = schema;
    if (typeof $ref !== 'string' || followed.has($ref)) continue;
    followed.add($ref);
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((found: Json, name) => (found as JsonSchema)[name] as Json, openApi);
    yield* enumerationsFrom(target, followed, $ref);
  }
}

test('every code of the catalogue is a refusal of some route, except those of unknown paths', () => {
  const declared = new Set(
    operations.flatMap(([at]) => all.filter(([inner]) => inner.startsWith(`${at}/`)).flatMap(codesIn)),
  );
  const shared = new Set(all.filter(([at]) => at.startsWith('#/components/responses/')).flatMap(codesIn));
  const missing = Object.keys(catalogue).filter((code) => !declared.has(code) && !shared.has(code));
  expect(missing).toEqual(['no_route', 'method_not_allowed']);
});

function codesIn([, { properties }]: readonly [string, JsonSchema]): readonly string[] {
  const code = (properties as JsonSchema | undefined)?.['code'] as JsonSchema | undefined;
  return (code?.['enum'] as readonly string[] | undefined) ?? [];
}

test('a deprecated member is marked', () => {
  const deprecated = all.filter(([, schema]) => schema['deprecated'] === true).map(([at]) => at);
  expect(deprecated).toEqual(['#/components/schemas/CompanyProfileToPut/properties/vat_rate_bps']);
});

test('answers and refusals of the route announce the deprecated member, once the body was parsed', () => {
  const at = '#/paths//v1/tenants/{tenant_id}/company-profile/put/responses';
  const announced = all
    .filter(([inner, schema]) => inner.startsWith(at) && inner.endsWith('/headers') && 'Deprecation' in schema)
    .map(([inner]) => inner.slice(at.length + 1, at.length + 4));
  expect(announced).toEqual(['200', '400', '409', '422', '500', '503']);
});

test('answers allow members that later versions add', () => {
  const closed = all.filter(
    ([at, schema]) =>
      /^#\/components\/schemas\/(Loan|Receipt|ClientBook|Refusal)$/.test(at) && 'additionalProperties' in schema,
  );
  expect(closed).toEqual([]);
});

test('every member of a policy and of a schedule has a description, or an object of its own', () => {
  const written = all.filter(([at]) => /^#\/components\/schemas\/Stated(PolicyContent|Schedule)\b/.test(at));
  const members = written.flatMap(([, { properties = {} }]) =>
    Object.entries(properties as Record<string, JsonSchema>),
  );
  const bare = members.filter(([, { description, $ref }]) => description === undefined && $ref === undefined);
  expect(members.length).toBeGreaterThan(30);
  expect(bare.map(([name]) => name)).toEqual([]);
});

test('every route with a credential describes its freshness', () => {
  const undescribed = operations.filter(
    ([, { description, security }]) =>
      security === undefined && !/(Read your write|as soon as this is answered)/.test(String(description)),
  );
  expect(undescribed).toEqual([]);
});

test('the read of a resolution is never refused for its contract version, because its outcome is an open enumeration', () => {
  const at = '#/paths//v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution/get/responses';
  const responses = new Map(all).get(at) as JsonSchema;
  expect(Object.keys(responses)).toContain('404');
  expect(Object.keys(responses)).not.toContain('406');
});
