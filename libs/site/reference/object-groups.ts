/** On which page each object is: on one of the resource whose operations use it. */
import type { Json } from '#libs/schema/json.ts';
import { nameOfReference, referenceOperations, schemas } from './api-document.ts';
import { resources } from './resources.ts';

interface ObjectGroup {
  readonly slug: string;
  readonly title: string;
  readonly names: readonly string[];
}

export const objectsUrl = '/docs/reference/objects';

/** Objects that more resources use, such as money, belong to none of them. */
const maxUsers = 5;

const slugs = groupsByName();

export const objectGroups: readonly ObjectGroup[] = [{ slug: 'shared', title: 'Shared' }, ...resources]
  .map(({ slug, title }) => ({
    slug,
    title,
    names: [...slugs].flatMap(([name, at]) => (at === slug ? [name] : [])).sort(),
  }))
  .filter(({ names }) => names.length > 0);

const urls = new Map(
  objectGroups.flatMap((group) => group.names.map((name) => [name, `${objectGroupUrl(group)}#${name}`])),
);

export function objectGroupUrl({ slug }: Pick<ObjectGroup, 'slug'>): string {
  return `${objectsUrl}/${slug}`;
}

/** The address of an object in the reference. */
export function objectUrl(name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`the document has no object ${name}`);
  return url;
}

/** The group of each object: the resource whose bodies and answers name it most directly, or `shared`. */
function groupsByName(): ReadonlyMap<string, string> {
  const operations = referenceOperations();
  const distances = resources.map(({ operations: names }) =>
    distancesFrom(names.flatMap((name) => [operations.get(name)?.body ?? null, operations.get(name)?.answer ?? null])),
  );
  return new Map(
    Object.keys(schemas).map((name) => {
      const found = distances.map((each) => each.get(name) ?? Number.POSITIVE_INFINITY);
      const users = found.filter(Number.isFinite).length;
      const nearest = resources[found.indexOf(Math.min(...found))];
      return [name, users === 0 || users > maxUsers || nearest === undefined ? 'shared' : nearest.slug];
    }),
  );
}

/** How many references lead from the schemas to each object. */
function distancesFrom(schemasOfOperations: readonly Json[]): ReadonlyMap<string, number> {
  const distances = new Map<string, number>();
  for (let level = schemasOfOperations, distance = 1; level.length > 0; distance += 1) {
    const names = [...new Set(level.flatMap(referencedNames))].filter((name) => !distances.has(name));
    for (const name of names) distances.set(name, distance);
    level = names.map((name) => schemas[name] ?? null);
  }
  return distances;
}

function referencedNames(schema: Json): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === '$ref' ? [nameOfReference(String(value))] : referencedNames(value),
  );
}
