/** The free texts in the bodies of the API, from the OpenAPI document: a member that is added is found without being listed here. */
import { readFileSync } from 'node:fs';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = JSON.parse(
  readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

/** Strings that the service checks although the document states no pattern, and what is not recorded. */
const checkedTexts: Readonly<Record<string, string>> = {
  reason: 'one of an enumeration',
  cursor: 'made by the service',
  time_zone: 'the name of a time zone',
  name: 'the name of an attribute is a word',
  id: 'the id of a part of a policy is a word',
  attribute: 'names an attribute',
  loan_reference: 'of a simulation, which is not recorded',
  designated_loan_reference: 'of a simulation, which is not recorded',
  body: 'of a simulation, which is not recorded',
};

const checks = ['enum', 'const', 'format', 'pattern'];

/** Names of members: strings without a pattern, and objects with any member. An array has the name of its member. */
export function freeTextNames(): readonly string[] {
  const names = new Set<string>();
  const visit = (stated: JsonSchema, name: string): void => {
    const schema = resolve(stated);
    for (const each of [schema.oneOf, schema.anyOf, schema.allOf].flatMap((list) => list ?? [])) visit(each, name);
    const isFree = [schema.type].flat().includes('string') && !checks.some((keyword) => keyword in schema);
    if (isFree || schema.additionalProperties === true) names.add(name);
    for (const [member, each] of Object.entries(schema.properties ?? {})) visit(each, member);
    if (schema.items !== undefined) visit(schema.items, name);
  };
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { requestBody } = operation;
    if (requestBody !== undefined) visit(requestBody.content['application/json'].schema, '');
  }
  return [...names].filter((name) => !Object.hasOwn(checkedTexts, name)).sort();
}

function resolve(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const names = schema.$ref.split('/').slice(1);
  const found = names.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], document);
  return resolve(found as JsonSchema);
}

/** The names of members that hold a text with `part`, and of the members around them. */
export function namesHolding(part: string, value: unknown, around: readonly string[] = []): readonly string[] {
  if (typeof value === 'string') return value.includes(part) ? around : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => namesHolding(part, each, around));
  return Object.entries(value).flatMap(([name, each]) => namesHolding(part, each, [...around, name]));
}
