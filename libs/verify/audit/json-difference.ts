/**
 * Compares a new decision with the recorded one. Ids were minted by the ingress, so a new decision contains placeholder
 * ids instead; each placeholder must correspond to exactly one recorded id.
 */
import { isObject, type Json } from '#libs/schema/json.ts';

/** More than any request needs. */
const maxIds = 16;
export const placeholderIds: readonly string[] = Array.from(
  { length: maxIds },
  (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
);

/** The recorded id that each placeholder corresponds to. */
export type IdBindings = Map<string, string>;

export interface JsonDifference {
  /** A JSON pointer; empty for the whole value. */
  readonly pointer: string;
  readonly expected: Json;
  readonly found: Json;
}

/** The first difference, with null for an absent member; undefined if there is none. */
export function findDifference(
  expected: Json | undefined,
  found: Json | undefined,
  bindings: IdBindings,
  pointer = '',
): JsonDifference | undefined {
  if (typeof expected === 'string' && typeof found === 'string') {
    if (areEqualTexts(expected, found, bindings)) return undefined;
    return { pointer, expected: bindings.get(expected) ?? expected, found };
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const length = Math.max(expected.length, found.length);
    for (let index = 0; index < length; index += 1) {
      const difference = findDifference(expected[index], found[index], bindings, `${pointer}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(found)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const difference = findDifference(expected[name], found[name], bindings, `${pointer}/${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return expected === found ? undefined : { pointer, expected: expected ?? null, found: found ?? null };
}

function areEqualTexts(expected: string, found: string, bindings: IdBindings): boolean {
  if (!placeholderIds.includes(expected)) return expected === found;
  const bound = bindings.get(expected);
  if (bound !== undefined) return bound === found;
  // The same id for two placeholders means that one id was minted where two are expected.
  if (!isUuid(found) || [...bindings.values()].includes(found)) return false;
  bindings.set(expected, found);
  return true;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
