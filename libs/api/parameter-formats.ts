/** The formats of query parameters, most of them a body schema that reads its value from text. */
import { type CivilDay, formatDay, LAST_DAY, parseDay } from '#libs/calendar/civil-day.ts';
import type { Enumeration } from '#libs/schema/enumerations.ts';
import type { Json } from '#libs/schema/json.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import * as scalars from '#libs/schema/scalars.ts';
import { findFault, type JsonSchema, leaf, type Schema, type TypedJsonSchema } from '#libs/schema/schema.ts';

/** How the text of a parameter is parsed. */
export interface ParameterFormat<out T> extends TypedJsonSchema<T> {
  readonly parse: (text: string) => T | undefined;
  /** What is accepted, for the refusal. */
  readonly bound: string;
}

/** How a route reads one parameter. */
export interface QueryParameter<T, IsAlwaysPresent extends boolean> {
  readonly format: ParameterFormat<unknown>;
  readonly isAlwaysPresent: IsAlwaysPresent;
  readonly defaultValue?: T;
  /** Never set; carries the type. */
  readonly inferredType?: T;
  /** Refuses an absent parameter. */
  readonly codeIfAbsent?: Extract<RefusalCode, 'missing_field' | 'outside_loan' | 'invalid_application'>;
  /** Refuses a value that cannot be parsed; `invalid_query` by default. */
  readonly codeIfInvalid?: 'invalid_application';
  /** Set if the parameter may be repeated: it is then parsed as a list. */
  readonly maxOccurrences?: number;
  /** Refuses a value that contradicts another parameter. `bound` says which values do not. */
  readonly consistency?: {
    readonly bound: string;
    readonly isConsistent: (parsed: { readonly [name: string]: unknown }) => boolean;
  };
}

export function optionalParameter<T>(format: ParameterFormat<T>): QueryParameter<T, false> {
  return { format, isAlwaysPresent: false };
}

function parameterWithDefault<T>(defaultValue: T, format: ParameterFormat<T>): QueryParameter<T, true> {
  return { format, isAlwaysPresent: true, defaultValue };
}

export function requiredParameter<T>(
  format: ParameterFormat<T>,
  codeIfAbsent: NonNullable<QueryParameter<T, true>['codeIfAbsent']> = 'missing_field',
): QueryParameter<T, true> {
  return { format, isAlwaysPresent: true, codeIfAbsent };
}

/** A parameter that may be repeated. It is parsed as the list of its values. */
export function repeatedParameter<T>(
  maxOccurrences: number,
  format: ParameterFormat<T>,
): QueryParameter<readonly T[], false> {
  return { format, isAlwaysPresent: false, maxOccurrences };
}

/** Parses text by a schema of bodies; `decode` makes the JSON value of the text. */
function formatOf<T>(
  schema: Schema<T>,
  bound: string,
  decode: (text: string) => Json | undefined = (text) => text,
): ParameterFormat<T> {
  return {
    jsonSchema: schema.jsonSchema,
    bound,
    parse(text) {
      const value = decode(text);
      return value === undefined || findFault(schema, value) !== undefined ? undefined : (value as T);
    },
  };
}

const wordPattern = /^[!-~]{1,128}$/;

export const identifierParameter = formatOf(scalars.identifier, 'an identifier');
export const uuidParameter = formatOf(scalars.uuid, 'a UUID');
/** Visible ASCII, as in a header. */
export const wordParameter: ParameterFormat<string> = {
  jsonSchema: { type: 'string', pattern: wordPattern.source },
  bound: '1 to 128 characters of visible ASCII',
  parse: (text) => (wordPattern.test(text) ? text : undefined),
};
export const dayParameter = formatOf(scalars.civilDay, 'a day as YYYY-MM-DD');
/** Opaque here; the listing checks that it issued the cursor. */
const cursorParameter = formatOf<string>(
  leaf({ type: 'string' }, () => undefined),
  'a cursor of this listing',
);

export function integerParameter(min: number, max: number = Number.MAX_SAFE_INTEGER): ParameterFormat<number> {
  const bound = max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  return formatOf(scalars.integer(min, max), bound, (text) =>
    /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : undefined,
  );
}

export function enumParameter<const Member extends string>(enumeration: Enumeration<Member>): ParameterFormat<Member> {
  return formatOf(scalars.oneOf(enumeration), enumeration.members.join(', '));
}

/** The paging of every listing. */
export const paging = {
  limit: parameterWithDefault(50, integerParameter(1, 200)),
  cursor: optionalParameter(cursorParameter),
};

const timestampPattern =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const secondsPerDay = 86_400;
const minutesPerDay = 24 * 60;

/**
 * An RFC 3339 timestamp in the form the service writes: UTC, six decimals, `Z`, so that timestamps compare as text.
 * Further decimals are cut off. A leap second becomes the end of the second before it, because our clock has none.
 */
export function parseTimestamp(text: string): string | undefined {
  const [, date, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    timestampPattern.exec(text) ?? [];
  const day = date === undefined ? undefined : parseDay(date);
  if (day === undefined) return undefined;
  const offset = sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const isLeap = second === '60';
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  // A leap second is inserted only at the end of a day in UTC.
  if (isLeap && (minutes + 1) % minutesPerDay !== 0) return undefined;
  const seconds = day * secondsPerDay + minutes * 60 + (isLeap ? 59 : Number(second));
  const decimals = isLeap ? '999999' : fraction.slice(0, 6).padEnd(6, '0');
  const utcDay = Math.floor(seconds / secondsPerDay) as CivilDay;
  if (utcDay > LAST_DAY) return undefined;
  const secondOfDay = seconds - utcDay * secondsPerDay;
  const time = [secondOfDay / 3600, (secondOfDay / 60) % 60, secondOfDay % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return `${formatDay(utcDay)}T${time.join(':')}.${decimals}Z`;
}

const timestampSchema: JsonSchema = { type: 'string', format: 'date-time' };

export const timestampParameter: ParameterFormat<string> = {
  jsonSchema: timestampSchema,
  bound: 'an RFC 3339 timestamp',
  parse: parseTimestamp,
};
