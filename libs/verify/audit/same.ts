/**
 * Whether what is decided now says what was recorded then, but for the identifiers: those were minted where the request
 * entered, so a decision taken anew is given stand-ins, and each must stand for one identifier wherever it occurs.
 */
import { isObject, type Json } from '#libs/schema/json.ts';

/** More than any request needs. */
const most = 16;
export const standIns: readonly string[] = Array.from(
  { length: most },
  (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
);

/** What each stand-in was found to stand for. */
export type Bound = Map<string, string>;

export interface Difference {
  /** A JSON pointer. */
  readonly at: string;
  readonly expected: Json;
  readonly found: Json;
}

/** The first difference, `null` for a member that is absent; undefined where they say the same. */
export function differenceOf(
  expected: Json | undefined,
  found: Json | undefined,
  bound: Bound,
  at = '',
): Difference | undefined {
  if (typeof expected === 'string' && typeof found === 'string') {
    return saysTheSame(expected, found, bound) ? undefined : { at, expected: boundIn(expected, bound), found };
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    for (let nth = 0; nth < length; nth += 1) {
      const difference = differenceOf(expected[nth], found[nth], bound, `${at}/${nth}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(found)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const difference = differenceOf(expected[name], found[name], bound, `${at}/${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return expected === found ? undefined : { at, expected: expected ?? null, found: found ?? null };
}

function saysTheSame(expected: string, found: string, bound: Bound): boolean {
  if (!standIns.includes(expected)) return expected === found;
  const known = bound.get(expected);
  if (known !== undefined) return known === found;
  // Two stand-ins for one identifier would be a decision that minted one where two were.
  if (!isUuid(found) || [...bound.values()].includes(found)) return false;
  bound.set(expected, found);
  return true;
}

export function boundIn(text: string, bound: Bound): string {
  return bound.get(text) ?? text;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
