/** Schemas of objects, arrays and dictionaries. */
import { escapeName, isObject, type Json, type JsonObject, type MemberPath } from '#libs/schema/json.ts';
import { context, currency, identifier, minorUnits, reference, text } from '#libs/schema/scalars.ts';
import {
  below,
  type Infer,
  type JsonSchema,
  leaf,
  type Pass,
  type Schema,
  type SchemaFault,
  type TypedJsonSchema,
} from '#libs/schema/schema.ts';

/** A member of an object of the contract, in a body or in an answer. */
export interface ObjectField<S extends TypedJsonSchema<unknown>, IsRequired extends boolean> {
  readonly schema: S;
  readonly isRequired: IsRequired;
  /** Required as well, unless this other member is present. */
  readonly unless?: string;
  readonly description?: string;
}

export function required<S extends TypedJsonSchema<unknown>>(schema: S, description?: string): ObjectField<S, true> {
  return { schema, isRequired: true, ...(description === undefined ? {} : { description }) };
}

export function optional<S extends TypedJsonSchema<unknown>>(schema: S, description?: string): ObjectField<S, false> {
  return { schema, isRequired: false, ...(description === undefined ? {} : { description }) };
}

export function requiredUnless<S extends Schema<unknown>>(unless: string, schema: S): ObjectField<S, false> {
  return { schema, isRequired: false, unless };
}

/** The members of an object by name, in the order of the contract's tables. */
export type ObjectFields<S extends TypedJsonSchema<unknown> = TypedJsonSchema<unknown>> = {
  readonly [name: string]: ObjectField<S, boolean>;
};

type RequiredNames<F extends ObjectFields> = {
  [Name in keyof F]: F[Name]['isRequired'] extends true ? Name : never;
}[keyof F];

export type InferFields<F extends ObjectFields> = {
  readonly [Name in RequiredNames<F>]: Infer<F[Name]['schema']>;
} & {
  readonly [Name in Exclude<keyof F, RequiredNames<F>>]?: Infer<F[Name]['schema']>;
};

type FieldEntries = readonly (readonly [string, ObjectField<Schema<unknown>, boolean>])[];

const notObject: readonly SchemaFault[] = [{ code: 'invalid_field', at: '', bound: 'an object' }];

/** Undefined where there are none: a valid body is checked without making lists. */
type Faults = readonly SchemaFault[] | undefined;

function isFull(found: Faults, max: number): boolean {
  return found !== undefined && found.length >= max;
}

/** What was found before, and the faults below a member, whose name is escaped already. */
function withFaultsBelow(found: Faults, name: string | number, faults: Faults): Faults {
  return faults === undefined ? found : [...(found ?? []), ...faults.map((fault) => below(name, fault))];
}

/** An object with exactly these members. */
export function object<const F extends ObjectFields<Schema<unknown>>>(fields: F): Schema<InferFields<F>> {
  const entries: FieldEntries = Object.entries(fields);
  const names = new Set(entries.map(([name]) => name));
  const nested = entries.filter(([, { schema }]) => schema.hasMembers);
  return {
    jsonSchema: objectJsonSchema(entries),
    hasMembers: true,
    inexactNumberPaths: pathsBelow(entries),
    find(pass, value, max) {
      if (!isObject(value)) return pass === 'invalid' ? notObject : undefined;
      switch (pass) {
        case 'unknown':
          return memberFaults(pass, nested, value, max, unknownMembers(names, value, max));
        case 'missing':
          return missingMembers(entries, value, max);
        case 'invalid':
          return memberFaults(pass, entries, value, max);
      }
    },
  };
}

function unknownMembers(names: ReadonlySet<string>, value: JsonObject, max: number): Faults {
  let found: Faults;
  for (const name in value) {
    if (names.has(name)) continue;
    // The known names are stated once: a body may have many unknown ones.
    const bound = found === undefined ? { bound: [...names] } : {};
    found = [...(found ?? []), { code: 'unknown_field', at: `/${escapeName(name)}`, ...bound }];
    if (isFull(found, max)) return found;
  }
  return found;
}

/** Descends into each member in turn, so that faults come in the order of the whole table. */
function missingMembers(entries: FieldEntries, value: JsonObject, max: number): Faults {
  let found: Faults;
  for (const [name, { schema, isRequired, unless }] of entries) {
    if (Object.hasOwn(value, name)) {
      if (!schema.hasMembers) continue;
      found = withFaultsBelow(found, name, schema.find('missing', value[name] as Json, max));
    } else {
      const mayBeAbsent = unless === undefined ? !isRequired : Object.hasOwn(value, unless);
      if (mayBeAbsent) continue;
      found = [...(found ?? []), { code: 'missing_field', at: `/${name}` }];
    }
    if (isFull(found, max)) return found;
  }
  return found;
}

