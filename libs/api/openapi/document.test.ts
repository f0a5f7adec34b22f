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

  test('is closed if and only if the contract closes it', () => {
    const closed = Object.values(enumerations)
      .filter(({ open }) => !open)
      .map(({ members }) => [...members].sort().join());
    const knockoutOutcomes = 'not_offered,refer,refuse';
    const documented = marked
      .filter(([, schema]) => schema['x-enum-open'] === false)
      .map(([, schema]) => [...(schema['enum'] as string[])].sort().join());
    expect(new Set(documented)).toEqual(new Set([...closed, knockoutOutcomes]));
  });
});

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
