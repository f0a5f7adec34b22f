import {
  currency,
  faultOf,
  type Infer,
  type JsonSchema,
  minorUnits,
  observedCharacters,
  type Schema,
  type SchemaFault,
} from '#libs/schema/form.ts';
import { type DataPaths, escapeName, isObject, type Json, type JsonObject, writtenAt } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A member of an object, in the order of the route's table. */
export interface ObjectField<T, Required extends boolean> {
  readonly form: Schema<T>;
  readonly required: Required;
  /** Where stated, the field may be left out if that other one is there to stand for it. */
  readonly unless?: string;
}

export function required<T>(form: Schema<T>): ObjectField<T, true> {
  return { form, required: true };
}

export function optional<T>(form: Schema<T>): ObjectField<T, false> {
  return { form, required: false };
}

export function requiredUnless<T>(unless: string, form: Schema<T>): ObjectField<T, false> {
  return { form, required: false, unless };
}

export type ObjectFields = { readonly [name: string]: ObjectField<unknown, boolean> };

type RequiredNames<F extends ObjectFields> = {
  [Name in keyof F]: F[Name]['required'] extends true ? Name : never;
}[keyof F];

export type InferFields<F extends ObjectFields> = {
  readonly [Name in RequiredNames<F>]: Infer<F[Name]['form']>;
} & {
  readonly [Name in Exclude<keyof F, RequiredNames<F>>]?: Infer<F[Name]['form']>;
};

/** An object of stated fields. `also` is asked where every field by itself is well-formed. */
export interface ObjectSchema<T> extends Schema<T> {
  readonly fields: ObjectFields;
}

export function shape<const F extends ObjectFields>(
  fields: F,
  also?: (stated: InferFields<F>) => SchemaFault | undefined,
): ObjectSchema<InferFields<F>> {
  const entries = Object.entries(fields);
  const known = new Map(entries);
  const nested = entries.filter(([, { form }]) => form.findUnknown !== undefined || form.findMissing !== undefined);
  const notObject: SchemaFault = { code: 'invalid_field', at: '', bound: 'an object' };
  return {
    fields,
    jsonSchema: objectSchema(entries),
    numbersKeptAsText: dataOf(entries),

    findUnknown(value) {
      if (!isObject(value)) return undefined;
      for (const name in value) {
        if (!known.has(name)) return { code: 'unknown_field', at: `/${escapeName(name)}` };
      }
      return firstFault(nested, value, 'findUnknown');
    },

    findMissing(value) {
      if (!isObject(value)) return undefined;
      for (const [name, field] of entries) {
        const { form } = field;
        if (!Object.hasOwn(value, name)) {
          if (mayBeLeftOut(field, value)) continue;
          return { code: 'missing_field', at: `/${name}` };
        }
        const fault = form.findMissing?.(value[name] as Json);
        if (fault) return below(name, fault);
      }
      return undefined;
    },

    findInvalid(value) {
      if (!isObject(value)) return notObject;
      return firstFault(entries, value, 'findInvalid') ?? also?.(value as InferFields<F>);
    },
  };
}

function mayBeLeftOut({ required, unless }: ObjectField<unknown, boolean>, value: JsonObject): boolean {
  return unless === undefined ? !required : Object.hasOwn(value, unless);
}

type Entries = readonly (readonly [string, ObjectField<unknown, boolean>])[];

function firstFault(entries: Entries, value: JsonObject, look: 'findUnknown' | 'findInvalid'): SchemaFault | undefined {
  for (const [name, { form }] of entries) {
    if (!Object.hasOwn(value, name)) continue;
    const fault = form[look]?.(value[name] as Json);
    if (fault) return below(name, fault);
  }
  return undefined;
}

function below(name: string | number, fault: SchemaFault): SchemaFault {
  return { ...fault, at: `/${name}${fault.at}` };
}

function objectSchema(entries: Entries): JsonSchema {
  const must = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { form }]) => [name, form.jsonSchema])),
    ...(must.length > 0 ? { required: must } : {}),
    additionalProperties: false,
  };
}

function dataOf(entries: Entries): DataPaths {
  return entries.flatMap(([name, { form }]) => (form.numbersKeptAsText ?? []).map((path) => [name, ...path]));
}

export interface MoneyJson {
  readonly minor_units: number;
  readonly currency: string;
}

export const money: ObjectSchema<MoneyJson> = shape({
  minor_units: required(minorUnits(1)),
  currency: required(currency),
});
export const moneyOrNothing: ObjectSchema<MoneyJson> = shape({
  minor_units: required(minorUnits(0)),
  currency: required(currency),
});

