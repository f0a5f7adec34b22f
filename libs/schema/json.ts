/**
 * Strict JSON: request bodies without duplicate names, rounded numbers or lone surrogates, and canonical JSON.
 * `JSON.parse` alone keeps the last of two equal names, rounds long numbers and accepts lone surrogates, so the text
 * is scanned before it and the value is walked after it.
 */
import { type ElementRanges, parseElements } from '#libs/schema/long-json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { type NumberPrecision, newScan, precisionOf, scanText } from '#libs/schema/scan-json.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json };

export const maxBodyDepth = 32;

/** A path of member names below a body; `*` stands for every element of an array. */
export type MemberPath = readonly string[];

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The one object of a body, or the refusal `invalid_body`. Numbers below `inexactNumberPaths` may lose precision. */
export function parseJsonBody(bytes: Uint8Array, inexactNumberPaths: readonly MemberPath[] = []): JsonObject | Refusal {
  const task = parseJsonBodyInParts(bytes, inexactNumberPaths);
  let step = task.next();
  while (step.done !== true) step = task.next();
  return step.value;
}

const charactersPerPart = 256 * 1024;

/** The same in parts, so that its caller can let other work run: a body of 8 MiB takes a quarter of a second. */
export function* parseJsonBodyInParts(
  bytes: Uint8Array,
  inexactNumberPaths: readonly MemberPath[] = [],
): Generator<void, JsonObject | Refusal> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return invalidBody('bytes that are not UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff) return invalidBody('a byte order mark');
  const scan = newScan(text.length > charactersPerPart);
  while (scan.at < text.length) {
    scanText(text, scan, scan.at + charactersPerPart);
    if (scan.at < text.length) yield;
  }
  if (scan.depth > maxBodyDepth) return refuse('invalid_body', { bound: maxBodyDepth, observed: 'deeper nesting' });
  let value: Json;
  try {
    value = (yield* parseElements(text, scan.elements, (part) => JSON.parse(part))) as Json;
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
  yield* tallyMembers(value, tally);
  if (tally.members !== scan.members) return invalidBody('a duplicate member name');
  if (tally.hasLoneSurrogate) return invalidBody('a lone surrogate');
  if (!tally.hasUnsafeInteger && !scan.hasInexactNumber) return value;
  return yield* parseInexactNumbers(text, scan.elements, inexactNumberPaths);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member name as one step of a JSON pointer. */
export function escapeName(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

function invalidBody(observed: string): Refusal {
  return refuse('invalid_body', { bound: 'one JSON object in UTF-8, each member once', observed });
}

interface ValueTally {
  members: number;
  hasUnsafeInteger: boolean;
  hasLoneSurrogate: boolean;
  readonly checksStrings: boolean;
}

/** A part is one element of an array in the body, such as a Receipt of a batch. */
function* tallyMembers(body: JsonObject, tally: ValueTally): Generator<void, void> {
  for (const name in body) {
    tallyName(name, tally);
    const member = body[name] as Json;
    if (!Array.isArray(member)) tallyValue(member, tally);
    else {
      for (const element of member as readonly Json[]) {
        tallyValue(element, tally);
        yield;
      }
    }
  }
}

function tallyName(name: string, tally: ValueTally): void {
  tally.members += 1;
  if (tally.checksStrings && !name.isWellFormed()) tally.hasLoneSurrogate = true;
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
      tallyName(name, tally);
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
function* parseInexactNumbers(
  text: string,
  elements: ElementRanges,
  inexactNumberPaths: readonly MemberPath[],
): Generator<void, JsonObject | Refusal> {
  const revive: NumberReviver = (_, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    const precision = precisionOf(source);
    return precision === 'exact' ? value : new InexactNumber(value, precision, source);
  };
  let refusal: Refusal | undefined;
  const body = yield* parseElements(text, elements, (part, path) => {
    const tree: unknown = JSON.parse(part, revive as (this: unknown, name: string, value: unknown) => unknown);
    refusal ??= replaceInexactNumbers(tree as MutableTree, [...path], inexactNumberPaths);
    return tree;
  });
  return refusal ?? (body as JsonObject);
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
