/**
 * A schema: JSON in, domain type or one refusal out, and the JSON Schema that the OpenAPI document publishes.
 * docs/decisions explains why it is hand-written.
 */
import { type Json, type JsonObject, type MemberPath, sourceTextOf } from '#libs/schema/json.ts';
import { type DetailValue, type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

/** JSON Schema, as far as the OpenAPI document uses it. */
export type JsonSchema = { readonly [keyword: string]: Json };

/** A JSON Schema together with the TypeScript type it describes. Enough to describe an answer. */
export interface TypedJsonSchema<out T> {
  readonly jsonSchema: JsonSchema;
  /** Never set; carries the type. */
  readonly inferredType?: T;
}

export type Infer<S> = S extends TypedJsonSchema<infer T> ? T : never;

/** Each pass runs over the whole body before the next begins, so the first pass decides which fault is reported. */
export type Pass = 'unknown' | 'missing' | 'invalid';

const passes: readonly Pass[] = ['unknown', 'missing', 'invalid'];

export interface Schema<out T> extends TypedJsonSchema<T> {
  /** The first faults of the pass, in the order of the schema; undefined if there are none. May be more than `max`. */
  readonly find: (pass: Pass, value: Json, max: number) => readonly SchemaFault[] | undefined;
  /** False for a schema that has faults of the pass `invalid` only. */
  readonly hasMembers: boolean;
  /** Where below the value numbers are the caller's own data and may lose precision. */
  readonly inexactNumberPaths?: readonly MemberPath[];
}

export type SchemaFaultCode = Extract<
  RefusalCode,
  | 'unknown_field'
  | 'missing_field'
  | 'invalid_field'
  | 'invalid_identifier'
  | 'amount_out_of_range'
  | 'field_locked'
  | 'invalid_policy'
  | 'payoff_needs_designation'
>;

interface FaultPlace {
  /** A JSON pointer below the checked value; '' for the value itself. */
  readonly at: string;
  readonly observed?: DetailValue;
}

/** A wrong value always comes with what is allowed. */
export type SchemaFault =
  | (FaultPlace & { readonly code: WrongValueCode; readonly bound: DetailValue })
  | (FaultPlace & { readonly code: Exclude<SchemaFaultCode, WrongValueCode>; readonly bound?: DetailValue });

type WrongValueCode =
  | 'invalid_field'
  | 'invalid_identifier'
  | 'amount_out_of_range'
  | 'field_locked'
  | 'invalid_policy';

/** A schema of a value without members of its own. */
export function leaf<T>(jsonSchema: JsonSchema, check: (value: Json) => SchemaFault | undefined): Schema<T> {
  return {
    jsonSchema,
    hasMembers: false,
    find: (pass, value) => (pass === 'invalid' ? asFaults(check(value)) : undefined),
  };
}

function asFaults(fault: SchemaFault | undefined): readonly SchemaFault[] | undefined {
  return fault && [fault];
}

/** Adds a check that runs once the value is known to match the schema, and so may narrow its type. */
export function refine<From, To extends From = From>(
  schema: Schema<From>,
  check: (value: From) => SchemaFault | undefined,
  jsonSchema: JsonSchema = schema.jsonSchema,
): Schema<To> {
  const { hasMembers, inexactNumberPaths } = schema;
  return {
    jsonSchema,
    hasMembers,
    ...(inexactNumberPaths === undefined ? {} : { inexactNumberPaths }),
    find(pass, value, max) {
      const faults = schema.find(pass, value, max);
      if (faults !== undefined || pass !== 'invalid') return faults;
      // The first fault is looked for in passes of the whole body; a list of all may come here with members missing.
      if (max > 1 && hasMembers && findFault(schema, value) !== undefined) return undefined;
      return asFaults(check(value as From));
    },
  };
}

/** Either schema. If neither matches, the first one's fault is reported, unless only the second accepts the value's type. */
export function either<A, B>(
  first: Schema<A>,
  second: Schema<B>,
  jsonSchema: JsonSchema = { anyOf: [first.jsonSchema, second.jsonSchema] },
): Schema<A | B> {
  return leaf(jsonSchema, (value) => {
    const firstFault = findFault(first, value);
    const secondFault = firstFault && findFault(second, value);
    if (secondFault === undefined) return undefined;
    return firstFault?.at === '' && secondFault.at !== '' ? secondFault : firstFault;
  });
}

/** The first fault of a value: unknown members, then missing ones, then invalid values. */
export function findFault(schema: Schema<unknown>, value: Json): SchemaFault | undefined {
  for (const pass of passes) {
    const fault = faultsOfPass(schema, pass, value, 1)?.[0];
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A refusal lists no more faults than this. */
export const maxListedFaults = 20;

/** All faults of a value, the first one first. */
function listFaults(schema: Schema<unknown>, value: Json): readonly SchemaFault[] {
  return passes
    .flatMap((pass) => faultsOfPass(schema, pass, value, maxListedFaults) ?? [])
    .map((fault) => withObserved(fault, value));
}

function faultsOfPass(schema: Schema<unknown>, pass: Pass, value: Json, max: number) {
  return pass === 'invalid' || schema.hasMembers ? schema.find(pass, value, max) : undefined;
}

/** The value as the schema's type, or the refusal of its faults. The value itself is returned, not a copy. */
export function parse<T>(schema: Schema<T>, value: Json): T | Refusal {
  // Valid bodies are the rule, so all faults are looked for only where there is one.
  return findFault(schema, value) === undefined ? (value as T) : refusalOfFaults(listFaults(schema, value));
}

/** For the first fault. Several are listed. */
export function refusalOfFaults(faults: readonly SchemaFault[]): Refusal {
  const [first] = faults;
  if (first === undefined) throw new Error('a value with a fault has no list of faults');
  const refusal = refusalOfFault(first);
  if (faults.length === 1) return refusal;
  const fields = faults.slice(0, maxListedFaults).map((fault) => ({ code: fault.code, ...detailsOf(fault) }));
  return { ...refusal, details: { ...refusal.details, fields } };
}

function refusalOfFault(fault: SchemaFault): Refusal {
  return refuse(fault.code, detailsOf(fault));
}

function detailsOf({ at, bound, observed }: SchemaFault) {
  return {
    field: at,
    ...(bound === undefined ? {} : { bound }),
    ...(observed === undefined ? {} : { observed }),
  };
}

/** Longer values and names are not repeated in a refusal, or are cut. */
export const maxObservedCharacters = 200;

/** Adds the value at which the fault was found, if it is short. */
export function withObserved(fault: SchemaFault, value: Json): SchemaFault {
  if (fault.code !== 'invalid_field' || fault.observed !== undefined) return fault;
  return { ...fault, ...observedDetail(valueAt(value, fault.at)) };
}

export function observedDetail(value: Json | undefined): { readonly observed?: Json } {
  return value === undefined || JSON.stringify(value).length > maxObservedCharacters ? {} : { observed: value };
}

function valueAt(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    const member: Json | undefined = (found as JsonObject)[name];
    found = typeof member === 'number' && !Number.isFinite(member) ? sourceTextOf(found, name) : member;
  }
  return found;
}

/** A fault below a member, with the pointer from the object that holds it. `name` is escaped already. */
export function below(name: string | number, fault: SchemaFault): SchemaFault {
  return { ...fault, at: `/${name}${fault.at}` };
}
