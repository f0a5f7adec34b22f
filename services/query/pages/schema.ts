/** A schema of the document, shown to a person. */
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { escaped, inline } from './html.ts';

export function componentSection(name: string, schema: JsonSchema): string {
  const says = schema['description'];
  const told = typeof says === 'string' ? `<p>${inline(says)}</p>` : '';
  return `<section id="schema-${name}"><h3>${escaped(name)}</h3>${told}${shown(schema)}</section>`;
}

/** What a value of the schema is: a name that leads to it, or all there is to say of it. */
export function shown(schema: JsonSchema): string {
  const { $ref, type, items, properties, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') return reference($ref);
  const several = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined;
  if (several !== undefined) return several.map(shown).join(' <small>or</small> ');
  if (type === 'array') return `<small>a list of</small> ${shown((items ?? {}) as JsonSchema)}${boundsOf(schema)}`;
  if (properties !== undefined) return members(schema);
  return `${type === undefined ? 'anything' : escaped(String(type))}${boundsOf(schema)}`;
}

function reference(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return `<a href="#schema-${name}">${escaped(name)}</a>`;
}

function members({ properties, required }: JsonSchema): string {
  const served = new Set(required as readonly string[] | undefined);
  const rows = Object.entries(properties as { readonly [name: string]: JsonSchema }).map(([name, member]) => {
    const says = member['description'];
    const about = [
      ...(member['deprecated'] === true ? ['<strong>On its way out.</strong>'] : []),
      ...(typeof says === 'string' ? [inline(says)] : []),
    ];
    return `<tr><td><code>${escaped(name)}</code>${served.has(name) ? '' : ' <small>optional</small>'}</td><td>${shown(member)}</td><td>${about.join(' ')}</td></tr>`;
  });
  return `<table>${rows.join('\n')}</table>`;
}

const bounds: { readonly [keyword: string]: (value: Json) => string } = {
  const: (value) => `always ${code(value)}`,
  enum: (value) => (value as readonly Json[]).map(code).join(', '),
  format: (value) => escaped(String(value)),
  pattern: code,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `at most ${value}`),
  minLength: (value) => `${value} or more characters`,
  maxLength: (value) => `${value} or fewer characters`,
  minItems: (value) => (value === 0 ? '' : `${value} or more`),
  maxItems: (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `${value} or fewer`),
  default: (value) => `${code(value)} where not stated`,
  'x-enum-open': (value) => (value === true ? 'open' : 'closed'),
};

function boundsOf(schema: JsonSchema): string {
  const said = Object.entries(bounds).flatMap(([keyword, say]) => {
    const value = schema[keyword];
    return value === undefined ? [] : [say(value)];
  });
  const told = said.filter((words) => words !== '');
  return told.length === 0 ? '' : ` <small>${told.join('; ')}</small>`;
}

function code(value: Json): string {
  return `<code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}
