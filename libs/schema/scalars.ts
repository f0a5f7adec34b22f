/** Schemas of single values: names, days, numbers, texts, and JSON that is not examined. */
import { parseDay } from '#libs/calendar/civil-day.ts';
import type { Enumeration } from '#libs/schema/enumerations.ts';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { canonicalJson, escapeName, isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import type { DetailValue } from '#libs/schema/refusals.ts';
import {
  type JsonSchema,
  leaf,
  maxObservedCharacters,
  refine,
  type Schema,
  type SchemaFault,
} from '#libs/schema/schema.ts';

function scalar<T>(jsonSchema: JsonSchema, matches: (value: Json) => boolean, bound: DetailValue): Schema<T> {
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound };
  return leaf(jsonSchema, (value) => (matches(value) ? undefined : fault));
}

/** A string that names something. A name that breaks its grammar has a code of its own. */
function nameString(jsonSchema: JsonSchema, matches: (text: string) => boolean, grammar: string): Schema<string> {
  const wrongType: SchemaFault = { code: 'invalid_field', at: '', bound: grammar };
  return leaf({ type: 'string', ...jsonSchema }, (value) => {
    if (typeof value !== 'string') return wrongType;
    if (matches(value)) return undefined;
    return { code: 'invalid_identifier', at: '', bound: grammar, observed: value.slice(0, maxObservedCharacters) };
  });
}

const asciiReferencePattern = /^[!-~](?:[ -~]{0,126}[!-~])?$/;
const referencePattern = /^[^\p{C}\p{Z}](?:(?:[^\p{C}\p{Z}]| ){0,126}[^\p{C}\p{Z}])?$/u;
const composedNamePattern =
  /^(?:(?:ins|bnp|pay)-[0-9]{6}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export function isReference(text: string): boolean {
  return (asciiReferencePattern.test(text) || referencePattern.test(text)) && text !== '.' && text !== '..';
}

/** A lookup key must not look like an identifier that the service composes. */
export function isLookupKey(text: string): boolean {
  return isIdentifier(text) && !composedNamePattern.test(text);
}

export const grammars = {
  identifier: '1 to 64 characters of letters, digits, - and _',
  reference: '1 to 128 printable characters, no leading or trailing space, not . or ..',
  uuid: 'a hyphenated UUID',
  lookupKey: '1 to 64 characters of letters, digits, - and _, not shaped like a composed identifier or a UUID',
} as const;

export const identifier = nameString({ pattern: '^[A-Za-z0-9_-]{1,64}$' }, isIdentifier, grammars.identifier);
export const reference = nameString({ minLength: 1, maxLength: 128 }, isReference, grammars.reference);
export const uuid = nameString({ format: 'uuid' }, isUuid, grammars.uuid);

export const civilDay: Schema<string> = scalar(
  { type: 'string', format: 'date' },
  (value) => typeof value === 'string' && parseDay(value) !== undefined,
  'a day from 1900-01-01 to 9999-12-31 as YYYY-MM-DD',
);

const ratePattern = /^(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,8})?$/;

export const rate: Schema<string> = scalar(
  { type: 'string', pattern: '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,8})?$', description: 'Per cent a year.' },
  (value) => typeof value === 'string' && ratePattern.test(value),
  'a decimal string in per cent a year, at most 8 decimals',
);

