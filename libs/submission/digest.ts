/** What a retry is compared by: the canonical text of what was asked, whatever its spacing and the order of its members. */
import { hash } from 'node:crypto';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import type { Json } from '#libs/schema/json.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

export function submissionDigest({ method, path, body }: Asked): Buffer {
  // The members stand in the canonical order; only the body has any to sort.
  const text = `{"body":${canonicalJson(body)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}}`;
  return hash('sha256', text, 'buffer');
}

export interface Routed {
  readonly route: RouteName;
  /** What the path names, decoded, a UUID in lower case: as the router read it. */
  readonly params: { readonly [name: string]: string };
  readonly body: Json;
}

/** Of a request as a route reads it: the same thing spelled otherwise in the path is the same request. */
export function requestDigest({ route, params, body }: Routed): Buffer {
  const { method, path } = routes[route];
  return submissionDigest({ method, path: spelled(path, params), body });
}

/** What stands before each name in a path, and the names; known once for each route. */
const templates = new Map<string, readonly string[]>();

/** A path in its one spelling: nothing encoded that need not be. */
function spelled(template: string, params: Routed['params']): string {
  let pieces = templates.get(template);
  if (pieces === undefined) {
    pieces = template.split(/[{}]/);
    templates.set(template, pieces);
  }
  let path = pieces[0] as string;
  for (let at = 1; at < pieces.length; at += 2) {
    path += encodeURIComponent(params[pieces[at] as string] as string) + (pieces[at + 1] as string);
  }
  return path;
}
