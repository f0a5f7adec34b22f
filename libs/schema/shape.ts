import {
  currency,
  type Fault,
  type Form,
  faultOf,
  minorUnits,
  observedCharacters,
  type Schema,
  type StatedBy,
} from '#libs/schema/form.ts';
import { type DataPaths, escapeName, isObject, type Json, type JsonObject, writtenAt } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A member of an object, in the order of the route's table. */
export interface Field<T, Required extends boolean> {
  readonly form: Form<T>;
  readonly required: Required;
  /** Where stated, the field may be left out if that other one is there to stand for it. */
  readonly unless?: string;
}

export function required<T>(form: Form<T>): Field<T, true> {
  return { form, required: true };
}

export function optional<T>(form: Form<T>): Field<T, false> {
  return { form, required: false };
}

export function requiredUnless<T>(unless: string, form: Form<T>): Field<T, false> {
  return { form, required: false, unless };
}

export type Fields = { readonly [name: string]: Field<unknown, boolean> };

type RequiredNames<F extends Fields> = { [Name in keyof F]: F[Name]['required'] extends true ? Name : never }[keyof F];

export type Stated<F extends Fields> = {
  readonly [Name in RequiredNames<F>]: StatedBy<F[Name]['form']>;
} & {
  readonly [Name in Exclude<keyof F, RequiredNames<F>>]?: StatedBy<F[Name]['form']>;
};

/** An object of stated fields. `also` is asked where every field by itself is well-formed. */
export interface Shape<T> extends Form<T> {
  readonly fields: Fields;
}

export function shape<const F extends Fields>(
  fields: F,
  also?: (stated: Stated<F>) => Fault | undefined,
): Shape<Stated<F>> {
  const entries = Object.entries(fields);
  const known = new Map(entries);
  const nested = entries.filter(([, { form }]) => form.unknown !== undefined || form.missing !== undefined);
  const notObject: Fault = { code: 'invalid_field', at: '', bound: 'an object' };
  return {
    fields,
    schema: objectSchema(entries),
    data: dataOf(entries),

    unknown(value) {
      if (!isObject(value)) return undefined;
      for (const name in value) {
        if (!known.has(name)) return { code: 'unknown_field', at: `/${escapeName(name)}` };
      }
      return firstFault(nested, value, 'unknown');
    },

    missing(value) {
      if (!isObject(value)) return undefined;
      for (const [name, field] of entries) {
        const { form } = field;
        if (!Object.hasOwn(value, name)) {
          if (mayBeLeftOut(field, value)) continue;
          return { code: 'missing_field', at: `/${name}` };
        }
        const fault = form.missing?.(value[name] as Json);
        if (fault) return below(name, fault);
      }
      return undefined;
    },

    form(value) {
      if (!isObject(value)) return notObject;
      return firstFault(entries, value, 'form') ?? also?.(value as Stated<F>);
    },
  };
}

function mayBeLeftOut({ required, unless }: Field<unknown, boolean>, value: JsonObject): boolean {
  return unless === undefined ? !required : Object.hasOwn(value, unless);
}

type Entries = readonly (readonly [string, Field<unknown, boolean>])[];

function firstFault(entries: Entries, value: JsonObject, look: 'unknown' | 'form'): Fault | undefined {
  for (const [name, { form }] of entries) {
    if (!Object.hasOwn(value, name)) continue;
    const fault = form[look]?.(value[name] as Json);
    if (fault) return below(name, fault);
  }
  return undefined;
}

function below(name: string | number, fault: Fault): Fault {
  return { ...fault, at: `/${name}${fault.at}` };
}

function objectSchema(entries: Entries): Schema {
  const must = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { form }]) => [name, form.schema])),
    ...(must.length > 0 ? { required: must } : {}),
    additionalProperties: false,
  };
}

function dataOf(entries: Entries): DataPaths {
  return entries.flatMap(([name, { form }]) => (form.data ?? []).map((path) => [name, ...path]));
}

export interface Money {
  readonly minor_units: number;
  readonly currency: string;
}

export const money: Shape<Money> = shape({ minor_units: required(minorUnits(1)), currency: required(currency) });
export const moneyOrNothing: Shape<Money> = shape({
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
  element: Form<T>,
  { least = 0, most = 1000, distinct = false }: ArrayBounds = {},
): Form<readonly T[]> {
  const wrong: Fault = { code: 'invalid_field', at: '', bound: `an array of ${least} to ${most}` };
  const each = (value: Json, look: 'unknown' | 'missing' | 'form'): Fault | undefined => {
    if (!Array.isArray(value) || element[look] === undefined) return undefined;
    for (const [index, inner] of (value as readonly Json[]).entries()) {
      const fault = element[look]?.(inner);
      if (fault) return below(index, fault);
    }
    return undefined;
  };
  return {
    schema: {
      type: 'array',
      items: element.schema,
      minItems: least,
      maxItems: most,
      ...(distinct ? { uniqueItems: true } : {}),
    },
    data: (element.data ?? []).map((path) => ['*', ...path]),
    unknown: (value) => each(value, 'unknown'),
    missing: (value) => each(value, 'missing'),
    form(value) {
      if (!Array.isArray(value) || value.length < least || value.length > most) return wrong;
      const repeated = distinct ? value.findIndex((inner, index) => value.indexOf(inner) !== index) : -1;
      return each(value, 'form') ?? (repeated < 0 ? undefined : { code: 'invalid_field', at: `/${repeated}` });
    },
  };
}

/** Elements that stand or fall each by itself: the body's own check looks at the array alone. */
export function separately<T>(element: Form<T>, bounds: ArrayBounds): Form<readonly Json[]> {
  const whole = array(element, bounds);
  const alone = array<Json>({ schema: element.schema, form: () => undefined }, bounds);
  return { schema: whole.schema, data: whole.data ?? [], form: alone.form };
}

/** Members whose names are the caller's, all of one form. */
export function record<T>(element: Form<T>): Form<{ readonly [name: string]: T }> {
  const each = (value: Json, look: 'unknown' | 'missing' | 'form'): Fault | undefined => {
    if (!isObject(value)) return undefined;
    for (const name in value) {
      const fault = element[look]?.(value[name] as Json);
      if (fault) return below(escapeName(name), fault);
    }
    return undefined;
  };
  return {
    schema: { type: 'object', additionalProperties: element.schema },
    unknown: (value) => each(value, 'unknown'),
    missing: (value) => each(value, 'missing'),
    form: (value) => (isObject(value) ? each(value, 'form') : { code: 'invalid_field', at: '', bound: 'an object' }),
  };
}

/** The body as its type, or the one refusal that names one field: unknown members first, then missing ones, then forms. */
export function readBody<T>(form: Form<T>, body: Json): { readonly body: T } | Refusal {
  const fault = faultOf(form, body);
  return fault === undefined ? { body: body as T } : refusalOf(withObserved(fault, body));
}

/** The fault with the value it was found at, where that is short enough to be told. */
export function withObserved(fault: Fault, value: Json): Fault {
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

export function refusalOf({ code, at, bound, observed }: Fault): Refusal {
  return refuse(code, {
    field: at,
    ...(bound === undefined ? {} : { bound }),
    ...(observed === undefined ? {} : { observed }),
  });
}
