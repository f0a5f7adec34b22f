/** Checks the options of a call, for callers without types. */

import { describeType } from './client-options.ts';
import type { Options } from './contract/routes.ts';

const optionNames: Readonly<Record<keyof Options, true>> = {
  callerRequestId: true,
  idempotencyKey: true,
  ifNoneMatch: true,
  signal: true,
};
const optionsFormat = `expected { ${Object.keys(optionNames).join(', ')} }`;

export function checkRouteOptions(
  name: string,
  route: RouteAddress & { readonly method: string },
  body: unknown,
  options: unknown,
) {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`the options of ${name} are ${describeType(options)}; ${optionsFormat}`);
  const unknown = Object.keys(options).find((each) => !Object.hasOwn(optionNames, each));
  if (unknown === undefined) return options as Options;
  if (route.method !== 'GET' && !hasAddress(route) && isEmptyBody(body))
    throw new TypeError(`${name} has no parameters in its path; pass its body first, then its options`);
  throw new TypeError(`${name} has no option ${JSON.stringify(unknown)}; ${optionsFormat}`);
}

/** Whether the caller passes parameters for the path or query; the Tenancy is known to the client. */
function hasAddress({ path, query }: RouteAddress): boolean {
  return query.length > 0 || path.replace('{tenant_id}', '').includes('{');
}

function isEmptyBody(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}

export type RouteParameter = string | number | boolean | readonly (string | number)[] | undefined;
export type RouteParameters = { readonly [name: string]: RouteParameter };

export interface RouteAddress {
  /** With its parameters in braces. */
  readonly path: string;
  /** The names of the query parameters, in their order. */
  readonly query: readonly string[];
}

export function requestTarget({ path, query }: RouteAddress, parameters: RouteParameters): string {
  const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeSegment(name, parameters[name]));
  const queryParts = query.flatMap((name) => encodeQuery(name, parameters[name]));
  return queryParts.length === 0 ? filled : `${filled}?${queryParts.join('&')}`;
}

function encodeSegment(name: string, value: RouteParameter): string {
  const text = String(value ?? '');
  // URL parsers resolve these as steps between folders, which would call another route.
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name} cannot be ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

function encodeQuery(name: string, value: RouteParameter): string[] {
  if (value === undefined) return [];
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => `${name}=${encodeURIComponent(String(each))}`);
}
