/** The published document, read as strictly as our own tests must: an answer with a member it does not name is a fault. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Node = { readonly [name: string]: unknown };

const file = new URL('../../schemas/openapi.json', import.meta.url);

export const published = JSON.parse(readFileSync(file, 'utf8')) as Node;

/** Callers ignore what they do not know; a test that did would let the document lag behind the service. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const isOpen = isNode(copy['properties']) && !('additionalProperties' in copy) && !('$ref' in copy);
  // `type` beside `properties` tells a schema from a member that is called so.
  return isOpen && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
formats.default(ajv);
ajv.addSchema(closed(published) as object, 'openapi');

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by the schema that stands at that pointer of the document; nothing where all is well. */
export function faultAt(pointer: string, value: unknown): string | undefined {
  const known = compiled.get(pointer);
  const validate = known ?? ajv.compile({ $ref: `openapi#${pointer}` });
  if (known === undefined) compiled.set(pointer, validate);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'the whole of it'} ${error?.message} ${JSON.stringify(error?.params)}`;
}

export function pointer(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** What stands at a pointer, a reference followed to what it names. */
export function found(
  names: readonly string[],
): { readonly node: Node; readonly names: readonly string[] } | undefined {
  const node = names.reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), published);
  if (!isNode(node)) return undefined;
  const { $ref } = node;
  return typeof $ref === 'string' ? found($ref.slice(2).split('/')) : { node, names };
}
