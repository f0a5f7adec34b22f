/** Builds the schemas of answers: JSON Schema for the OpenAPI document, and a type for our own code. */
import type { InferFields, ObjectFields } from '#libs/schema/objects.ts';
import type { JsonSchema, TypedJsonSchema } from '#libs/schema/schema.ts';

/** An object of an answer. It allows more members: later versions may add some, which callers ignore. */
export function answerObject<const F extends ObjectFields>(
  fields: F,
  description?: string,
): TypedJsonSchema<InferFields<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    jsonSchema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties: Object.fromEntries(
        entries.map(([name, field]) => [name, described(field.schema.jsonSchema, field.description)]),
      ),
      ...(required.length === 0 ? {} : { required }),
    },
  };
}

export function list<T>(element: TypedJsonSchema<T>, description?: string): TypedJsonSchema<readonly T[]> {
  return {
    jsonSchema: { type: 'array', items: element.jsonSchema, ...(description === undefined ? {} : { description }) },
  };
}

export function nonEmptyList<T>(element: TypedJsonSchema<T>): TypedJsonSchema<readonly T[]> {
  return { jsonSchema: { ...list(element).jsonSchema, minItems: 1 } };
}

export function anyOf<T>(...schemas: readonly TypedJsonSchema<T>[]): TypedJsonSchema<T> {
  return { jsonSchema: { anyOf: schemas.map(({ jsonSchema }) => jsonSchema) } };
}

/** A schema with a name in the document keeps the name if a description is added where it is used. */
const originals = new WeakMap<JsonSchema, JsonSchema>();

export function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  if (description === undefined) return schema;
  const copy = { ...schema, description };
  originals.set(copy, schema);
  return copy;
}

/** The schema to which `described` added a description. */
export function undescribed(schema: JsonSchema): JsonSchema {
  return originals.get(schema) ?? schema;
}

export const anyString: TypedJsonSchema<string> = { jsonSchema: { type: 'string' } };
export const timestamp: TypedJsonSchema<string> = {
  jsonSchema: { type: 'string', format: 'date-time', description: 'RFC 3339 in UTC with six decimals.' },
};
export const wholeNumber: TypedJsonSchema<number> = { jsonSchema: { type: 'integer' } };
export const count: TypedJsonSchema<number> = { jsonSchema: { type: 'integer', minimum: 0 } };

/** Always the same value. */
export function constant<const T extends string | boolean | number>(value: T): TypedJsonSchema<T> {
  return { jsonSchema: { type: typeof value, const: value } };
}
