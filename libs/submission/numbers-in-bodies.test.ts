/** Numbers that lose precision when parsed, inserted anywhere into the body of every write. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openApi } from '#libs/api/openapi/document.ts';
import type { Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { receiptBody } from '#libs/ledger/request-bodies.ts';
import { isObject, type Json, type JsonObject, parseJsonBody } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import { type JsonSchema, parse, type Schema } from '#libs/schema/schema.ts';
import { submissionDigest } from './digest.ts';

/** The example of the route's request body in the OpenAPI document. */
function exampleOf({ method, path }: Route): JsonObject {
  const found = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'example'].reduce(
    (at: Json | undefined, name) => (at as JsonSchema | undefined)?.[name],
    openApi,
  );
  if (!isObject(found)) throw new Error(`no example for ${method} ${path}`);
  return found;
}

const freeForm = { street: 'Reforma 1', lines: [1, { minor_units: 2 }] };
const bodies: [RouteName, JsonObject][] = [
  ...(Object.entries(routes) as [RouteName, Route][])
    .filter(([, { body, servedBy: by }]) => body !== undefined && by === 'ingress')
    .map(([name, route]): [RouteName, JsonObject] => [name, exampleOf(route)]),
  ['putCompanyProfile', { legal_name: 'A', address: freeForm, contact: freeForm, vat_rate_bps: 1600 }],
  ['previewLoan', { ...exampleOf(routes.previewLoan), reference: freeForm }],
];

const numbers = [
  '1.00000000000000000001',
  '12.00000000000000000001',
  '9007199254740992.5',
  '1e-400',
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e21',
  '0.5',
  '12.0',
];
const placeholder = '\u0001here';

/** Every way to insert a value: in place of each value, and as an additional one. */
function* withPlaceholder(value: Json): Generator<Json> {
  yield placeholder;
  if (Array.isArray(value)) {
    yield [...value, placeholder];
    for (const [at, inner] of value.entries()) for (const one of withPlaceholder(inner)) yield value.with(at, one);
  } else if (isObject(value)) {
    yield { ...value, added: placeholder };
    yield { ...value, minor_units: placeholder };
    for (const [name, inner] of Object.entries(value)) {
      for (const one of withPlaceholder(inner)) yield { ...value, [name]: one };
    }
  }
}

function refusalOf(form: Schema<unknown>, body: Json): Refusal | undefined {
  const read = parse(form, body);
  return isRefusal(read) ? read : undefined;
}

const digest = (body: Json): string => submissionDigest({ method: 'POST', path: '/', body }).toString('hex');

test.each(bodies)('%s accepts no number that would be read as another one', (name, example) => {
  const { body: form }: Route = routes[name];
  if (form === undefined) throw new Error(`${name} reads no body`);
  expect(refusalOf(form, example)).toBeUndefined();
  const bodies = [...withPlaceholder(example)].filter(isObject);
  fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.constantFrom(...numbers), (body, number) => {
      const text = JSON.stringify(body).replace(JSON.stringify(placeholder), number);
      const read = parseJsonBody(Buffer.from(text), form.inexactNumberPaths);
      if (isRefusal(read)) return;
      // Under an Idempotency-Key the digest is computed before the body is validated.
      expect(() => digest(read)).not.toThrow();
      if (refusalOf(form, read) !== undefined) return;
      const reread = JSON.parse(text) as JsonObject;
      // The processor and the audit parse the signed bytes again and must find the same values.
      if (name !== 'reportReceipts') return expect(digest(read)).toBe(digest(reread));
      for (const [at, receipt] of (read['receipts'] as readonly Json[]).entries()) {
        if (refusalOf(receiptBody, receipt) !== undefined) continue;
        expect(digest(receipt)).toBe(digest((reread['receipts'] as readonly Json[])[at] as Json));
      }
    }),
    { numRuns: 400 },
  );
});

test.each<[string, RouteName, string, string, Json]>([
  [
    'an address',
    'putCompanyProfile',
    '{"legal_name":"A","address":{"floor":1.00000000000000000001}}',
    '/address/floor',
    '1.00000000000000000001',
  ],
  [
    'a rate outside the schema',
    'putCompanyProfile',
    '{"legal_name":"A","vat_rate_bps":16.00000000000000000001}',
    '/vat_rate_bps',
    '16.00000000000000000001',
  ],
  [
    'a product',
    'createConfiguration',
    '{"archetype":"bnpl","values":{"terms":[6,12.00000000000000000001]}}',
    '/values/terms/1',
    '12.00000000000000000001',
  ],
  [
    'a reference to a configuration',
    'pointLookupKey',
    '{"configuration_id":"bnp-000001","configuration_version":1.00000000000000000001}',
    '/configuration_version',
    '1.00000000000000000001',
  ],
])('the refusal for %s names the field and the number as written', (_, name, text, field, observed) => {
  const { body: form } = routes[name] as { body: Schema<unknown> };
  const body = parseJsonBody(Buffer.from(text), form.inexactNumberPaths);
  expect(isRefusal(body) ? body : refusalOf(form, body)).toMatchObject({
    code: 'invalid_field',
    details: { field, observed },
  });
});

test('an amount that cannot be represented is out of range in a product and invalid in a free-form object', () => {
  const [product, profile] = [routes.createConfiguration.body, routes.putCompanyProfile.body] as Schema<unknown>[];
  for (const amount of ['1e400', '-1e400', '9007199254740993']) {
    const free = `{"rent":[{"minor_units":${amount}}]}`;
    const values = parseJsonBody(Buffer.from(`{"archetype":"bnpl","values":${free}}`)) as Json;
    expect(refusalOf(product as Schema<unknown>, values)).toMatchObject({
      code: 'amount_out_of_range',
      details: { field: '/values/rent/0/minor_units' },
    });
    const address = parseJsonBody(Buffer.from(`{"legal_name":"A","address":${free}}`)) as Json;
    expect(refusalOf(profile as Schema<unknown>, address)).toMatchObject({
      code: 'invalid_field',
      details: { field: '/address/rent/0/minor_units' },
    });
  }
});
