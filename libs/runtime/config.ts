/** Reads a service's configuration from the environment, once at the start, and reports all errors together. */
import { readFileSync } from 'node:fs';
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
  /** Where it is another variable that is invalid. */
  readonly variable?: string;
}

/** How one environment variable is read. */
export interface Setting<Value> {
  readonly variable: string;
  /** What a valid value is, for error messages: "a whole number from 0 to 65535". */
  readonly expected: string;
  /** The value where the variable is not set; without it the variable is required. */
  readonly fallback?: Value;
  /** `secret`: the value may be in a file instead, whose path is in `<variable>_FILE`. `file`: the variable is a path. */
  readonly source?: 'secret' | 'file';
  /** Why the variable must not be set, judged by the other variables. */
  readonly requires?: (env: Environment) => string | undefined;
  readonly parse: (text: string, env: Environment) => Value | InvalidValue;
}

/** A setting with its entry in the reference of settings. */
export interface DescribedSetting<Value> extends Setting<Value> {
  readonly meaning: string;
  /** Where the default is computed or says little. */
  readonly defaultMeaning?: string;
}

export function described<Value>(
  meaning: string,
  setting: Setting<Value>,
  defaultMeaning?: string,
): DescribedSetting<Value> {
  return { ...setting, meaning, ...(defaultMeaning === undefined ? {} : { defaultMeaning }) };
}

/** A value that must not be shown. */
export function secret<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, source: 'secret' };
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
    const text = findText(env, setting);
    if (text === undefined) {
      if ('fallback' in setting) values[name] = setting.fallback;
      else problems.push(`${variable} is empty; set ${expected}`);
      continue;
    }
    const value = typeof text === 'string' ? setting.parse(text, env) : text;
    if (isInvalid(value)) problems.push(`${value.variable ?? variable} ${value.problem}`);
    else values[name] = value;
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values as Values<Settings>;
}

/** Whether the value is given, in the variable or in a file. */
export function isSet(env: Environment, variable: string): boolean {
  return isNotEmpty(env, variable) || isNotEmpty(env, fileVariable(variable));
}

/** The text of a setting, where it is set and can be read. */
export function settingText(env: Environment, setting: Setting<unknown>): string | undefined {
  const text = findText(env, setting);
  return typeof text === 'string' ? text : undefined;
}

/** The file that holds the value. */
export function settingFile(env: Environment, { variable, source }: Setting<unknown>): string | undefined {
  if (source === 'file') return isNotEmpty(env, variable) ? env[variable] : undefined;
  const name = fileVariable(variable);
  return source === 'secret' && isNotEmpty(env, name) ? env[name] : undefined;
}

function findText(env: Environment, setting: Setting<unknown>): string | undefined | InvalidValue {
  const { variable, source, requires, expected } = setting;
  const isGiven = isNotEmpty(env, variable);
  const path = settingFile(env, setting);
  if (!isGiven && path === undefined) return undefined;
  const problem = requires?.(env);
  if (problem !== undefined) return { problem };
  if (path === undefined) return env[variable];
  if (source === 'file') return readText(path, expected);
  if (isGiven) return { problem: `and ${fileVariable(variable)} are both set; unset one` };
  const text = readText(path, 'the path of a readable file');
  if (typeof text !== 'string') return { ...text, variable: fileVariable(variable) };
  // Editors and `echo` end a file with a new line.
  const value = text.trim();
  return value === '' ? { variable: fileVariable(variable), problem: `names an empty file; write ${expected}` } : value;
}

function readText(path: string, expected: string): string | InvalidValue {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return { problem: `is ${JSON.stringify(path)}, which cannot be read (${code}); set ${expected}` };
  }
}

function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

// Shells and compose files cannot express the difference between empty and not set.
function isNotEmpty(env: Environment, variable: string): boolean {
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

export function postgresUrlSetting(variable: string, { isStandby = false } = {}): Setting<string> {
  const form = 'a URL that starts with postgres:// or postgresql://';
  const expected = isStandby ? `${form}, ${formOfStandby}` : form;
  return {
    variable,
    expected,
    parse: (text) => (isPostgresUrl(text, isStandby) ? text : invalidSecret(expected)),
  };
}

const formOfStandby = 'with one host and without target_session_attrs';

function isPostgresUrl(text: string, isStandby: boolean): boolean {
  const address = parsePostgresUrl(text);
  return address !== undefined && !(isStandby && (address.urls.length > 1 || address.requiresPrimary));
}

/** Addresses by name: `north=postgres://… south=postgres://…`, with spaces or line feeds between them. */
export function namedPostgresUrlsSetting(
  variable: string,
  { isStandby = false } = {},
): Setting<ReadonlyMap<string, string>> {
  const form = 'name=URL, with spaces or line feeds between several, where each URL starts with postgres://';
  const expected = isStandby ? `${form}, ${formOfStandby}` : form;
  return {
    variable,
    expected,
    fallback: new Map(),
    parse(text) {
      const entries = text
        .trim()
        .split(/\s+/)
        .map((entry) => /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry));
      const urls = new Map(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? '']));
      const isValid = urls.size === entries.length && [...urls.values()].every((url) => isPostgresUrl(url, isStandby));
      return isValid ? urls : invalidSecret(expected);
    },
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