export interface ArrayBounds {
  readonly least?: number;
  readonly most?: number;
  /** Whether an element stated a second time is a fault. */
  readonly distinct?: boolean;
}

export function array<T>(
  element: Schema<T>,
  { least = 0, most = 1000, distinct = false }: ArrayBounds = {},
): Schema<readonly T[]> {
  const wrong: SchemaFault = { code: 'invalid_field', at: '', bound: `an array of ${least} to ${most}` };
  const each = (value: Json, look: 'findUnknown' | 'findMissing' | 'findInvalid'): SchemaFault | undefined => {
    if (!Array.isArray(value) || element[look] === undefined) return undefined;
    for (const [index, inner] of (value as readonly Json[]).entries()) {
      const fault = element[look]?.(inner);
      if (fault) return below(index, fault);
    }
    return undefined;
  };
  return {
    jsonSchema: {
      type: 'array',
      items: element.jsonSchema,
      minItems: least,
      maxItems: most,
      ...(distinct ? { uniqueItems: true } : {}),
    },
    numbersKeptAsText: (element.numbersKeptAsText ?? []).map((path) => ['*', ...path]),
    findUnknown: (value) => each(value, 'findUnknown'),
    findMissing: (value) => each(value, 'findMissing'),
    findInvalid(value) {
      if (!Array.isArray(value) || value.length < least || value.length > most) return wrong;
      const repeated = distinct ? value.findIndex((inner, index) => value.indexOf(inner) !== index) : -1;
      return each(value, 'findInvalid') ?? (repeated < 0 ? undefined : { code: 'invalid_field', at: `/${repeated}` });
    },
  };
}

/** Elements that stand or fall each by itself: the body's own check looks at the array alone. */
export function separately<T>(element: Schema<T>, bounds: ArrayBounds): Schema<readonly Json[]> {
  const whole = array(element, bounds);
  const alone = array<Json>({ jsonSchema: element.jsonSchema, findInvalid: () => undefined }, bounds);
  return {
    jsonSchema: whole.jsonSchema,
    numbersKeptAsText: whole.numbersKeptAsText ?? [],
    findInvalid: alone.findInvalid,
  };
}

/** Members whose names are the caller's, all of one form. */
export function record<T>(element: Schema<T>): Schema<{ readonly [name: string]: T }> {
  const each = (value: Json, look: 'findUnknown' | 'findMissing' | 'findInvalid'): SchemaFault | undefined => {
    if (!isObject(value)) return undefined;
    for (const name in value) {
      const fault = element[look]?.(value[name] as Json);
      if (fault) return below(escapeName(name), fault);
    }
    return undefined;
  };
  return {
    jsonSchema: { type: 'object', additionalProperties: element.jsonSchema },
    findUnknown: (value) => each(value, 'findUnknown'),
    findMissing: (value) => each(value, 'findMissing'),
    findInvalid: (value) =>
      isObject(value) ? each(value, 'findInvalid') : { code: 'invalid_field', at: '', bound: 'an object' },
  };
}

/** The body as its type, or the one refusal that names one field: unknown members first, then missing ones, then forms. */
export function readBody<T>(form: Schema<T>, body: Json): { readonly body: T } | Refusal {
  const fault = faultOf(form, body);
  return fault === undefined ? { body: body as T } : refusalOf(withObserved(fault, body));
}

/** The fault with the value it was found at, where that is short enough to be told. */
export function withObserved(fault: SchemaFault, value: Json): SchemaFault {
  if (fault.code !== 'invalid_field' || fault.observed !== undefined) return fault;
  return { ...fault, ...observedAs(valueAt(value, fault.at)) };
}

export function observedAs(value: Json | undefined): { readonly observed?: Json } {
  return value === undefined || JSON.stringify(value).length > observedCharacters ? {} : { observed: value };
}

function valueAt(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const piece of pointer.split('/').slice(1)) {
    const name = piece.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    const held: Json | undefined = (found as JsonObject)[name];
    found = typeof held === 'number' && !Number.isFinite(held) ? writtenAt(found, name) : held;
  }
  return found;
}

export function refusalOf({ code, at, bound, observed }: SchemaFault): Refusal {
  return refuse(code, {
    field: at,
    ...(bound === undefined ? {} : { bound }),
    ...(observed === undefined ? {} : { observed }),
  });
}