/** The faults of the members, after those found before. */
function memberFaults(pass: Pass, entries: FieldEntries, value: JsonObject, max: number, before?: Faults): Faults {
  let found = before;
  for (const [name, { schema }] of entries) {
    if (isFull(found, max)) return found;
    if (!Object.hasOwn(value, name)) continue;
    found = withFaultsBelow(found, name, schema.find(pass, value[name] as Json, max));
  }
  return found;
}

function objectJsonSchema(entries: FieldEntries): JsonSchema {
  const requiredNames = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, describedSchema(field)])),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    additionalProperties: false,
  };
}

function describedSchema({ schema: { jsonSchema }, description }: ObjectField<Schema<unknown>, boolean>): JsonSchema {
  return description === undefined ? jsonSchema : { ...jsonSchema, description };
}

function pathsBelow(entries: FieldEntries): readonly MemberPath[] {
  return entries.flatMap(([name, { schema }]) => (schema.inexactNumberPaths ?? []).map((path) => [name, ...path]));
}

/** An object whose member names are chosen by the caller and whose values share one schema. */
export function dictionary<T>(element: Schema<T>): Schema<{ readonly [name: string]: T }> {
  return {
    jsonSchema: { type: 'object', additionalProperties: element.jsonSchema },
    hasMembers: true,
    find(pass, value, max) {
      if (!isObject(value)) return pass === 'invalid' ? notObject : undefined;
      let found: Faults;
      for (const name in value) {
        found = withFaultsBelow(found, escapeName(name), element.find(pass, value[name] as Json, max));
        if (isFull(found, max)) return found;
      }
      return found;
    },
  };
}

export interface ArrayLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Refuses an element that was already stated. */
  readonly isDistinct?: boolean;
}

export function array<T>(
  element: Schema<T>,
  { minItems = 0, maxItems = 1000, isDistinct = false }: ArrayLimits = {},
): Schema<readonly T[]> {
  const wrongArray: SchemaFault = { code: 'invalid_field', at: '', bound: `an array of ${minItems} to ${maxItems}` };
  return {
    jsonSchema: {
      type: 'array',
      items: element.jsonSchema,
      minItems,
      maxItems,
      ...(isDistinct ? { uniqueItems: true } : {}),
    },
    hasMembers: element.hasMembers,
    inexactNumberPaths: (element.inexactNumberPaths ?? []).map((path) => ['*', ...path]),
    find(pass, value, max) {
      const isSound = Array.isArray(value) && value.length >= minItems && value.length <= maxItems;
      if (pass === 'invalid' && !isSound) return [wrongArray];
      if (!Array.isArray(value)) return undefined;
      let found: Faults;
      for (const [index, item] of (value as readonly Json[]).entries()) {
        found = withFaultsBelow(found, index, element.find(pass, item, max));
        if (isFull(found, max)) return found;
      }
      if (pass !== 'invalid' || !isDistinct || found !== undefined) return found;
      const repeated = value.findIndex((item, index) => value.indexOf(item) !== index);
      return repeated < 0
        ? undefined
        : [{ code: 'invalid_field', at: `/${repeated}`, bound: 'a value that is not stated before' }];
    },
  };
}

/** An array whose elements the caller of `parse` parses one by one, so that an invalid element is refused alone. */
export function unparsedArray<T>(element: Schema<T>, limits: ArrayLimits): Schema<readonly Json[]> {
  const { jsonSchema, inexactNumberPaths = [] } = array(element, limits);
  const anyElement = leaf<Json>(element.jsonSchema, () => undefined);
  return { ...array(anyElement, limits), jsonSchema, inexactNumberPaths };
}

/** A type alias, not an interface, so that it can be assigned to JsonObject. */
export type MoneyJson = { readonly minor_units: number; readonly currency: string };

export const money: Schema<MoneyJson> = object({
  minor_units: required(minorUnits(1)),
  currency: required(currency),
});
export const moneyOrZero: Schema<MoneyJson> = object({
  minor_units: required(minorUnits(0)),
  currency: required(currency),
});

/** Who recorded the fact and why, and the reference that makes the write idempotent. */
export const account = {
  reference: required(reference),
  actor: required(identifier),
  basis: required(text()),
  context: optional(context),
};
export type Account = InferFields<typeof account>;

/** The account in the order in which facts store it, and the other members. */
export function splitAccount<Body extends Account>({ reference, actor, basis, context, ...stated }: Body) {
  const act: Account = { reference, actor, basis, ...(context === undefined ? {} : { context }) };
  return [act, stated] as const;
}
