import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { bodyInOneForm, factBodies, withFactBodies } from '../../generate/fact-bodies.ts';
import { readDocument } from '../../generate/openapi.ts';
import type { FactBodies } from '../contract/shapes.ts';
import { factBody } from './fact-body.ts';

const file = new URL('../../../../test/vectors/fact-bodies.json', import.meta.url);
type Json = string | number | boolean | null | object | readonly Json[];
type Case = {
  readonly name: string;
  readonly kind: keyof FactBodies;
  readonly stored: object;
  readonly body: object;
};
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

test.each(cases)('$name', ({ kind, stored, body }) => {
  expect(factBody({ kind, body: JSON.stringify(stored) }, kind)).toEqual(body);
});

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const storedSchema = (kind: string): string =>
  readFileSync(new URL(`../../../../schemas/facts/${kind}.json`, import.meta.url), 'utf8');
const { components } = withFactBodies(readDocument());

test.each(cases)('the vector "$name" satisfies the schemas', ({ kind, stored, body }) => {
  expect(errorsOf(JSON.parse(storedSchema(kind)) as object, stored)).toBe('none');
  expect(errorsOf({ ...bodyInOneForm(kind), components }, body)).toBe('none');
});

function errorsOf(schema: object, value: object): string {
  const validate = ajv.compile(schema);
  return validate(value) ? 'none' : ajv.errorsText(validate.errors);
}

test('every member that is stored in another form is in the vectors', () => {
  const marked = factBodies.flatMap(({ kind }) => markedPaths(JSON.parse(storedSchema(kind)), kind));
  const stated = cases.flatMap(({ kind, stored }) => paths(stored, kind));
  expect(marked.length).toBeGreaterThan(10);
  expect(marked.filter((path) => !stated.includes(path))).toEqual([]);
});

/** Of the members and positions that a schema marks. */
function markedPaths(schema: Json, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each, at) => markedPaths(each, `${path}.${at}`));
  if (['x-currency', 'x-days-since', 'deprecated'].some((mark) => mark in schema)) return [path];
  const { properties = {}, items = [], anyOf = [] } = schema as { readonly [keyword: string]: Json };
  const members = Object.entries(properties as object).map(([name, each]) => [each, `${path}.${name}`] as const);
  const inItems = Array.isArray(items) ? markedPaths(items, path) : markedPaths(items, `${path}.0`);
  const inOthers = (anyOf as readonly Json[]).flatMap((each) => markedPaths(each, path));
  return [...members.flatMap(([each, at]) => markedPaths(each as Json, at)), ...inItems, ...inOthers];
}

/** Of all members and positions of a value. */
function paths(value: Json, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, each]) => paths(each as Json, `${path}.${name}`))];
}

test('a fact of another kind is refused', () => {
  expect(() => factBody({ kind: 'waived', body: '{}' }, 'issued')).toThrow('of the kind waived; expected issued');
});
