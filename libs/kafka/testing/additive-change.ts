/** Whether consumers that were written for the earlier version of a schema can read what the later one describes. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '#libs/schema/json.ts';

type Node = { readonly [keyword: string]: Json };

/** What says more about a value and allows no other. `properties` and `required` are compared by their own rules. */
const comparedOtherwise = new Set([
  'description',
  'title',
  'deprecated',
  'examples',
  'x-currency',
  'x-days-since',
  'properties',
  'required',
]);

/** The paths of the later schema at which more has changed than that members were added. */
export function changesBeyondAdditions(earlier: Json, later: Json, path = ''): readonly string[] {
  if (!isNode(earlier) || !isNode(later)) {
    if (Array.isArray(earlier) && Array.isArray(later) && earlier.length === later.length)
      return earlier.flatMap((each, at) => changesBeyondAdditions(each, later[at] as Json, `${path}/${at}`));
    return isDeepStrictEqual(earlier, later) ? [] : [path];
  }
  const keywords = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  const changed = keywords
    .filter((keyword) => !comparedOtherwise.has(keyword))
    .flatMap((keyword) => {
      const [before, after] = [earlier[keyword], later[keyword]];
      const at = `${path}/${keyword}`;
      return before === undefined || after === undefined ? [at] : changesBeyondAdditions(before, after, at);
    });
  return [...changed, ...changedMembers(earlier, later, path)];
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
