/** The published OpenAPI document, closed: an answer with a member that it does not declare is a fault. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type DocumentNode = { readonly [name: string]: unknown };

const file = new URL('../../schemas/openapi.json', import.meta.url);

export const publishedDocument = JSON.parse(readFileSync(file, 'utf8')) as DocumentNode;

/** Forbids undeclared members. Callers ignore them, but the tests must notice that the document is out of date. */
export function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]));
  const isOpen = isNode(copy['properties']) && !('additionalProperties' in copy) && !('$ref' in copy);
  // With `type: object` this is a schema, not a member that is called `properties`.
  return isOpen && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy;
}

export function isNode(value: unknown): value is DocumentNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Each test file compiles its schemas and applies them few times: optimizing them takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false, code: { optimize: false } });
formats.default(ajv);
ajv.addSchema(closeObjects(publishedDocument) as object, 'openapi');

const compiled = new Map<string, ValidateFunction>();

/** The first fault of a value by the schema at a pointer of the document; undefined if it is valid. */
export function schemaFaultAt(pointer: string, value: unknown): string | undefined {
  const known = compiled.get(pointer);
  const validate = known ?? ajv.compile({ $ref: `openapi#${pointer}` });
  if (known === undefined) compiled.set(pointer, validate);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'the value itself'} ${error?.message} ${JSON.stringify(error?.params)}`;
}

export function pointer(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** The node at a path of the document. A reference is followed. */
export function resolveNode(
  names: readonly string[],
): { readonly node: DocumentNode; readonly names: readonly string[] } | undefined {
  const node = names.reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), publishedDocument);
  if (!isNode(node)) return undefined;
  const { $ref } = node;
  return typeof $ref === 'string' ? resolveNode($ref.slice(2).split('/')) : { node, names };
}
