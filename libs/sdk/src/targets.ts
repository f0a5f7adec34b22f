/** The request target of a route with its parameters in place. */

export type Parameter = string | number | boolean | readonly (string | number)[] | undefined;
export type Parameters = { readonly [name: string]: Parameter };

export interface Addressed {
  /** As the contract writes it, its named segments in braces. */
  readonly path: string;
  /** The parameters that go into the query, in their order. */
  readonly query: readonly string[];
}

export function targetOf({ path, query }: Addressed, parameters: Parameters): string {
  const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => segment(name, parameters[name]));
  const stated = query.flatMap((name) => pieces(name, parameters[name]));
  return stated.length === 0 ? filled : `${filled}?${stated.join('&')}`;
}

function segment(name: string, value: Parameter): string {
  const text = String(value ?? '');
  // An address parser takes these for steps between folders: another route would be asked.
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name} cannot be ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

function pieces(name: string, value: Parameter): string[] {
  if (value === undefined) return [];
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => `${name}=${encodeURIComponent(String(each))}`);
}
