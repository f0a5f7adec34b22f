/** A body with several faults is refused with all of them, so that a form can mark every field at once. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { issuanceBody, receiptBody } from '#libs/ledger/request-bodies.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type RefusalDetails } from '#libs/schema/refusals.ts';
import { findFault, parse, type Schema } from '#libs/schema/schema.ts';

const receipt = {
  reference: 'r-1',
  client_id: 'c-1',
  amount: { minor_units: 12345, currency: 'MXN' },
  value_date: '2026-11-05',
};

type Fault = { readonly field: string; readonly code: string };

function detailsOf(schema: Schema<unknown>, body: Json): RefusalDetails | undefined {
  const result = parse(schema, body);
  return isRefusal(result) ? result.details : undefined;
}

function fieldsOf(schema: Schema<unknown>, body: Json): string[] {
  const fields = (detailsOf(schema, body)?.fields ?? []) as readonly Fault[];
  return fields.map(({ field, code }) => `${code} ${field}`);
}

const receiptMembers = Object.keys(receiptBody.jsonSchema['properties'] as object);

test('the known members are stated once for each object with unknown ones', () => {
  const fields = detailsOf(receiptBody, { ...receipt, a: 1, b: 2 })?.fields;
  expect(fields).toEqual([
    { code: 'unknown_field', field: '/a', bound: receiptMembers },
    { code: 'unknown_field', field: '/b' },
  ]);
});

test('all faulty fields are named, unknown ones first, then missing ones, then invalid ones', () => {
  const { client_id: _, ...rest } = receipt;
  const body = { ...rest, amount: { minor_units: 0, currency: 'mxn', cents: 1 }, value_date: '5 Nov', note: 'x' };
  expect(detailsOf(receiptBody, body)).toEqual({
    field: '/note',
    bound: receiptMembers,
    fields: [
      { code: 'unknown_field', field: '/note', bound: receiptMembers },
      { code: 'unknown_field', field: '/amount/cents', bound: ['minor_units', 'currency'] },
      { code: 'missing_field', field: '/client_id' },
      { code: 'invalid_field', field: '/amount/minor_units', bound: 'a whole number above zero', observed: 0 },
      { code: 'invalid_field', field: '/amount/currency', bound: 'three upper-case letters', observed: 'mxn' },
      {
        code: 'invalid_field',
        field: '/value_date',
        bound: 'a day from 1900-01-01 to 9999-12-31 as YYYY-MM-DD',
        observed: '5 Nov',
      },
    ],
  });
});

test('an empty body names everything that is missing', () => {
  expect(fieldsOf(receiptBody, {})).toEqual(
    ['/reference', '/client_id', '/amount', '/value_date'].map((field) => `missing_field ${field}`),
  );
});

test('a single fault is stated without a list', () => {
  expect(detailsOf(receiptBody, { ...receipt, note: 'x' })).toEqual({ field: '/note', bound: receiptMembers });
});

test('a rule across fields is judged only where the fields it reads are valid', () => {
  expect(detailsOf(receiptBody, { ...receipt, payoff_intent: true })).toEqual({ field: '/designated_loan_id' });
  expect(fieldsOf(receiptBody, { ...receipt, payoff_intent: true, client_id: 7, value_date: 7 })).toEqual([
    'invalid_field /client_id',
    'invalid_field /value_date',
  ]);
});

test('at most 20 fields are listed', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`unknown_${at}`, at]));
  expect(fieldsOf(issuanceBody, many)).toHaveLength(20);
});

/** Bodies of members of every route, with values that are often wrong. */
const names = ['amount', 'minor_units', 'currency', 'reference', 'actor', 'on', 'client_id', 'tax', 'rate', 'context'];
const scalars = fc.oneof(fc.constant('2026-11-05'), fc.constant('MXN'), fc.string(), fc.integer(), fc.boolean());
const { body: anyBody } = fc.letrec<{ body: JsonObject; value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, fc.constant(null), fc.array(tie('value'), { maxLength: 3 }), tie('body')),
  body: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('value'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
}));
const routesWithBody = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].body !== undefined);

test('the first field of the list is the one of the refusal, and no field is listed twice for one reason', () => {
  fc.assert(
    fc.property(fc.constantFrom(...routesWithBody), anyBody, (name, body) => {
      const schema = routes[name].body as Schema<unknown>;
      const first = findFault(schema, body);
      const result = parse(schema, body);
      if (!isRefusal(result)) return first === undefined;
      const listed = fieldsOf(schema, body);
      expect(`${result.code} ${result.details?.field}`).toBe(`${first?.code} ${first?.at}`);
      if (listed.length > 0) expect(listed[0]).toBe(`${first?.code} ${first?.at}`);
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed.length).not.toBe(1);
      return true;
    }),
    { numRuns: 500 },
  );
});
