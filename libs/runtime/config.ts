/** Reads a service's configuration from the environment, once at the start, and reports all errors together. */
import { isIP } from 'node:net';
import { parsePostgresUrl } from './postgres-url.ts';

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** One sentence per invalid variable. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Why a value cannot be used. The text continues the name of the variable: `is "7x"; set a whole number`. */
interface InvalidValue {
  readonly problem: string;
}

/** How one environment variable is read. */
export interface Setting<Value> {
  readonly variable: string;
  /** What a valid value is, for error messages: "a whole number from 0 to 65535". */
  readonly expected: string;
  /** The value where the variable is not set; without it the variable is required. */
  readonly fallback?: Value;
  readonly parse: (text: string, env: Environment) => Value | InvalidValue;
}

type Values<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never;
};

export function readConfig<Settings extends Record<string, Setting<unknown>>>(
  env: Environment,
  settings: Settings,
): Values<Settings> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const { variable, expected } = setting;
    if (!isSet(env, variable)) {
      if ('fallback' in setting) values[name] = setting.fallback;
      else problems.push(`${variable} is empty; set ${expected}`);
      continue;
    }
    const value = setting.parse(env[variable] ?? '', env);
    if (isInvalid(value)) problems.push(`${variable} ${value.problem}`);
    else values[name] = value;
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values as Values<Settings>;
}

// Shells and compose files cannot express the difference between empty and not set.
export function isSet(env: Environment, variable: string): boolean {
  return (env[variable] ?? '') !== '';
}

function isInvalid(value: unknown): value is InvalidValue {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

function invalid(text: string, expected: string): InvalidValue {
  return { problem: `is ${JSON.stringify(text.slice(0, 100))}; set ${expected}` };
}

/** For values that may contain a password. */
export function invalidSecret(expected: string): InvalidValue {
  return { problem: `is invalid (value not shown); set ${expected}` };
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly fallback?: number;
}

export function integerSetting(variable: string, { min, max, fallback }: Range): Setting<number> {
  const expected = `a whole number from ${min} to ${max}`;
  return {
    variable,
    expected,
    ...(fallback === undefined ? {} : { fallback }),
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : invalid(text, expected);
    },
  };
}

/** A share of a whole. */
export function fractionSetting(variable: string, fallback: number): Setting<number> {
  const expected = 'a number from 0 to 1, such as 0.05';
  return {
    variable,
    expected,
    fallback,
    parse(text) {
      const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
      return value >= 0 && value <= 1 ? value : invalid(text, expected);
    },
  };
}

/** Stated in MiB, read in bytes. */
export function mebibytesSetting(variable: string, fallback: number): Setting<number> {
  const { expected, parse } = integerSetting(variable, { min: 0, max: 1_000_000 });
  return {
    variable,
    expected,
    fallback,
    parse(text, env) {
      const value = parse(text, env);
      return typeof value === 'number' ? value * 1024 * 1024 : value;
    },
  };
}

/** Port 0 lets the system choose a free one. */
export function portSetting(variable: string, fallback: number): Setting<number> {
  return integerSetting(variable, { min: 0, max: 65_535, fallback });
}

/** An invalid URL is not shown: it may hold a password. */
export function urlSetting(variable: string, protocols: readonly string[]): Setting<string> {
  const expected = `a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`;
  return {
    variable,
    expected,
    parse(text) {
      const isValid = URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));
      return isValid ? text : invalidSecret(expected);
    },
  };
}

export function postgresUrlSetting(variable: string): Setting<string> {
  const expected = 'a URL that starts with postgres:// or postgresql://';
  return {
    variable,
    expected,
    parse: (text) => (parsePostgresUrl(text) === undefined ? invalidSecret(expected) : text),
  };
}

export function brokersSetting(variable: string): Setting<string> {
  const expected = 'host:port[,host:port]';
  return {
    variable,
    expected,
    parse: (text) =>
      text.split(',').every((broker) => /^[^\s:,/]+:\d{1,5}$/.test(broker)) ? text : invalid(text, expected),
  };
}

export function choiceSetting<const Choice extends string>(
  variable: string,
  choices: readonly Choice[],
  fallback: Choice,
): Setting<Choice> {
  const expected = `one of ${choices.join(', ')}`;
  return {
    variable,
    expected,
    fallback,
    parse: (text) => choices.find((choice) => choice === text) ?? invalid(text, expected),
  };
}

/** The address that a port listens on. */
export function hostSetting(variable: string, fallback: string): Setting<string> {
  const expected = 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0';
  const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
  return {
    variable,
    expected,
    fallback,
    parse: (text) => (isIP(text) !== 0 || hostName.test(text) ? text : invalid(text, expected)),
  };
}

/** A variable without which the service runs. */
export function optional<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, fallback: undefined };
}
