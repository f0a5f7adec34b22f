/** The fields of a JSON schema: name, type, bounds and meaning, with the members of objects inside them. */
import type { Json } from '#libs/schema/json.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { type Content, type Html, html } from '../html.ts';
import { inlineMarkdown } from '../markdown-text.ts';
import { nameOfReference, schemas } from './api-document.ts';
import { objectUrl } from './object-groups.ts';

/** The members of a named object that is deeper than this are on a page of the objects alone. */
const maxDepth = 2;

/** Objects with these names are one value to a reader. */
const leaves = new Set(['Money', 'StatedMoney', 'StatedMoneyOrNothing', 'Ratio']);

export function schemaFields(schema: JsonSchema, depth = 0): Html {
  const { properties = {}, required = [] } = resolved(schema) as {
    readonly properties?: { readonly [name: string]: JsonSchema };
    readonly required?: readonly string[];
  };
  return html`<ul class="fields">
    ${Object.entries(properties).map(([name, member]) =>
      field({ name, schema: member, isRequired: required.includes(name), depth }),
    )}
  </ul>`;
}

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly depth?: number;
}

export function field({ name, schema, isRequired, description, depth = 0 }: Field): Html {
  const text = description ?? descriptionOf(schema);
  return html`<li>
    <p class="field-head">
      <code class="field-name">${name}</code>
      <span class="field-type">${typeText(schema)}</span>
      ${isRequired ? html`<span class="badge required">required</span>` : null}
      ${schema['deprecated'] === true ? html`<span class="badge warning">deprecated</span>` : null}
    </p>
    ${text === undefined ? null : inlineMarkdown(text, 'p')} ${limits(schema)} ${alternativeLimits(schema)} ${members(schema, depth)}
  </li>`;
}

function descriptionOf(schema: JsonSchema): string | undefined {
  const own = schema['description'] ?? itemsOf(schema)?.['description'];
  return typeof own === 'string' ? own : undefined;
}

function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return schema['type'] === 'array' ? (schema['items'] as JsonSchema) : undefined;
}

/** The name of an object. One of the values may stand here as a copy, with a description of its own. */
function nameOf(schema: JsonSchema): string | undefined {
  if (typeof schema['$ref'] === 'string') return nameOfReference(schema['$ref']);
  const form = formOf(schema);
  return form === undefined ? undefined : [...leaves].find((name) => formOf(schemas[name] ?? {}) === form);
}

function formOf({ properties }: JsonSchema): string | undefined {
  return JSON.stringify(properties, (key, value) => (key === 'description' ? undefined : value));
}

/** Of an object whose member names the caller chooses. */
function valuesOf(schema: JsonSchema): JsonSchema | undefined {
  const values = schema['additionalProperties'];
  return isSchema(values) && Object.keys(values).length > 0 ? values : undefined;
}

/** What stands inside the object, inside each item of the list, or inside each value under a name of the caller. */
function members(schema: JsonSchema, depth: number): Content {
  const [inner, summary] = innerOf(schema);
  const name = nameOf(inner);
  if (name !== undefined && leaves.has(name)) return null;
  const target = resolved(inner);
  const objects = alternativesOf(target)?.filter((each) => resolved(each)['properties'] !== undefined);
  const alternatives = objects?.length === 0 ? undefined : objects;
  if (target['properties'] === undefined && alternatives === undefined) return null;
  if (depth >= maxDepth && name !== undefined) return null;
  return html`<details class="members">
    <summary>${summary}</summary>
    ${
      alternatives === undefined
        ? schemaFields(target, depth + 1)
        : alternatives.map(
            (each) => html`<div class="alternative"><p>${typeText(each)}</p>${schemaFields(each, depth + 1)}</div>`,
          )
    }
  </details>`;
}

function innerOf(schema: JsonSchema): readonly [inner: JsonSchema, summary: string] {
  const [items, values] = [itemsOf(schema), valuesOf(schema)];
  if (items !== undefined) return [items, 'Members of each item'];
  return values === undefined ? [schema, 'Members'] : [values, 'Members of each value'];
}

