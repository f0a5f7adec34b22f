/** Renders the schemas of the OpenAPI document. */
import type { Json } from '#libs/schema/json.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { escapeHtml, renderInline } from './html.ts';

export function renderComponent(name: string, schema: JsonSchema): string {
  const { description } = schema;
  const paragraph = typeof description === 'string' ? `<p>${renderInline(description)}</p>` : '';
  return `<section id="schema-${name}"><h3>${escapeHtml(name)}</h3>${paragraph}${renderSchema(schema)}</section>`;
}

/** A link to a named schema, or the type with its members and limits. */
export function renderSchema(schema: JsonSchema): string {
  const { $ref, type, items, properties, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') return schemaLink($ref);
  const alternatives = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined;
  if (alternatives !== undefined) return alternatives.map(renderSchema).join(' <small>or</small> ');
  if (type === 'array') {
    return `<small>a list of</small> ${renderSchema((items ?? {}) as JsonSchema)}${renderLimits(schema)}`;
  }
  if (properties !== undefined) return membersTable(schema);
  return `${type === undefined ? 'anything' : escapeHtml(String(type))}${renderLimits(schema)}`;
}

function schemaLink(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
}

function membersTable({ properties, required }: JsonSchema): string {
  const requiredNames = new Set(required as readonly string[] | undefined);
  const rows = Object.entries(properties as { readonly [name: string]: JsonSchema }).map(([name, member]) => {
    const { description, deprecated } = member;
    const notes = [
      ...(deprecated === true ? ['<strong>Deprecated.</strong>'] : []),
      ...(typeof description === 'string' ? [renderInline(description)] : []),
    ];
    const optional = requiredNames.has(name) ? '' : ' <small>optional</small>';
    return `<tr><td><code>${escapeHtml(name)}</code>${optional}</td><td>${renderSchema(member)}</td><td>${notes.join(' ')}</td></tr>`;
  });
  return `<table>${rows.join('\n')}</table>`;
}

const limitTexts: { readonly [keyword: string]: (value: Json) => string } = {
  const: (value) => `always ${code(value)}`,
  enum: (value) => (value as readonly Json[]).map(code).join(', '),
  format: (value) => escapeHtml(String(value)),
  pattern: code,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `at most ${value}`),
  minLength: (value) => `${value} or more characters`,
  maxLength: (value) => `${value} or fewer characters`,
  minItems: (value) => (value === 0 ? '' : `${value} or more`),
  maxItems: (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `${value} or fewer`),
  default: (value) => `default ${code(value)}`,
  'x-enum-open': (value) => (value === true ? 'open' : 'closed'),
};

function renderLimits(schema: JsonSchema): string {
  const limits = Object.entries(limitTexts).flatMap(([keyword, textOf]) => {
    const value = schema[keyword];
    return value === undefined ? [] : [textOf(value)];
  });
  const shown = limits.filter((text) => text !== '');
  return shown.length === 0 ? '' : ` <small>${shown.join('; ')}</small>`;
}

function code(value: Json): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}
