/** The schemas of the bodies of facts in the registry of a prepared cell. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { factSchemas } from '#libs/kafka/fact-schemas.ts';
import { factSchemaCompatibility, factSchemaSubject } from '#libs/kafka/register-fact-schemas.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { testEnvironment } from '#test/support/tenant.ts';

const registry = new SchemaRegistry(testEnvironment().stack.schemaRegistryUrl);

test('prepare has registered the schema of each kind', async () => {
  for (const [kind, schema] of Object.entries(factSchemas)) {
    const text = await registry.latestSchema(factSchemaSubject(kind));
    expect(JSON.parse(text ?? 'null')).toEqual(schema);
  }
});

const published = new URL('../../schemas/published-facts.json', import.meta.url);

test('the registry accepts the schema of each kind after that of the last release', async () => {
  for (const [kind, schema] of Object.entries(JSON.parse(readFileSync(published, 'utf8')) as typeof factSchemas)) {
    const subject = `test-published-${kind}`;
    await registry.register(subject, schema, factSchemaCompatibility, 'JSON');
    const later = factSchemas[kind] as JsonSchema;
    expect([kind, await registry.register(subject, later, factSchemaCompatibility, 'JSON')]).toEqual([
      kind,
      expect.any(Number),
    ]);
  }
});

const issued = factSchemas['issued'] as { readonly properties: object; readonly required: readonly string[] };
const withMember = (added: object) => ({ ...issued, properties: { ...issued.properties, added } });

test.each([
  ['accepts a text that may be absent', withMember({ type: 'string' }), undefined],
  [
    'accepts an object that may be absent, with members of its own that are required',
    withMember({ type: 'object', properties: { on: { type: 'string' } }, required: ['on'] }),
    undefined,
  ],
  ['refuses another type', { ...issued, properties: { ...issued.properties, loan_id: { type: 'integer' } } }, 409],
  ['refuses a schema that lacks a member', { ...issued, properties: {}, required: [] }, 409],
])('the registry %s', async (title, schema, status) => {
  // Not the subject of the service: the schema of this release has to stay its newest one.
  const subject = `test-${title.replaceAll(' ', '-')}`;
  await registry.register(subject, issued, factSchemaCompatibility, 'JSON');
  const answer = registry.register(subject, schema, factSchemaCompatibility, 'JSON').then(
    () => undefined,
    (error) => error.status,
  );
  expect(await answer).toBe(status);
});
