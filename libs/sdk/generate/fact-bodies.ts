/**
 * The bodies of facts in the form in which the SDKs return them: money is an object, a day is a text, and a period of the
 * plan has members by name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { OpenApiDocument, OpenApiSchema } from './openapi.ts';

const folder = new URL('../../../schemas/facts/', import.meta.url);

export interface FactBody {
  readonly kind: string;
  /** The name of its type. */
  readonly type: string;
}

/** A fact's schema is of an earlier draft of JSON Schema than the OpenAPI document, with lists of items by position. */
type FactSchema = Omit<OpenApiSchema, 'items' | 'properties'> & {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, FactSchema>>;
  readonly items?: FactSchema | readonly FactSchema[];
  readonly 'x-currency'?: string;
  readonly 'x-days-since'?: string;
};

export const factBodies: readonly FactBody[] = readdirSync(folder)
  .map((file) => file.replace('.json', ''))
  .sort()
  .map((kind) => ({
    kind,
    type: `${kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Body`,
  }));

/** What several bodies have in common: the name of its type, and where it is found. */
const commonParts: Readonly<Record<string, readonly string[]>> = {
  FactAct: ['waived', 'act'],
  FactOrigin: ['key_revoked', 'origin'],
  FactSchedule: ['issued', 'terms', 'schedule'],
};

/** The document with a schema for the body of each kind of fact, and for what several of them have in common. */
export function withFactBodies(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const parts = Object.entries(commonParts).map(([name, [kind = '', ...members]]): [string, OpenApiSchema] => [
    name,
    members.reduce((schema, member) => schema.properties?.[member] ?? {}, bodyInOneForm(kind)),
  ]);
  const nameOf = new Map(parts.map(([name, part]) => [JSON.stringify(part), name]));
  const bodies = factBodies.map(({ kind, type }): [string, OpenApiSchema] => [
    type,
    withReferences(bodyInOneForm(kind), nameOf),
  ]);
  const added = Object.fromEntries([...parts, ...bodies]);
  const taken = Object.keys(added).filter((name) => schemas[name] !== undefined);
  if (taken.length > 0) throw new Error(`the document has types named ${taken.join(', ')} already`);
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...added } } };
}

function withReferences(schema: OpenApiSchema, nameOf: ReadonlyMap<string, string>): OpenApiSchema {
  const name = nameOf.get(JSON.stringify(schema));
  if (name !== undefined) return reference(name);
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapValues(properties, (each) => withReferences(each, nameOf)) }),
    ...(items === undefined ? {} : { items: withReferences(items, nameOf) }),
  };
}

export function bodyInOneForm(kind: string): OpenApiSchema {
  const stored = JSON.parse(readFileSync(new URL(`${kind}.json`, folder), 'utf8')) as FactSchema;
  const { properties = {}, required = [], description = '', ...schema } = inOneForm(stored);
  // What has a former name as well is read by its present one, also in facts of earlier releases.
  const current = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true);
  if (current.length === Object.keys(properties).length) return { ...schema, description, properties, required };
  const members = current.map(([name, { description: _, ...member }]): [string, OpenApiSchema] => [name, member]);
  const names = current.map(([name]) => name);
  const text = `${names.map((name) => `\`${name}\``).join(', ')}.`;
  return { ...schema, description: text, properties: Object.fromEntries(members), required: names };
}

function inOneForm(schema: FactSchema): OpenApiSchema {
  const { title: _title, 'x-currency': currency, 'x-days-since': daysSince, ...own } = schema;
  const { properties, items, ...others } = own;
  const { description } = others;
  const isMoney = Object.keys(properties ?? {}).join() === 'minor_units,currency';
  if (isMoney) return { ...(description === undefined ? {} : { description }), ...reference('Money') };
  if (currency !== undefined) return reference('Money');
  if (daysSince !== undefined) return { type: 'string', format: 'date' };
  if (Array.isArray(items)) return namedPositions(items as readonly FactSchema[]);
  return {
    ...others,
    ...(others.anyOf === undefined ? {} : { anyOf: others.anyOf.map((each) => inOneForm(each as FactSchema)) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, inOneForm) }),
    ...(items === undefined ? {} : { items: inOneForm(items as FactSchema) }),
  };
}

/** A list whose positions have titles: an object with these members. */
function namedPositions(items: readonly FactSchema[]): OpenApiSchema {
  const members = items.map((each): [string, OpenApiSchema] => [each.title ?? '', inOneForm(each)]);
  return { type: 'object', properties: Object.fromEntries(members), required: members.map(([name]) => name) };
}

function reference(name: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function mapValues<Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
