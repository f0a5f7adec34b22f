import { parseDay } from '#libs/calendar/civil-day.ts';
import { type Enumeration, isIdentifier, type JsonSchema } from '#libs/schema/form.ts';
import { type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

/** What a parameter's text must be, and what it is once read. */
export interface Parameter<out T> {
  readonly schema: JsonSchema;
  readonly read: (text: string) => T | undefined;
  /** The grammar, for a person. */
  readonly bound: string;
  readonly value?: T;
}

type AbsentCode = Extract<RefusalCode, 'missing_field' | 'outside_loan' | 'invalid_application'>;

/** How a route reads one parameter. */
export interface Asked<T, Given extends boolean> {
  readonly parameter: Parameter<T>;
  readonly given: Given;
  readonly instead?: T;
  /** The refusal where a required parameter is absent. */
  readonly absent?: AbsentCode;
  /** The refusal where it cannot be read; `invalid_query` unless stated. */
  readonly unreadable?: 'invalid_application';
  /** How often it may be stated. */
  readonly most?: number;
  /** Whether it goes with the others that were stated. */
  readonly goesWith?: (read: { readonly [name: string]: unknown }) => boolean;
}

export type QueryShape = { readonly [name: string]: Asked<unknown, boolean> };

type GivenNames<Q extends QueryShape> = { [Name in keyof Q]: Q[Name]['given'] extends true ? Name : never }[keyof Q];
type ValueOf<A> = A extends Asked<infer T, boolean> ? T : never;

export type QueryOf<Q extends QueryShape> = {
  readonly [Name in GivenNames<Q>]: ValueOf<Q[Name]>;
} & {
  readonly [Name in Exclude<keyof Q, GivenNames<Q>>]?: ValueOf<Q[Name]>;
};

export function asked<T>(parameter: Parameter<T>): Asked<T, false> {
  return { parameter, given: false };
}

export function askedOr<T>(instead: T, parameter: Parameter<T>): Asked<T, true> {
  return { parameter, given: true, instead };
}

export function must<T>(parameter: Parameter<T>, absent: AbsentCode = 'missing_field'): Asked<T, true> {
  return { parameter, given: true, absent };
}

/** A parameter that may be stated several times, read as the list of what was stated. */
export function askedUpTo<T>(most: number, parameter: Parameter<T>): Asked<readonly T[], false> {
  return { parameter: parameter as Parameter<unknown> as Parameter<readonly T[]>, given: false, most };
}

function fitting(schema: JsonSchema, bound: string, fits: (text: string) => boolean): Parameter<string> {
  return { schema, bound, read: (text) => (fits(text) ? text : undefined) };
}

export const identifierParameter = fitting(
  { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  'an identifier',
  isIdentifier,
);
export const dayParameter = fitting(
  { type: 'string', format: 'date' },
  'a day as YYYY-MM-DD',
  (text) => parseDay(text) !== undefined,
);
/** Opaque; whether it is one of ours is for the listing to say. */
export const cursorParameter = fitting({ type: 'string' }, 'a cursor of this listing', () => true);

export function integerParameter(least: number, most: number = Number.MAX_SAFE_INTEGER): Parameter<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    bound: most === Number.MAX_SAFE_INTEGER ? `an integer from ${least}` : `an integer from ${least} to ${most}`,
    read(text) {
      if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
      const value = Number(text);
      return value >= least && value <= most ? value : undefined;
    },
  };
}

export function memberParameter<Member extends string>({ open, members }: Enumeration<Member>): Parameter<Member> {
  const known: ReadonlySet<string> = new Set(members);
  return {
    schema: { type: 'string', enum: members, 'x-enum-open': open },
    bound: members.join(', '),
    read: (text) => (known.has(text) ? (text as Member) : undefined),
  };
}

/** The page every listing is read by. */
export const paging = {
  limit: askedOr(50, integerParameter(1, 200)),
  cursor: asked(cursorParameter),
};

/**
 * The query of a request target, or the refusal. First what is no parameter of the route, in the order it was sent;
 * then what cannot be read, then what is absent, then what contradicts another, in the order of the route.
 */
export function readQuery<Q extends QueryShape>(query: string, shape: Q): { readonly query: QueryOf<Q> } | Refusal {
  const stated = new Map<string, string[]>();
  const refused = query === '' ? undefined : gather(query, shape, stated);
  if (refused) return refused;
  const read: { [name: string]: unknown } = {};
  for (const name in shape) {
    const asked = shape[name] as Asked<unknown, boolean>;
    const texts = stated.get(name);
    if (texts === undefined) {
      if (asked.instead !== undefined) read[name] = asked.instead;
      continue;
    }
    const values = texts.map((text) => asked.parameter.read(text));
    const wrong = values.indexOf(undefined);
    if (wrong >= 0) return unreadable(name, asked, texts[wrong] as string);
    read[name] = asked.most === undefined ? values[0] : values;
  }
  for (const name in shape) {
    const { absent } = shape[name] as Asked<unknown, boolean>;
    if (absent !== undefined && !stated.has(name)) return refuse(absent, { field: name });
  }
  for (const name in shape) {
    if (shape[name]?.goesWith?.(read) === false) return refuse('invalid_query', { field: name });
  }
  return { query: read as QueryOf<Q> };
}

function unreadable(name: string, { unreadable, parameter }: Asked<unknown, boolean>, text: string): Refusal {
  const observed = text.slice(0, 200);
  return refuse(unreadable ?? 'invalid_query', { field: name, bound: parameter.bound, observed });
}

function gather(query: string, shape: QueryShape, stated: Map<string, string[]>): Refusal | undefined {
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    const name = decode(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? '' : decode(piece.slice(equals + 1));
    if (name === undefined || !Object.hasOwn(shape, name)) {
      return refuse('invalid_query', { field: name ?? piece.slice(0, 200), observed: 'unknown' });
    }
    if (value === undefined) return refuse('invalid_query', { field: name, observed: 'malformed' });
    if (value === '') return refuse('invalid_query', { field: name, observed: 'valueless' });
    const already = stated.get(name);
    if (already === undefined) stated.set(name, [value]);
    else already.push(value);
    const most = shape[name]?.most ?? 1;
    if ((already?.length ?? 1) > most)
      return refuse('invalid_query', { field: name, bound: most, observed: 'repeated' });
  }
  return undefined;
}

/** Percent-decoded once as UTF-8, with `+` for a space; nothing where that is malformed. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
