/** Numbers whose text says more than any value, planted anywhere in the body of any mutation. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { receiptBody } from '#libs/api/bodies/receipts.ts';
import { openApi } from '#libs/api/openapi/published.ts';
import type { Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { JsonSchema, Schema } from '#libs/schema/form.ts';
import { isObject, type Json, type JsonObject, parseBody } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import { readBody } from '#libs/schema/shape.ts';
import { submissionDigest } from './digest.ts';

/** What a caller really sent to each route, as the document shows it. */
function exampleOf({ method, path }: Route): JsonObject {
  const found = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'example'].reduce(
    (at: Json | undefined, name) => (at as JsonSchema | undefined)?.[name],
    openApi,
  );
  if (!isObject(found)) throw new Error(`nothing is shown of ${method} ${path}`);
  return found;
}

const freely = { street: 'Reforma 1', lines: [1, { minor_units: 2 }] };
const bodies: [RouteName, JsonObject][] = [
  ...(Object.entries(routes) as [RouteName, Route][])
    .filter(([, { body, by }]) => body !== undefined && by === 'ingress')
    .map(([name, route]): [RouteName, JsonObject] => [name, exampleOf(route)]),
  ['putCompanyProfile', { legal_name: 'A', address: freely, contact: freely, vat_rate_bps: 1600 }],
  ['previewLoan', { ...exampleOf(routes.previewLoan), reference: freely }],
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
const mark = '\u0001here';

/** Every way to put a number into it: in the place of each of its values, and beside them. */
function* planted(value: Json): Generator<Json> {
  yield mark;
  if (Array.isArray(value)) {
    yield [...value, mark];
    for (const [at, inner] of value.entries()) for (const one of planted(inner)) yield value.with(at, one);
  } else if (isObject(value)) {
    yield { ...value, planted: mark };
    yield { ...value, minor_units: mark };
    for (const [name, inner] of Object.entries(value)) {
      for (const one of planted(inner)) yield { ...value, [name]: one };
    }
  }
}

function judged(form: Schema<unknown>, body: Json): Refusal | undefined {
  const read = readBody(form, body);
  return isRefusal(read) ? read : undefined;
}

const digest = (body: Json): string => submissionDigest({ method: 'POST', path: '/', body }).toString('hex');

test.each(bodies)('of %s none is taken for another number, and none breaks anything', (name, example) => {
  const { body: form }: Route = routes[name];
  if (form === undefined) throw new Error(`${name} reads no body`);
  expect(judged(form, example)).toBeUndefined();
  const bodies = [...planted(example)].filter(isObject);
  fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.constantFrom(...numbers), (body, number) => {
      const text = JSON.stringify(body).replace(JSON.stringify(mark), number);
      const read = parseBody(Buffer.from(text), form.numbersKeptAsText);
      if (isRefusal(read)) return;
      // A request under a key is told apart from others before its fields are looked at.
      expect(() => digest(read)).not.toThrow();
      if (judged(form, read) !== undefined) return;
      const later = JSON.parse(text) as JsonObject;
      // A book, and an audit years later, read the bytes as they were signed: what was judged here is what they find.
      if (name !== 'reportReceipts') return expect(digest(read)).toBe(digest(later));
      for (const [at, receipt] of (read['receipts'] as readonly Json[]).entries()) {
        if (judged(receiptBody, receipt) !== undefined) continue;
        expect(digest(receipt)).toBe(digest((later['receipts'] as readonly Json[])[at] as Json));
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
    'a rate that nobody reads',
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
    'a configuration that is named',
    'pointLookupKey',
    '{"configuration_id":"bnp-000001","configuration_version":1.00000000000000000001}',
    '/configuration_version',
    '1.00000000000000000001',
  ],
])('in %s it is told where it stands and what was written', (_, name, text, field, observed) => {
  const { body: form } = routes[name] as { body: Schema<unknown> };
  const body = parseBody(Buffer.from(text), form.numbersKeptAsText);
  expect(isRefusal(body) ? body : judged(form, body)).toMatchObject({
    code: 'invalid_field',
    details: { field, observed },
  });
});

test('an amount that nobody holds is out of range in a product, and no field in what is free', () => {
  const [product, profile] = [routes.createConfiguration.body, routes.putCompanyProfile.body] as Schema<unknown>[];
  for (const amount of ['1e400', '-1e400', '9007199254740993']) {
    const free = `{"rent":[{"minor_units":${amount}}]}`;
    const values = parseBody(Buffer.from(`{"archetype":"bnpl","values":${free}}`)) as Json;
    expect(judged(product as Schema<unknown>, values)).toMatchObject({
      code: 'amount_out_of_range',
      details: { field: '/values/rent/0/minor_units' },
    });
    const address = parseBody(Buffer.from(`{"legal_name":"A","address":${free}}`)) as Json;
    expect(judged(profile as Schema<unknown>, address)).toMatchObject({
      code: 'invalid_field',
      details: { field: '/address/rent/0/minor_units' },
    });
  }
});
