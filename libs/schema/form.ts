import { parseDay } from '#libs/calendar/civil-day.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import { type DataPaths, escapeName, isObject, type Json } from '#libs/schema/json.ts';
import type { DetailValue, RefusalCode } from '#libs/schema/refusals.ts';

/** JSON Schema, as far as the OpenAPI document uses it. */
export type JsonSchema = { readonly [keyword: string]: Json };

export type SchemaFaultCode = Extract<
  RefusalCode,
  | 'unknown_field'
  | 'missing_field'
  | 'invalid_field'
  | 'invalid_identifier'
  | 'amount_out_of_range'
  | 'payoff_needs_designation'
>;

/** What is wrong, and where below the value looked at (a JSON pointer, '' for the value itself). */
export interface SchemaFault {
  readonly code: SchemaFaultCode;
  readonly at: string;
  readonly bound?: DetailValue;
  readonly observed?: DetailValue;
}

/**
 * The form of a stated value: what it is called to a reader of the contract, and the three looks that find fault with
 * it, each taken over the whole body before the next. `T` is what it is once no fault was found.
 */
export interface Schema<out T> {
  readonly jsonSchema: JsonSchema;
  readonly findUnknown?: (value: Json) => SchemaFault | undefined;
  readonly findMissing?: (value: Json) => SchemaFault | undefined;
  readonly findInvalid: (value: Json) => SchemaFault | undefined;
  /** Where below it numbers are the caller's data. */
  readonly numbersKeptAsText?: DataPaths;
  /** Never set; carries the type. */
  readonly stated?: T;
}

export type Infer<F> = F extends Schema<infer T> ? T : never;

/** Enough of an offending name to recognise it by. */
export const observedCharacters = 200;

function scalar<T>(schema: JsonSchema, is: (value: Json) => boolean, bound: DetailValue): Schema<T> {
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound };
  return { jsonSchema: schema, findInvalid: (value) => (is(value) ? undefined : fault) };
}

/** A name with a grammar: where the grammar is broken the refusal says which. */
function name(schema: JsonSchema, is: (text: string) => boolean, grammar: string): Schema<string> {
  const wrongType: SchemaFault = { code: 'invalid_field', at: '', bound: grammar };
  return {
    jsonSchema: { type: 'string', ...schema },
    findInvalid(value) {
      if (typeof value !== 'string') return wrongType;
      if (is(value)) return undefined;
      return { code: 'invalid_identifier', at: '', bound: grammar, observed: value.slice(0, observedCharacters) };
    },
  };
}

const identifierForm = /^[A-Za-z0-9_-]{1,64}$/;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const plainReference = /^[!-~](?:[ -~]{0,126}[!-~])?$/;
const anyReference = /^[^\p{C}\p{Z}](?:(?:[^\p{C}\p{Z}]| ){0,126}[^\p{C}\p{Z}])?$/u;

export function isIdentifier(text: string): boolean {
  return identifierForm.test(text);
}

export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

export function isReference(text: string): boolean {
  return (plainReference.test(text) || anyReference.test(text)) && text !== '.' && text !== '..';
}

const lookalike = /^(?:(?:ins|bnp|pay)-[0-9]{6}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** A caller's own word for a version; never one that could be taken for an identifier the service composed. */
export function isLookupKey(text: string): boolean {
  return isIdentifier(text) && !lookalike.test(text);
}

export const grammars = {
  identifier: '1 to 64 characters of letters, digits, - and _',
  reference: '1 to 128 printable characters, no leading or trailing space, not . or ..',
  uuid: 'a hyphenated UUID',
  lookupKey: '1 to 64 characters of letters, digits, - and _, not shaped like a composed identifier or a UUID',
} as const;

export const identifier = name({ pattern: '^[A-Za-z0-9_-]{1,64}$' }, isIdentifier, grammars.identifier);
export const reference = name({ minLength: 1, maxLength: 128 }, isReference, grammars.reference);
export const uuid = name({ format: 'uuid' }, isUuid, grammars.uuid);

export const civilDay: Schema<string> = scalar(
  { type: 'string', format: 'date' },
  (value) => typeof value === 'string' && parseDay(value) !== undefined,
  'a day from 1900-01-01 to 9999-12-31 as YYYY-MM-DD',
);

const rateForm = /^(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,8})?$/;

export const rate: Schema<string> = scalar(
  { type: 'string', pattern: '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,8})?$', description: 'Per cent a year.' },
  (value) => typeof value === 'string' && rateForm.test(value),
  'a decimal string in per cent a year, at most 8 decimals',
);

