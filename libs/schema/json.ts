/**
 * Strict JSON: request bodies without duplicate names, rounded numbers or lone surrogates, and canonical JSON.
 * `JSON.parse` alone keeps the last of two equal names, rounds long numbers and accepts lone surrogates, so the text
 * is scanned before it and the value is walked after it.
 */
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json };

export const maxBodyDepth = 32;

/** A path of member names below a body; `*` stands for every element of an array. */
export type MemberPath = readonly string[];

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The one object of a body, or the refusal `invalid_body`. Numbers below `inexactNumberPaths` may lose precision. */
export function parseJsonBody(bytes: Uint8Array, inexactNumberPaths: readonly MemberPath[] = []): JsonObject | Refusal {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return invalidBody('bytes that are not UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff) return invalidBody('a byte order mark');
  const scan = scanText(text);
  if (scan.depth > maxBodyDepth) return refuse('invalid_body', { bound: maxBodyDepth, observed: 'deeper nesting' });
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return invalidBody('not JSON');
  }
  if (!isObject(value)) return invalidBody('not an object');
  const tally: ValueTally = {
    members: 0,
    hasUnsafeInteger: false,
    hasLoneSurrogate: false,
    checksStrings: scan.hasEscapedSurrogate,
  };
  tallyValue(value, tally);
  if (tally.members !== scan.members) return invalidBody('a duplicate member name');
  if (tally.hasLoneSurrogate) return invalidBody('a lone surrogate');
  return tally.hasUnsafeInteger || scan.hasInexactNumber ? parseInexactNumbers(text, inexactNumberPaths) : value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member name as one step of a JSON pointer. */
export function escapeName(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

function invalidBody(observed: string): Refusal {
  return refuse('invalid_body', { observed });
}

interface TextScan {
  depth: number;
  /** Member names in the text; more than in the parsed value if some were duplicates. */
  members: number;
  hasEscapedSurrogate: boolean;
  /** `JSON.parse` would round a number to another whole number. */
  hasInexactNumber: boolean;
}

const char = {
  quote: 34,
  plus: 43,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerD: 100,
  lowerE: 101,
  lowerU: 117,
  openBrace: 123,
  closeBrace: 125,
};

function scanText(text: string): TextScan {
  const scan: TextScan = { depth: 0, members: 0, hasEscapedSurrogate: false, hasInexactNumber: false };
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case char.quote:
        at = endOfString(text, at, scan);
        break;
      case char.openBrace:
      case char.openBracket:
        depth += 1;
        if (depth > scan.depth) scan.depth = depth;
        break;
      case char.closeBrace:
      case char.closeBracket:
        depth -= 1;
        break;
      case char.colon:
        scan.members += 1;
        break;
      case char.dot:
      case char.upperE:
      case char.lowerE:
        if (isDigit(text.charCodeAt(at - 1))) at = endOfNumber(text, at, scan);
        break;
    }
  }
  return scan;
}

function isDigit(code: number): boolean {
  return code >= char.zero && code <= char.nine;
}

function endOfString(text: string, start: number, scan: TextScan): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.quote) return at;
    if (code === char.backslash) {
      at += 1;
      // Surrogates are escaped as \uD800 to \uDFFF.
      const isSurrogate = text.charCodeAt(at) === char.lowerU && (text.charCodeAt(at + 1) | 32) === char.lowerD;
      if (isSurrogate) scan.hasEscapedSurrogate = true;
    }
  }
  return at;
}

/** `at` is the point or the exponent of a number. Other numbers are checked by their value. */
function endOfNumber(text: string, at: number, scan: TextScan): number {
  let start = at;
  while (isDigit(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === char.minus) start -= 1;
  let end = at + 1;
  while (isInNumber(text.charCodeAt(end))) end += 1;
  if (!scan.hasInexactNumber) scan.hasInexactNumber = precisionOf(text.slice(start, end)) !== 'exact';
  return end - 1;
}

function isInNumber(code: number): boolean {
  return isDigit(code) || code === char.dot || (code | 32) === char.lowerE || code === char.plus || code === char.minus;
}

/**
 * `rounded_fraction`: a fraction that a double rounds to a whole number; `unsafe_integer`: a whole number that a double
 * does not distinguish from its neighbours. Other fractions count as exact.
 */
type NumberPrecision = 'exact' | 'unsafe_integer' | 'rounded_fraction';

function precisionOf(source: string): NumberPrecision {
  const value = Number(source);
  if (!Number.isFinite(value)) return 'unsafe_integer';
  if (!Number.isInteger(value)) return 'exact';
  if (!isWholeNumber(source)) return 'rounded_fraction';
  return Number.isSafeInteger(value) ? 'exact' : 'unsafe_integer';
}

function isWholeNumber(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let trailingZeros = 0;
  while (digits.charCodeAt(digits.length - 1 - trailingZeros) === char.zero) trailingZeros += 1;
  const isZero = trailingZeros === digits.length || (trailingZeros === digits.length - 1 && digits.startsWith('-'));
  return isZero || Number(exponent) - fraction.length + trailingZeros >= 0;
}

interface ValueTally {
  members: number;
  hasUnsafeInteger: boolean;
  hasLoneSurrogate: boolean;
  readonly checksStrings: boolean;
}

function tallyValue(value: Json, tally: ValueTally): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) tally.hasUnsafeInteger = true;
  } else if (typeof value === 'string') {
    if (tally.checksStrings && !value.isWellFormed()) tally.hasLoneSurrogate = true;
  } else if (Array.isArray(value)) {
    for (const element of value as readonly Json[]) tallyValue(element, tally);
  } else if (value !== null && typeof value === 'object') {
    for (const name in value as JsonObject) {
      tally.members += 1;
      if (tally.checksStrings && !name.isWellFormed()) tally.hasLoneSurrogate = true;
      tallyValue((value as JsonObject)[name] as Json, tally);
    }
  }
}