export const currency: Schema<string> = scalar(
  { type: 'string', pattern: '^[A-Z]{3}$' },
  (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  'three upper-case letters',
);

/** A whole number of minor units. */
export function minorUnits(min: 0 | 1): Schema<number> {
  const bound = min === 1 ? 'a whole number above zero' : 'a whole number from zero';
  const invalid: SchemaFault = { code: 'invalid_field', at: '', bound };
  const outOfRange: SchemaFault = { code: 'amount_out_of_range', at: '', bound: Number.MAX_SAFE_INTEGER };
  return leaf({ type: 'integer', minimum: min, maximum: Number.MAX_SAFE_INTEGER }, (value) => {
    if (typeof value !== 'number') return invalid;
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return outOfRange;
    return Number.isInteger(value) && value >= min ? undefined : invalid;
  });
}

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  return scalar(
    { type: 'integer', minimum: min, maximum: max },
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`,
  );
}

export const boolean: Schema<boolean> = scalar({ type: 'boolean' }, (value) => typeof value === 'boolean', 'a boolean');

export const decimalPattern = /^-?(?:0|[1-9][0-9]{0,63})(?:\.[0-9]{1,8})?$/;

/** A number compared exactly: an integer, or a decimal as text. */
export const decimal: Schema<number | string> = scalar(
  { oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,8})?$' }] },
  (value) => (typeof value === 'string' ? decimalPattern.test(value) : Number.isSafeInteger(value)),
  'an integer, or a decimal string of at most 8 decimals',
);

export const maxTextCharacters = 2000;

/** Free text. Its length is counted in code points. */
export function text(max: number = maxTextCharacters): Schema<string> {
  return scalar(
    { type: 'string', minLength: 1, maxLength: max },
    (value) => typeof value === 'string' && value !== '' && (value.length <= max || codePoints(value) <= max),
    `1 to ${max} characters`,
  );
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

export function oneOf<const Member extends string>({ open, members }: Enumeration<Member>): Schema<Member> {
  const known: ReadonlySet<unknown> = new Set(members);
  return scalar({ type: 'string', enum: members, 'x-enum-open': open }, (value) => known.has(value), members);
}

const maxContextBytes = 16 * 1024;
const maxContextDepth = 8;

/** The caller's own data: stored and echoed, never read. */
export const context: Schema<JsonObject> = {
  ...scalar(
    { type: 'object', additionalProperties: true },
    (value) => isObject(value) && depthOf(value) <= maxContextDepth && isWithinContextBytes(value),
    `an object of at most ${maxContextBytes} bytes as JSON, nested at most ${maxContextDepth} deep`,
  ),
  inexactNumberPaths: [[]],
};

/** The canonical text is longer than the usual one only where a number is too large for a double, which is written as null. */
function isWithinContextBytes(value: JsonObject): boolean {
  const text = JSON.stringify(value);
  const exact = text.includes('null') ? canonicalJson(value) : text;
  return new TextEncoder().encode(exact).length <= maxContextBytes;
}

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner as Json));
  return deepest + 1;
}

/** An object that another schema parses afterwards, numbers included. */
export const jsonObject: Schema<JsonObject> = scalar(
  { type: 'object', additionalProperties: true },
  isObject,
  'an object',
);

/** An object that the domain reads, such as a policy's content. Its numbers must be exact. */
export const anyObject: Schema<JsonObject> = refine(jsonObject, (value) => findInexactNumber(value, 'invalid_field'));

/** The values of a product, which its frame checks. An amount out of range has its own code. */
export const anyProductValues: Schema<JsonObject> = refine(jsonObject, (value) =>
  findInexactNumber(value, 'amount_out_of_range'),
);

/** A member that is accepted and ignored. */
export const anyJson: Schema<Json> = leaf({}, (value) => findInexactNumber(value, 'invalid_field'));

const exactNumberBound = 'a number that a 64-bit float represents exactly';

/** The first number below that a double does not hold exactly: later readers of the same bytes would see another number. */
function findInexactNumber(
  value: Json,
  codeOutOfRange: 'invalid_field' | 'amount_out_of_range',
  at = '',
): SchemaFault | undefined {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return { code: 'invalid_field', at, bound: exactNumberBound };
    const isInRange = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isInRange ? undefined : { code: codeOutOfRange, at, bound: Number.MAX_SAFE_INTEGER };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const fault = findInexactNumber(inner as Json, codeOutOfRange, `${at}/${escapeName(name)}`);
    if (fault) return fault;
  }
  return undefined;
}
