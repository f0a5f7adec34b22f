import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { bodyInOneForm, factBodies, withFactBodies } from '../../generate/fact-bodies.ts';
import { readDocument } from '../../generate/openapi.ts';
import type { FactBodies } from '../contract/shapes.ts';
import { factBody } from './fact-body.ts';

const file = new URL('../../../../test/vectors/fact-bodies.json', import.meta.url);
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

test('every kind whose stored body has another form is in the vectors', () => {
  const kinds = factBodies
    .map(({ kind }) => kind)
    .filter((kind) => /"x-currency"|"x-days-since"|"deprecated"/.test(storedSchema(kind)));
  expect(kinds.filter((kind) => !cases.some((each) => each.kind === kind))).toEqual([]);
});

test('a fact of another kind is refused', () => {
  expect(() => factBody({ kind: 'waived', body: '{}' }, 'issued')).toThrow('of the kind waived; expected issued');
});
