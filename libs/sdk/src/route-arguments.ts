/** The types of a call of a route, the check of its options for callers without types, and its request target. */

import { describeType } from './client-options.ts';
import type { Operations } from './contract/shapes.ts';

export type RouteName = keyof Operations;
export type ParametersOf<Name extends RouteName> = Operations[Name]['at'];
export type BodyOf<Name extends RouteName> = Operations[Name]['body'];
export type AnswerOf<Name extends RouteName> = Operations[Name]['answer'];

/** Options of every request. */
export interface Options {
  /** Recorded with the service's own identifier of the request. */
  readonly callerRequestId?: string;
  /** Makes a repeat safe on routes without a reference; generated for each call where it is left out. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Options of `ask`, whose answer has a status. */
export interface AskOptions extends Options {
  /** An answer that still has this entity tag is a 304 without a body. */
  readonly ifNoneMatch?: string;
}

const optionNames: Readonly<Record<keyof AskOptions, true>> = {
  callerRequestId: true,
  idempotencyKey: true,
  ifNoneMatch: true,
  signal: true,
};
const optionsFormat = `expected { ${Object.keys(optionNames).join(', ')} }`;

export function checkRouteOptions(name: string, route: RouteRow, body: unknown, options: unknown) {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`the options of ${name} are ${describeType(options)}; ${optionsFormat}`);
  const unknown = Object.keys(options).find((each) => !Object.hasOwn(optionNames, each));
  if (unknown === undefined) return options as AskOptions;
  if (route.method !== 'GET' && !hasAddress(route) && isEmptyBody(body))
    throw new TypeError(`${name} has no parameters in its path; pass its body first, then its options`);
  throw new TypeError(`${name} has no option ${JSON.stringify(unknown)}; ${optionsFormat}`);
}

/** Whether the caller passes parameters for the path or query; the Tenancy is known to the client. */
export function hasAddress({ path, query }: RouteAddress): boolean {
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

/** A row of the generated table of routes. */
export interface RouteRow extends RouteAddress {
  readonly method: string;
  readonly body?: boolean;
  readonly keyed?: boolean;
  readonly reads?: 'text';
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
