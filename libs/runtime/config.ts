/** A service's configuration comes from the environment, is checked whole at the start and never read again. */
import { readFileSync } from 'node:fs';

/** Everything wrong with it at once: whoever fixes a start wants one list, not one message a try. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration does not hold:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** How one variable is read: the value, or what is wrong with it, alone or beside the others. */
export type Reader<Value> = {
  readonly variable: string;
  readonly fallback?: Value;
  readonly read: (text: string, env: Environment) => Value | { readonly problem: string };
};

type Values<Readers> = { readonly [Name in keyof Readers]: Readers[Name] extends Reader<infer Value> ? Value : never };

export function readConfig<Readers extends Record<string, Reader<unknown>>>(
  env: Environment,
  readers: Readers,
): Values<Readers> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const text = env[reader.variable] ?? '';
    if (!isSet(env, reader.variable)) {
      if ('fallback' in reader) values[name] = reader.fallback;
      else problems.push(`${reader.variable} is not set`);
      continue;
    }
    const value = reader.read(text, env);
    if (isProblem(value)) problems.push(`${reader.variable} ${value.problem}`);
    else values[name] = value;
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values as Values<Readers>;
}

// An empty variable is one nobody set: shells and compose files cannot say it otherwise.
function isSet(env: Environment, variable: string): boolean {
  return (env[variable] ?? '') !== '';
}

function isProblem(value: unknown): value is { problem: string } {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

type Bounds = { readonly least: number; readonly most: number; readonly fallback?: number };

export function integer(variable: string, { least, most, fallback }: Bounds): Reader<number> {
  return {
    variable,
    ...(fallback === undefined ? {} : { fallback }),
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : { problem: `is not a whole number from ${least} to ${most}` };
    },
  };
}

/** Port 0 asks the system for a free one. */
export function port(variable: string, fallback: number): Reader<number> {
  return integer(variable, { least: 0, most: 65_535, fallback });
}

/** The value is not repeated in the message: an address may hold a password. */
export function address(variable: string, protocols: readonly string[]): Reader<string> {
  return {
    variable,
    read(text) {
      const isAddress = URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));
      return isAddress ? text : { problem: `is not an address that begins with ${protocols.join(':// or ')}://` };
    },
  };
}

export function brokers(variable: string): Reader<string> {
  return {
    variable,
    read: (text) =>
      text.split(',').every((one) => /^[^\s:,/]+:\d{1,5}$/.test(one))
        ? text
        : { problem: 'is not a list host:port,host:port' },
  };
}

export function oneOf<const Word extends string>(
  variable: string,
  words: readonly Word[],
  fallback: Word,
): Reader<Word> {
  return {
    variable,
    fallback,
    read: (text) => words.find((word) => word === text) ?? { problem: `is none of ${words.join(', ')}` },
  };
}

/** Who owns the tables and may change them: for `prepare` alone. No service reads it. */
export const ownerUrl: Reader<string | undefined> = {
  ...address('DATABASE_OWNER_URL', ['postgres', 'postgresql']),
  fallback: undefined,
};

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type SaslMechanism = (typeof saslMechanisms)[number];

/** How Kafka is reached; what belongs together is all there or not at all. */
export const kafkaAccess = {
  kafkaTls: oneOf('KAFKA_TLS', ['yes', 'no'], 'no'),
  kafkaCa: {
    variable: 'KAFKA_CA',
    fallback: undefined,
    read(file, env) {
      if (env['KAFKA_TLS'] !== 'yes') return { problem: 'is set, but KAFKA_TLS is not yes' };
      try {
        return readFileSync(file, 'utf8');
      } catch (cause) {
        return { problem: `names no file that can be read: ${(cause as NodeJS.ErrnoException).code}` };
      }
    },
  } as Reader<string | undefined>,
  kafkaSasl: {
    variable: 'KAFKA_SASL',
    fallback: undefined,
    read(text, env) {
      const mechanism = saslMechanisms.find((one) => one === text);
      if (mechanism === undefined) return { problem: `is none of ${saslMechanisms.join(', ')}` };
      const missing = ['KAFKA_USERNAME', 'KAFKA_PASSWORD'].filter((name) => !isSet(env, name));
      return missing.length === 0 ? mechanism : { problem: `is set, but not ${missing.join(' and ')}` };
    },
  } as Reader<SaslMechanism | undefined>,
  kafkaUsername: ofSasl('KAFKA_USERNAME'),
  kafkaPassword: ofSasl('KAFKA_PASSWORD'),
} as const;

function ofSasl(variable: string): Reader<string | undefined> {
  return {
    variable,
    fallback: undefined,
    read: (text, env) => (isSet(env, 'KAFKA_SASL') ? text : { problem: 'is set, but not KAFKA_SASL' }),
  };
}

/** The variables every service that stands on the backing services reads. */
export const backing = {
  kafkaBrokers: brokers('KAFKA_BROKERS'),
  ...kafkaAccess,
  schemaRegistryUrl: address('SCHEMA_REGISTRY_URL', ['http', 'https']),
  databaseUrl: address('DATABASE_URL', ['postgres', 'postgresql']),
  redisUrl: address('REDIS_URL', ['redis', 'rediss']),
} as const;

export const logLevel = oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info');
