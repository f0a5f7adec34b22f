import { readFileSync } from 'node:fs';
import asyncapiSpecs from '@asyncapi/specs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { anyBookFacts, asyncapiDocument, asyncapiText, clientFacts, tenancyFacts } from '#libs/kafka/asyncapi.ts';
import { tenancyFactKinds } from '#libs/tenant/tenancy-facts.ts';
import { bookEventSchema } from './book-event.ts';
import { movementSchema } from './movement.ts';

const file = new URL('../../schemas/asyncapi.json', import.meta.url);

test('schemas/asyncapi.json is current (npm run schemas:topic writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(asyncapiText());
});

test('the document is valid AsyncAPI 3', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateFormats: false });
  const validate = ajv.compile(asyncapiSpecs.schemasWithoutId['3.0.0'] as object);
  validate(asyncapiDocument());
  expect(validate.errors).toBeNull();
});

test('every reference in the document has a target', () => {
  const document = asyncapiDocument();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(3);
  for (const path of references) {
    const found = path.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
    expect([path, typeof found]).toEqual([path, 'object']);
  }
});

test.each([bookEventSchema, movementSchema])(
  'the document describes every field of a record of $subject',
  ({ schema }) => {
    const text = JSON.stringify(asyncapiDocument());
    for (const { name } of (schema as { fields: { name: string }[] }).fields)
      expect(text).toContain(`"name":"${name}"`);
  },
);

test('the document describes the body of every kind of fact', () => {
  expect(Object.keys(tenancyFacts).sort()).toEqual([...tenancyFactKinds].sort());
  const { description } = (asyncapiDocument() as { info: { description: string } }).info;
  for (const kind of Object.keys({ ...clientFacts, ...tenancyFacts, ...anyBookFacts }))
    expect(description).toContain(`- \`${kind}\`: `);
});