/** What the search finds the object by: the names of its members and their values, without those of named objects in it. */
export function searchWords(schema: JsonSchema): readonly string[] {
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
  const values = [schema['enum'] ?? [], schema['const'] ?? []].flat().filter((value) => typeof value === 'string');
  const inner = [...Object.values(properties), schema['items'], schema['additionalProperties']];
  const alternatives = [schema['oneOf'], schema['anyOf']].flat();
  const nested = [...inner, ...alternatives].flatMap((each) => (isSchema(each) ? searchWords(each) : []));
  return [...new Set([...Object.keys(properties), ...values, ...nested])];
}

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function alternativesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined;
}

export function resolved(schema: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return schemas[nameOfReference(reference)] ?? schema;
}

/** The type in words; the name of an object links to it. */
export function typeText(schema: JsonSchema): Content {
  const { type, format } = schema;
  const name = nameOf(schema);
  if (name !== undefined) {
    return html`<a href=${objectUrl(name)}>${name}</a>`;
  }
  const alternatives = alternativesOf(schema);
  if (alternatives !== undefined) {
    if (isEachA('string', alternatives)) return 'string';
    return alternatives.map((each, index) => html`<span>${index === 0 ? '' : ' or '}${typeText(each)}</span>`);
  }
  if (type === 'array') return html`<span>list of ${typeText((schema['items'] ?? {}) as JsonSchema)}</span>`;
  if (format === 'date') return 'civil day';
  if (format === 'date-time') return 'timestamp';
  if (format === 'uuid') return 'UUID';
  if (Array.isArray(type)) return type.join(' or ');
  return type === undefined ? 'any JSON' : String(type);
}

function isEachA(type: string, alternatives: readonly JsonSchema[]): boolean {
  return alternatives.every((each) => each['type'] === type && each['format'] === undefined);
}

const limitTexts: { readonly [keyword: string]: (value: Json) => Content } = {
  const: (value) => html`<span>always ${valueText(value)}</span>`,
  pattern: (value) => html`<span>matches ${valueText(value)}</span>`,
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `above ${value}`,
  maximum: (value) => (value === Number.MAX_SAFE_INTEGER ? undefined : `at most ${value}`),
  minLength: (value) => `${value} or more characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => (value === 0 ? undefined : `${value} or more items`),
  maxItems: (value) => (value === Number.MAX_SAFE_INTEGER ? undefined : `at most ${value} items`),
  default: (value) => html`<span>default ${valueText(value)}</span>`,
  'x-default': (value) => html`<span>default ${valueText(value)}</span>`,
};

function limits(schema: JsonSchema): Content {
  const texts = limitsOf(schema);
  return texts.length === 0 ? null : limitsParagraph(texts);
}

/** A line for each alternative that is no object, where one of them has limits. */
function alternativeLimits(schema: JsonSchema): Content {
  const plain = (alternativesOf(schema) ?? []).filter((each) => resolved(each)['properties'] === undefined);
  if (plain.every((each) => limitsOf(each).length === 0)) return null;
  return plain.map((each, index) => {
    const type = html`<span>${index === 0 ? '' : 'or '}${typeText(each)}</span>`;
    return limitsParagraph([type, ...limitsOf(each)]);
  });
}

function limitsParagraph(texts: readonly Content[]): Html {
  return html`<p class="limits">${texts.map((text, index) => html`<span>${index === 0 ? '' : '; '}${text}</span>`)}</p>`;
}

function limitsOf(schema: JsonSchema): readonly Content[] {
  const target = itemsOf(schema) ?? schema;
  const texts = Object.entries(limitTexts).flatMap(([keyword, text]) => {
    const value = schema[keyword] ?? (keyword === 'pattern' ? target[keyword] : undefined);
    const shown = value === undefined ? undefined : text(value);
    return shown === undefined ? [] : [shown];
  });
  const values = target['enum'] as readonly Json[] | undefined;
  if (values === undefined) return texts;
  const open = target['x-enum-open'] === true ? ' More may be added.' : '';
  const allowed = html`<span class="values">one of ${values.map((each) => html`<span>${valueText(each)} </span>`)}${open}</span>`;
  return [...texts, allowed];
}

function valueText(value: Json): Html {
  return html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
}
