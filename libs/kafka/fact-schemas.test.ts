import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { productValues } from '#libs/api/answers/products.ts';
import type { Json } from '#libs/schema/json.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { anyBookFacts, clientFacts, tenancyFacts } from './asyncapi.ts';
import { factSchemas } from './fact-schemas.ts';
import { changesBeyondAdditions } from './testing/additive-change.ts';

type Members = { readonly [name: string]: JsonSchema };

const folder = new URL('../../schemas/facts/', import.meta.url);
const kinds = Object.keys({ ...clientFacts, ...tenancyFacts, ...anyBookFacts }).sort();

test('every kind of fact has a schema, and no other', () => {
  expect(Object.keys(factSchemas).sort()).toEqual(kinds);
  expect(readdirSync(folder).sort()).toEqual(kinds.map((kind) => `${kind}.json`));
});

test.each(kinds)('schemas/facts/%s.json is current (npm run schemas:topic writes it) and valid', (kind) => {
  const text = readFileSync(new URL(`${kind}.json`, folder), 'utf8');
  expect(text).toBe(`${JSON.stringify(factSchemas[kind], null, 2)}\n`);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  expect(typeof ajv.compile(JSON.parse(text) as object)).toBe('function');
});

const publishedFile = new URL('../../schemas/published-facts.json', import.meta.url);
const published = JSON.parse(readFileSync(publishedFile, 'utf8')) as { readonly [kind: string]: Json };

test.each(Object.keys(published))('the schema of %s adds to the published one, and changes nothing else', (kind) => {
  expect(changesBeyondAdditions(published[kind] as Json, factSchemas[kind] as Json)).toEqual([]);
});

test.each([
  ['a new member', { properties: { a: {}, b: {} }, required: ['a'] }, []],
  ['another text', { properties: { a: { description: 'What it is.' } }, required: ['a'] }, []],
  ['a new member that is required', { properties: { a: {}, b: {} }, required: ['a', 'b'] }, ['/required/b']],
  ['a member that may be absent', { properties: { a: {} } }, ['/properties/a']],
  ['another type', { properties: { a: { type: 'string' } }, required: ['a'] }, ['/properties/a/type']],
  ['no member', { properties: {}, required: ['a'] }, ['/properties/a']],
])('of an object with one member: %s', (_change, later, changes) => {
  expect(changesBeyondAdditions({ properties: { a: {} }, required: ['a'] }, later as Json)).toEqual(changes);
});

const amount = { type: 'integer', 'x-currency': 'terms.currency' };
const dayNumber = { type: 'integer', 'x-days-since': '1970-01-01' };
const position = (title: string) => ({ type: 'integer', title });

test.each<[string, object, object, readonly string[]]>([
  ['another currency', amount, { ...amount, 'x-currency': 'currency' }, ['/x-currency']],
  ['no currency', amount, { type: 'integer' }, ['/x-currency']],
  ['a currency that was not stated before', { type: 'integer' }, amount, []],
  ['days since another day', dayNumber, { ...dayNumber, 'x-days-since': '2000-01-01' }, ['/x-days-since']],
  ['no first day', dayNumber, { type: 'integer' }, ['/x-days-since']],
  ['a first day that was not stated before', { type: 'integer' }, dayNumber, []],
  ['another title', { title: 'Interest' }, { title: 'The interest' }, []],
  [
    'two positions of a list exchanged',
    { items: [position('interest'), position('fee')] },
    { items: [position('fee'), position('interest')] },
    ['/items/0/title', '/items/1/title'],
  ],
])('of a number or a list: %s', (_change, earlier, later, changes) => {
  expect(changesBeyondAdditions(earlier as Json, later as Json)).toEqual(changes);
});

test('the values of a product have the members of every archetype, with one form each, and none must be there', () => {
  const { values } = (factSchemas['configuration_created'] as { properties: { values: JsonSchema } }).properties;
  const names = Object.keys(values['properties'] as JsonSchema);
  const formOf = ({ default: _, ...schema }: JsonSchema) => JSON.stringify(schema);
  const ofArchetypes = Object.values(productValues).map(({ jsonSchema }) => jsonSchema['properties'] as Members);
  expect(names.sort()).toEqual([...new Set(ofArchetypes.flatMap(Object.keys))].sort());
  const severalForms = names.filter((name) => {
    const forms = ofArchetypes.flatMap(({ [name]: schema }) => (schema === undefined ? [] : [formOf(schema)]));
    return new Set(forms).size !== 1;
  });
  expect(severalForms).toEqual([]);
  expect(JSON.stringify(values)).not.toMatch(/"required"|"default"|"additionalProperties"/);
});

test.each(kinds)('every object in the body of %s names its members, except the context of a caller', (kind) => {
  expect(freeObjects(factSchemas[kind] as Json, kind).filter((path) => !path.endsWith('.context'))).toEqual([]);
});

function freeObjects(schema: Json, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each) => freeObjects(each, path));
  const { type, properties } = schema as { readonly type?: Json; readonly properties?: Json };
  const own = type === 'object' && properties === undefined ? [path] : [];
  const below = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'properties') return freeObjects(value as Json, path);
    return Object.entries(value as object).flatMap(([name, member]) => freeObjects(member as Json, `${path}.${name}`));
  });
  return [...own, ...below];
}

test('the guide names every member whose money is a bare number, and no other', () => {
  const guide = readFileSync(new URL('../../docs/guide/events.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| Bare minor units[\s\S]*?\n((?:\|.*\n)+)/m.exec(guide) ?? [];
  const named = [...table.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.endsWith('.currency'));
  const found = Object.entries(factSchemas).flatMap(([kind, schema]) => bareAmounts(schema as Json, kind));
  expect(named.sort()).toEqual([...new Set(found)].sort());
});

/** The paths of amounts that are no object of money. */
function bareAmounts(schema: Json, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each) => bareAmounts(each, path));
  const { title, ['x-currency']: currency } = schema as { readonly title?: Json; readonly 'x-currency'?: Json };
  if (currency !== undefined) return [typeof title === 'string' ? `${path}.${title}` : path];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'properties') return bareAmounts(value as Json, path);
    return Object.entries(value as object).flatMap(([name, member]) => bareAmounts(member as Json, `${path}.${name}`));
  });
}

test('every member has a name of the API, and payoff_quoted keeps its former one', () => {
  const names = [...JSON.stringify(factSchemas).matchAll(/"([a-z]+[A-Z]\w*)":\{/g)].map(([, name]) => name);
  expect(names).toEqual(['loanId']);
});
