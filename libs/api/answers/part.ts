/** What an answer holds, said once: its schema for the reader of the contract, and its type for our own code. */
import type { JsonSchema, Schema } from '#libs/schema/form.ts';

/** Whatever has a schema and a type: a form that bodies are read by is a part of answers too. */
export type Part<T> = Pick<Schema<T>, 'jsonSchema' | 'stated'>;

export type PartOf<P> = P extends Part<infer T> ? T : never;

export interface Member<T, Always extends boolean> {
  readonly part: Part<T>;
  readonly always: Always;
  readonly says?: string;
}

/** A member that is always served. */
export function always<T>(part: Part<T>, says?: string): Member<T, true> {
  return { part, always: true, ...(says === undefined ? {} : { says }) };
}

/** A member served where it has something to say; `says` tells when. */
export function sometimes<T>(part: Part<T>, says?: string): Member<T, false> {
  return { part, always: false, ...(says === undefined ? {} : { says }) };
}

export type Members = { readonly [name: string]: Member<unknown, boolean> };

type AlwaysNames<M extends Members> = { [Name in keyof M]: M[Name]['always'] extends true ? Name : never }[keyof M];

export type Served<M extends Members> = {
  readonly [Name in AlwaysNames<M>]: PartOf<M[Name]['part']>;
} & {
  readonly [Name in Exclude<keyof M, AlwaysNames<M>>]?: PartOf<M[Name]['part']>;
};

/** Open to members that later versions add: callers ignore what they do not know. */
export function object<const M extends Members>(members: M, says?: string): Part<Served<M>> {
  const entries = Object.entries(members);
  const served = entries.filter(([, member]) => member.always).map(([name]) => name);
  return {
    jsonSchema: {
      type: 'object',
      ...(says === undefined ? {} : { description: says }),
      properties: Object.fromEntries(
        entries.map(([name, { part, says: own }]) => [name, described(part.jsonSchema, own)]),
      ),
      ...(served.length === 0 ? {} : { required: served }),
    },
  };
}

export function list<T>(of: Part<T>, says?: string): Part<readonly T[]> {
  return { jsonSchema: { type: 'array', items: of.jsonSchema, ...(says === undefined ? {} : { description: says }) } };
}

/** Never an empty one. */
export function some<T>(of: Part<T>): Part<readonly T[]> {
  return { jsonSchema: { ...list(of).jsonSchema, minItems: 1 } };
}

/** One of several, told apart by what they hold. */
export function anyOf<T>(...parts: readonly Part<T>[]): Part<T> {
  return { jsonSchema: { anyOf: parts.map(({ jsonSchema: schema }) => schema) } };
}

/** A part that already has a name in the document keeps it, whatever is said of it where it is used. */
const plain = new WeakMap<JsonSchema, JsonSchema>();

export function described(schema: JsonSchema, says: string | undefined): JsonSchema {
  if (says === undefined) return schema;
  const told = { ...schema, description: says };
  plain.set(told, schema);
  return told;
}

/** The schema before something was said of it in one place. */
export function undescribed(schema: JsonSchema): JsonSchema {
  return plain.get(schema) ?? schema;
}

const bare = <T>(schema: JsonSchema): Part<T> => ({ jsonSchema: schema });

export const word: Part<string> = bare({ type: 'string' });
export const moment: Part<string> = bare({
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339 in UTC, six decimals.',
});
export const whole: Part<number> = bare({ type: 'integer' });
export const count: Part<number> = bare({ type: 'integer', minimum: 0 });
export const yesOrNo: Part<boolean> = bare({ type: 'boolean' });

/** Always that one value. */
export function only<const T extends string | boolean | number>(value: T): Part<T> {
  return bare({ type: typeof value, const: value });
}
