/** Parses the query of a request by the parameters of its route. */
import type { QueryParameter } from '#libs/api/parameter-formats.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { maxObservedCharacters } from '#libs/schema/schema.ts';

export type QuerySchema = { readonly [name: string]: QueryParameter<unknown, boolean> };

type AlwaysPresentNames<Q extends QuerySchema> = {
  [Name in keyof Q]: Q[Name]['isAlwaysPresent'] extends true ? Name : never;
}[keyof Q];

type ValueOf<P> = P extends QueryParameter<infer T, boolean> ? T : never;

export type InferQuery<Q extends QuerySchema> = {
  readonly [Name in AlwaysPresentNames<Q>]: ValueOf<Q[Name]>;
} & {
  readonly [Name in Exclude<keyof Q, AlwaysPresentNames<Q>>]?: ValueOf<Q[Name]>;
};

/**
 * The query of a request target, or the refusal: first unknown, malformed or repeated parameters in the order sent; then
 * invalid values, absent parameters and contradictions, each in the order of the route.
 */
export function parseQuery<Q extends QuerySchema>(
  query: string,
  schema: Q,
): { readonly query: InferQuery<Q> } | Refusal {
  const sent = new Map<string, string[]>();
  const refusal = query === '' ? undefined : splitQuery(query, schema, sent);
  if (refusal) return refusal;
  const parsed: { [name: string]: unknown } = {};
  for (const name in schema) {
    const parameter = schema[name] as QueryParameter<unknown, boolean>;
    const texts = sent.get(name);
    if (texts === undefined) {
      if (parameter.defaultValue !== undefined) parsed[name] = parameter.defaultValue;
      continue;
    }
    const values = texts.map((text) => parameter.format.parse(text));
    const invalid = values.indexOf(undefined);
    if (invalid >= 0) return refuseInvalid(name, parameter, texts[invalid] as string);
    parsed[name] = parameter.maxOccurrences === undefined ? values[0] : values;
  }
  for (const name in schema) {
    const { codeIfAbsent } = schema[name] as QueryParameter<unknown, boolean>;
    if (codeIfAbsent !== undefined && !sent.has(name)) return refuse(codeIfAbsent, { field: name });
  }
  for (const name in schema) {
    const consistency = schema[name]?.consistency;
    if (consistency?.isConsistent(parsed) === false)
      return refuse('invalid_query', { field: name, bound: consistency.bound });
  }
  return { query: parsed as InferQuery<Q> };
}

function refuseInvalid(name: string, parameter: QueryParameter<unknown, boolean>, text: string): Refusal {
  const { codeIfInvalid = 'invalid_query', format } = parameter;
  return refuse(codeIfInvalid, { field: name, bound: format.bound, observed: text.slice(0, maxObservedCharacters) });
}

function splitQuery(query: string, schema: QuerySchema, sent: Map<string, string[]>): Refusal | undefined {
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || !Object.hasOwn(schema, name)) {
      const field = name ?? pair.slice(0, maxObservedCharacters);
      return refuse('invalid_query', { field, bound: Object.keys(schema), observed: 'unknown' });
    }
    const { format, maxOccurrences = 1 } = schema[name] as QueryParameter<unknown, boolean>;
    if (value === undefined) {
      return refuse('invalid_query', { field: name, bound: 'percent-encoded UTF-8', observed: 'malformed' });
    }
    if (value === '') return refuse('invalid_query', { field: name, bound: format.bound, observed: 'valueless' });
    const values = [...(sent.get(name) ?? []), value];
    sent.set(name, values);
    if (values.length > maxOccurrences) {
      return refuse('invalid_query', { field: name, bound: maxOccurrences, observed: 'repeated' });
    }
  }
  return undefined;
}

/** Percent-decoded once as UTF-8, with `+` for a space; undefined if malformed. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
