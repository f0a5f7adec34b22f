/** The digest that retries are compared by. It ignores spacing and the order of JSON members. */
import { hash } from 'node:crypto';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { canonicalJson, type Json } from '#libs/schema/json.ts';

export interface DigestInput {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

export function submissionDigest({ method, path, body }: DigestInput): Buffer {
  // These members are in canonical order already; only the body has to be sorted.
  const text = `{"body":${canonicalJson(body)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}}`;
  return hash('sha256', text, 'buffer');
}

export interface RoutedRequest {
  readonly route: RouteName;
  /** Path parameters as the router reads them: decoded, UUIDs in lower case. */
  readonly params: { readonly [name: string]: string };
  readonly body: Json;
}

/** The digest of a routed request. Different spellings of the same path have the same digest. */
export function requestDigest({ route, params, body }: RoutedRequest): Buffer {
  const { method, path } = routes[route];
  return submissionDigest({ method, path: canonicalPath(path, params), body });
}

/** By path template: the literal parts and, between them, the parameter names. */
const templates = new Map<string, readonly string[]>();

/** The path with only those characters percent-encoded that have to be. */
function canonicalPath(template: string, params: RoutedRequest['params']): string {
  let pieces = templates.get(template);
  if (pieces === undefined) {
    pieces = template.split(/[{}]/);
    templates.set(template, pieces);
  }
  let path = pieces[0] as string;
  for (let index = 1; index < pieces.length; index += 2) {
    path += encodeURIComponent(params[pieces[index] as string] as string) + (pieces[index + 1] as string);
  }
  return path;
}