export const currency: Schema<string> = scalar(
  { type: 'string', pattern: '^[A-Z]{3}$' },
  (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  'three upper-case letters',
);

/** A whole number above zero, or at least zero, of minor units. */
export function minorUnits(least: 0 | 1): Schema<number> {
  const bound = least === 1 ? 'a whole number above zero' : 'a whole number from zero';
  const invalid: SchemaFault = { code: 'invalid_field', at: '', bound };
  const beyond: SchemaFault = { code: 'amount_out_of_range', at: '', bound: Number.MAX_SAFE_INTEGER };
  return {
    jsonSchema: { type: 'integer', minimum: least, maximum: Number.MAX_SAFE_INTEGER },
    findInvalid(value) {
      if (typeof value !== 'number') return invalid;
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return beyond;
      return Number.isInteger(value) && value >= least ? undefined : invalid;
    },
  };
}

export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  return scalar(
    { type: 'integer', minimum: least, maximum: most },
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    most === Number.MAX_SAFE_INTEGER ? `an integer from ${least}` : `an integer from ${least} to ${most}`,
  );
}

export const boolean: Schema<boolean> = scalar({ type: 'boolean' }, (value) => typeof value === 'boolean', 'a boolean');

/** A number compared exactly: an integer, or a decimal as text. */
export const decimal: Schema<number | string> = scalar(
  { oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,8})?$' }] },
  (value) =>
    typeof value === 'string' ? /^-?(?:0|[1-9][0-9]{0,63})(?:\.[0-9]{1,8})?$/.test(value) : Number.isSafeInteger(value),
  'an integer, or a decimal string of at most 8 decimals',
);

export const mostText = 2000;

/** What a person wrote, counted in code points. */
export function text(most: number = mostText): Schema<string> {
  return scalar(
    { type: 'string', minLength: 1, maxLength: most },
    (value) => typeof value === 'string' && value !== '' && (value.length <= most || codePoints(value) <= most),
    `1 to ${most} characters`,
  );
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** Members of an enumeration; whether the contract may add to it at any time is for the reader of the document. */
export interface Enumeration<Member extends string> {
  readonly open: boolean;
  readonly members: readonly Member[];
}

export function oneOf<const Member extends string>({ open, members }: Enumeration<Member>): Schema<Member> {
  const known: ReadonlySet<unknown> = new Set(members);
  return scalar({ type: 'string', enum: members, 'x-enum-open': open }, (value) => known.has(value), members);
}

const mostContextBytes = 16 * 1024;
const mostContextDepth = 8;

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner as Json));
  return deepest + 1;
}

/** The caller's own data: stored, echoed, read by nothing. */
export const context: Schema<{ readonly [member: string]: Json }> = {
  ...scalar(
    { type: 'object', additionalProperties: true },
    (value) =>
      isObject(value) &&
      depthOf(value) <= mostContextDepth &&
      new TextEncoder().encode(canonicalJson(value)).length <= mostContextBytes,
    `an object of at most ${mostContextBytes} bytes as JSON, nested at most ${mostContextDepth} deep`,
  ),
  numbersKeptAsText: [[]],
};

/** An object that another form reads afterwards, its numbers included. */
export const someObject: Schema<{ readonly [member: string]: Json }> = scalar(
  { type: 'object', additionalProperties: true },
  isObject,
  'an object',
);

/** An object whose members another library reads (a policy's content), or nobody. */
export const anyObject: Schema<{ readonly [member: string]: Json }> = {
  jsonSchema: someObject.jsonSchema,
  findInvalid: (value) => someObject.findInvalid(value) ?? unheld(value, 'invalid_field'),
};

/** The same of a product's values, where an amount that is out of range is called so. */
export const anyValues: Schema<{ readonly [member: string]: Json }> = {
  jsonSchema: someObject.jsonSchema,
  findInvalid: (value) => someObject.findInvalid(value) ?? unheld(value, 'amount_out_of_range'),
};

/** Taken and ignored, whatever it is. */
export const anything: Schema<Json> = { jsonSchema: {}, findInvalid: (value) => unheld(value, 'invalid_field') };

const heldExactly = 'a number that 64 bits hold as it is written';

/** The first number below that its value does not say: whoever reads the same bytes later would read another. */
function unheld(value: Json, beyond: SchemaFaultCode, at = ''): SchemaFault | undefined {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return { code: 'invalid_field', at, bound: heldExactly };
    const isHeld = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isHeld ? undefined : { code: beyond, at, bound: Number.MAX_SAFE_INTEGER };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const fault = unheld(inner as Json, beyond, `${at}/${escapeName(name)}`);
    if (fault) return fault;
  }
  return undefined;
}

/** Everything there is to find fault with, unknown members first, then missing ones, then forms. */
export function faultOf(form: Schema<unknown>, value: Json): SchemaFault | undefined {
  return form.findUnknown?.(value) ?? form.findMissing?.(value) ?? form.findInvalid(value);
}

/** Either form; where neither fits the first says why, unless the second took the value itself and not what is in it. */
export function either<A, B>(first: Schema<A>, second: Schema<B>): Schema<A | B> {
  return {
    jsonSchema: { anyOf: [first.jsonSchema, second.jsonSchema] },
    findInvalid(value) {
      const fault = faultOf(first, value);
      const other = fault && faultOf(second, value);
      if (other === undefined) return undefined;
      return fault?.at === '' && other.at !== '' ? other : fault;
    },
  };
}
