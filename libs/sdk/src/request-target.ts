/** Builds the request target of a route from its parameters. */

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
