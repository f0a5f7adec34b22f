/** Whether consumers that were written for the earlier version of a schema can read what the later one describes. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '#libs/schema/json.ts';

type Node = { readonly [keyword: string]: Json };

/** What only describes a value. `properties` and `required` are compared by `changedMembers`. */
const comparedOtherwise = new Set(['description', 'title', 'deprecated', 'examples', 'properties', 'required']);

/** How a consumer reads a number: may be added, because the value stays as it was. */
const readings = new Set(['x-currency', 'x-days-since']);

/** The paths of the later schema at which more has changed than that members were added. */
export function changesBeyondAdditions(earlier: Json, later: Json, path = ''): readonly string[] {
  if (!isNode(earlier) || !isNode(later)) {
    if (Array.isArray(earlier) && Array.isArray(later) && earlier.length === later.length) {
      const ofEach = earlier.flatMap((each, at) => changesBeyondAdditions(each, later[at] as Json, `${path}/${at}`));
      return path.endsWith('/items') ? [...ofEach, ...changedTitles(earlier, later, path)] : ofEach;
    }
    return isDeepStrictEqual(earlier, later) ? [] : [path];
  }
  const keywords = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  const changed = keywords
    .filter((keyword) => !comparedOtherwise.has(keyword))
    .flatMap((keyword) => {
      const [before, after] = [earlier[keyword], later[keyword]];
      const at = `${path}/${keyword}`;
      if (before === undefined && readings.has(keyword)) return [];
      return before === undefined || after === undefined ? [at] : changesBeyondAdditions(before, after, at);
    });
  return [...changed, ...changedMembers(earlier, later, path)];
}

/** The positions of a list have no other name than their title. */
function changedTitles(earlier: readonly Json[], later: readonly Json[], path: string): readonly string[] {
  const titleOf = (schema: Json | undefined) => (schema !== undefined && isNode(schema) ? schema['title'] : undefined);
  return earlier.flatMap((each, at) => (titleOf(each) === titleOf(later[at]) ? [] : [`${path}/${at}/title`]));
}

function changedMembers(earlier: Node, later: Node, path: string): readonly string[] {
  const [before, after] = [membersOf(earlier), membersOf(later)];
  const [mustBefore, mustAfter] = [requiredOf(earlier), requiredOf(later)];
  const changed = Object.entries(before).flatMap(([name, schema]) => {
    const at = `${path}/properties/${name}`;
    const found = after[name];
    if (found === undefined || mustBefore.includes(name) !== mustAfter.includes(name)) return [at];
    return changesBeyondAdditions(schema, found, at);
  });
  // Facts of earlier releases lack it.
  const addedRequired = mustAfter.filter((name) => before[name] === undefined);
  return [...changed, ...addedRequired.map((name) => `${path}/required/${name}`)];
}

const membersOf = (node: Node) => (node['properties'] ?? {}) as Node;
const requiredOf = (node: Node) => (node['required'] ?? []) as readonly string[];

function isNode(value: Json): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