/** Placeholder in the parsed tree for a number whose text is more precise than its value. */
class InexactNumber {
  readonly value: number;
  readonly precision: NumberPrecision;
  readonly source: string;
  constructor(value: number, precision: NumberPrecision, source: string) {
    this.value = value;
    this.precision = precision;
    this.source = source;
  }
}

/** The text of numbers that became NaN or infinite, by the object that holds them and their name in it. */
const sourceTexts = new WeakMap<object, Map<string, string>>();

export function sourceTextOf(holder: object, name: string): string | undefined {
  return sourceTexts.get(holder)?.get(name);
}

type NumberReviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Parses again with the text of every number. Slower, but few bodies need it. */
function parseInexactNumbers(text: string, inexactNumberPaths: readonly MemberPath[]): JsonObject | Refusal {
  const revive: NumberReviver = (_, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    const precision = precisionOf(source);
    return precision === 'exact' ? value : new InexactNumber(value, precision, source);
  };
  const tree: unknown = JSON.parse(text, revive as (this: unknown, name: string, value: unknown) => unknown);
  return replaceInexactNumbers(tree as MutableTree, [], inexactNumberPaths) ?? (tree as JsonObject);
}

type MutableTree = { [member: string]: unknown };

function replaceInexactNumbers(
  tree: MutableTree,
  path: string[],
  inexactNumberPaths: readonly MemberPath[],
): Refusal | undefined {
  for (const name of Object.keys(tree)) {
    path.push(name);
    const value = tree[name];
    if (value instanceof InexactNumber) {
      const number = numberAt(value, path, inexactNumberPaths);
      if (typeof number !== 'number') return number;
      tree[name] = number;
      if (!Number.isFinite(number)) {
        sourceTexts.set(tree, (sourceTexts.get(tree) ?? new Map()).set(name, value.source));
      }
    } else if (typeof value === 'object' && value !== null) {
      const refusal = replaceInexactNumbers(value as MutableTree, path, inexactNumberPaths);
      if (refusal !== undefined) return refusal;
    }
    path.pop();
  }
  return undefined;
}

/**
 * The caller's data keeps doubles. Elsewhere a rounded fraction becomes NaN, which every schema refuses, and an unsafe
 * integer makes the body invalid, except in `minor_units`, whose schema has its own code for it.
 */
function numberAt(
  { value, precision }: InexactNumber,
  path: readonly string[],
  inexactNumberPaths: readonly MemberPath[],
): number | Refusal {
  const isData = inexactNumberPaths.some((data) => data.every((name, at) => name === '*' || name === path[at]));
  if (isData && Number.isFinite(value)) return value;
  if (precision === 'rounded_fraction') return isData ? value : Number.NaN;
  if (!isData && path.at(-1) === 'minor_units') return value;
  const field = `/${path.map(escapeName).join('/')}`;
  return refuse('invalid_body', { field, bound: Number.MAX_SAFE_INTEGER });
}

/** RFC 8785: one text per JSON value, so that bodies compare equal whatever their member order and spacing. */
export function canonicalJson(value: Json): string {
  return canonicalText(value);
}

/** A number that no double holds is written as it was sent, so that bodies which differ only there are not equal. */
function canonicalText(value: Json, holder?: object, name?: string | number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const source = holder && sourceTextOf(holder, String(name));
    if (source === undefined) throw new RangeError(`cannot write ${value} as JSON: expected a finite number`);
    return source;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item, index) => canonicalText(item, value, index)).join(',')}]`;
  const object = value as JsonObject;
  // The default sort compares UTF-16 units, as the RFC requires.
  const names = Object.keys(object).sort();
  let text = '{';
  for (const name of names) {
    const member = `${JSON.stringify(name)}:${canonicalText(object[name] as Json, object, name)}`;
    text += text.length === 1 ? member : `,${member}`;
  }
  return `${text}}`;
}
