import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { anyBookFacts, clientFacts, tenancyFacts } from './asyncapi.ts';
import { factSchemas } from './fact-schemas.ts';

const folder = new URL('../../schemas/facts/', import.meta.url);
const kinds = Object.keys({ ...clientFacts, ...tenancyFacts, ...anyBookFacts }).sort();

test('every kind of fact has a schema, and no other', () => {
  expect(Object.keys(factSchemas).sort()).toEqual(kinds);
  expect(readdirSync(folder).sort()).toEqual(kinds.map((kind) => `${kind}.json`));
});

test.each(kinds)('schemas/facts/%s.json is current (npm run schemas:topic writes it) and valid', (kind) => {
  const text = readFileSync(new URL(`${kind}.json`, folder), 'utf8');
  expect(text).toBe(`${JSON.stringify(factSchemas[kind], null, 2)}\n`);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(typeof ajv.compile(JSON.parse(text) as object)).toBe('function');
});

test('every member has a name of the API, and payoff_quoted keeps its former one', () => {
  const names = [...JSON.stringify(factSchemas).matchAll(/"([a-z]+[A-Z]\w*)":\{/g)].map(([, name]) => name);
  expect(names).toEqual(['loanId']);
});
