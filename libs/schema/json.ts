import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json };

export const MOST_DEPTH = 32;

/** Where a body keeps data that is the caller's alone: member names, `*` for every element of an array. */
export type DataPaths = readonly (readonly string[])[];

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The one object of a body, or why there is none. `JSON.parse` alone keeps the last of two equal names, rounds long
 * numbers and lets half a surrogate pass, so the text is looked over once before it and the value once after it.
 */
export function parseBody(bytes: Uint8Array, data: DataPaths = []): JsonObject | Refusal {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return invalid('bytes that are no UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff) return invalid('a byte order mark');
  const seen = survey(text);
  if (seen.depth > MOST_DEPTH) return refuse('invalid_body', { bound: MOST_DEPTH, observed: 'deeper nesting' });
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('no JSON');
  }
  if (!isObject(value)) return invalid('no object');
  const census: Census = { members: 0, beyond: false, illFormed: false, pairs: seen.surrogates };
  count(value, census);
  if (census.members !== seen.members) return invalid('a member name stated twice');
  if (census.illFormed) return invalid('half a surrogate pair');
  return census.beyond || seen.inexact ? settleNumbers(text, data) : value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(observed: string): Refusal {
  return refuse('invalid_body', { observed });
}

interface Survey {
  depth: number;
  /** How many names stand before a colon; fewer in the parsed value means that some were equal. */
  members: number;
  surrogates: boolean;
  /** A number that `JSON.parse` would round into another whole number. */
  inexact: boolean;
}

const char = {
  quote: 34,
  plus: 43,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  bigE: 69,
  backslash: 92,
  smallE: 101,
};

function survey(text: string): Survey {
  const seen: Survey = { depth: 0, members: 0, surrogates: false, inexact: false };
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case char.quote:
        at = endOfString(text, at, seen);
        break;
      case 123: // {
      case 91: // [
        depth += 1;
        if (depth > seen.depth) seen.depth = depth;
        break;
      case 125: // }
      case 93: // ]
        depth -= 1;
        break;
      case char.colon:
        seen.members += 1;
        break;
      case char.dot:
      case char.bigE:
      case char.smallE:
        if (isDigit(text.charCodeAt(at - 1))) at = endOfNumber(text, at, seen);
        break;
    }
  }
  return seen;
}

function isDigit(code: number): boolean {
  return code >= char.zero && code <= char.nine;
}

function endOfString(text: string, from: number, seen: Survey): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.quote) return at;
    if (code === char.backslash) {
      at += 1;
      if (text.charCodeAt(at) === 117 && (text.charCodeAt(at + 1) | 32) === 100) seen.surrogates = true;
    }
  }
  return at;
}

/** From the point or exponent of a number outwards: is it one that the parsed value no longer tells apart? */
function endOfNumber(text: string, from: number, seen: Survey): number {
  let start = from;
  while (isDigit(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === char.minus) start -= 1;
  let end = from + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  if (!seen.inexact) seen.inexact = judge(text.slice(start, end)) !== 'exact';
  return end - 1;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === char.dot || (code | 32) === char.smallE || code === char.plus || code === char.minus;
}

type Exactness = 'exact' | 'beyond' | 'fraction';

/** `fraction`: a fraction that reads as a whole number; `beyond`: a whole number no double tells from its neighbours. */
function judge(source: string): Exactness {
  const value = Number(source);
  if (!Number.isFinite(value)) return 'beyond';
  if (!Number.isInteger(value)) return 'exact';
  if (!isWhole(source)) return 'fraction';
  return Number.isSafeInteger(value) ? 'exact' : 'beyond';
}

function isWhole(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let zeros = 0;
  while (digits.charCodeAt(digits.length - 1 - zeros) === char.zero) zeros += 1;
  // Nothing but zeros is zero, whatever the exponent.
  if (zeros === digits.length || (zeros === digits.length - 1 && digits.startsWith('-'))) return true;
  return Number(exponent) - fraction.length + zeros >= 0;
}

interface Census {
  members: number;
  beyond: boolean;
  illFormed: boolean;
  /** Whether the text escaped a surrogate, so that strings must be looked at. */
  readonly pairs: boolean;
}

function count(value: Json, census: Census): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) census.beyond = true;
  } else if (typeof value === 'string') {
    if (census.pairs && !value.isWellFormed()) census.illFormed = true;
  } else if (Array.isArray(value)) {
    for (const element of value as readonly Json[]) count(element, census);
  } else if (value !== null && typeof value === 'object') {
    for (const name in value as JsonObject) {
      census.members += 1;
      if (census.pairs && !name.isWellFormed()) census.illFormed = true;
      count((value as JsonObject)[name] as Json, census);
    }
  }
}

/** A number whose text says more than its value, on its way to being judged by its place. */
class Inexact {
  readonly value: number;
  readonly exactness: Exactness;
  readonly source: string;
  constructor(value: number, exactness: Exactness, source: string) {
    this.value = value;
    this.exactness = exactness;
    this.source = source;
  }
}

/** By the object or array it stands in and its name there, the text of a number that no value holds. */
const written = new WeakMap<object, Map<string, string>>();

export function writtenAt(holder: object, name: string): string | undefined {
  return written.get(holder)?.get(name);
}

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Rare and slower: parse again with every number's own text, and judge each by where it stands. */
function settleNumbers(text: string, data: DataPaths): JsonObject | Refusal {
  const revive: Reviver = (_, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    const exactness = judge(source);
    return exactness === 'exact' ? value : new Inexact(value, exactness, source);
  };
  const tree: unknown = JSON.parse(text, revive as (this: unknown, name: string, value: unknown) => unknown);
  const trail: string[] = [];
  const refused = settle(tree as Tree, trail, data);
  return refused ?? (tree as JsonObject);
}

type Tree = { [member: string]: unknown };

function settle(tree: Tree, trail: string[], data: DataPaths): Refusal | undefined {
  for (const name of Object.keys(tree)) {
    trail.push(name);
    const value = tree[name];
    if (value instanceof Inexact) {
      const settled = place(value, trail, data);
      if (typeof settled !== 'number') return settled;
      tree[name] = settled;
      if (!Number.isFinite(settled)) written.set(tree, (written.get(tree) ?? new Map()).set(name, value.source));
    } else if (typeof value === 'object' && value !== null) {
      const refused = settle(value as Tree, trail, data);
      if (refused !== undefined) return refused;
    }
    trail.pop();
  }
  return undefined;
}

/**
 * Data is doubles. Elsewhere a fraction that would read as a whole number becomes NaN, which no field reads, and a
 * whole number too long is the body's fault, but in `minor_units`, whose own form says so.
 */
function place({ value, exactness }: Inexact, trail: readonly string[], data: DataPaths): number | Refusal {
  const isData = data.some((path) => path.every((name, at) => name === '*' || name === trail[at]));
  if (isData && Number.isFinite(value)) return value;
  if (exactness === 'fraction') return isData ? value : Number.NaN;
  if (!isData && trail.at(-1) === 'minor_units') return value;
  const field = `/${trail.map(escapeName).join('/')}`;
  return refuse('invalid_body', { field, bound: Number.MAX_SAFE_INTEGER });
}

/** A member name as one step of a JSON pointer. */
export function escapeName(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}
