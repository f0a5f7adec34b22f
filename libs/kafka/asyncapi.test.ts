import { readFileSync } from 'node:fs';
import asyncapiSpecs from '@asyncapi/specs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { asyncapiDocument, asyncapiText } from '#libs/kafka/asyncapi.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { configurationEffects } from '#libs/tenant/tenancy-book-configurations.ts';
import { lookupKeyEffects } from '#libs/tenant/tenancy-book-lookup-keys.ts';
import { openingEffects } from '#libs/tenant/tenancy-book-opening.ts';
import { policyEffects } from '#libs/tenant/tenancy-book-policies.ts';
import { profileEffects } from '#libs/tenant/tenancy-book-profile.ts';
import { anyBookFacts, clientFacts, tenancyFacts } from './fact-kinds.ts';

const file = new URL('../../schemas/asyncapi.json', import.meta.url);

test('the published document of the topic is what the code says; npm run schemas:topic writes it', () => {
  expect(readFileSync(file, 'utf8')).toBe(asyncapiText());
});

test('it is an AsyncAPI document, by the schema AsyncAPI publishes', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateFormats: false });
  const validate = ajv.compile(asyncapiSpecs.schemasWithoutId['3.0.0'] as object);
  validate(asyncapiDocument());
  expect(validate.errors).toBeNull();
});

test('every reference in it leads to something', () => {
  const document = asyncapiDocument();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(3);
  for (const path of references) {
    const found = path.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
    expect([path, typeof found]).toEqual([path, 'object']);
  }
});

test('a reader of the topic is told every field of its records', () => {
  const told = JSON.stringify(asyncapiDocument());
  for (const { name } of (bookEventAvro.schema as { fields: { name: string }[] }).fields)
    expect(told).toContain(`"name":"${name}"`);
});

test('a reader of the topic is told what every kind of fact holds', () => {
  const effects = {
    ...openingEffects,
    ...configurationEffects,
    ...lookupKeyEffects,
    ...policyEffects,
    ...profileEffects,
  };
  expect(Object.keys(tenancyFacts).sort()).toEqual(Object.keys(effects).sort());
  const { description } = (asyncapiDocument() as { info: { description: string } }).info;
  for (const kind of Object.keys({ ...clientFacts, ...tenancyFacts, ...anyBookFacts }))
    expect(description).toContain(`- \`${kind}\`: `);
});
