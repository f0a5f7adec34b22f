/** Every environment variable that services and tools read, in groups by who reads them. */
import { readFileSync } from 'node:fs';
import {
  brokersSetting,
  choiceSetting,
  fractionSetting,
  hostSetting,
  integerSetting,
  invalidSecret,
  isSet,
  mebibytesSetting,
  optional,
  portSetting,
  postgresUrlSetting,
  type Setting,
  urlSetting,
} from './config.ts';
import { heapShareBytes } from './heap-shares.ts';

/** For every service. */
export const processSettings = {
  logLevel: choiceSetting('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  /** For the callers' port and the operators' port. Only this machine reaches them unless it is set. */
  host: hostSetting('HOST', '127.0.0.1'),
  metricsPort: portSetting('METRICS_PORT', 0),
  drainMs: integerSetting('DRAIN_MS', { min: 0, max: 300_000, fallback: 0 }),
};

/** For every service. The exporter of OpenTelemetry reads the endpoint and its other settings itself. */
export const tracingSettings = {
  endpoint: optional(urlSetting('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])),
  sample: fractionSetting('TRACE_SAMPLE', 0.01),
};

const kafkaCa: Setting<string | undefined> = {
  variable: 'KAFKA_CA',
  expected: 'the path of a readable PEM file',
  fallback: undefined,
  parse(path, env) {
    if (env['KAFKA_TLS'] !== 'yes')
      return { problem: 'is set but KAFKA_TLS is not; set KAFKA_TLS=yes or unset KAFKA_CA' };
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      return {
        problem: `is ${JSON.stringify(path)}, which cannot be read (${code}); set the path of a readable PEM file`,
      };
    }
  },
};

const saslMechanism = optional(choiceSetting('KAFKA_SASL', ['plain', 'scram-sha-256', 'scram-sha-512'], 'plain'));

const kafkaSasl: typeof saslMechanism = {
  ...saslMechanism,
  parse(text, env) {
    const missing = ['KAFKA_USERNAME', 'KAFKA_PASSWORD'].filter((name) => !isSet(env, name));
    const mechanism = saslMechanism.parse(text, env);
    if (missing.length === 0 || typeof mechanism !== 'string') return mechanism;
    return { problem: `is set but ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not; set both` };
  },
};

function saslCredential(variable: string): Setting<string | undefined> {
  return {
    variable,
    expected: 'the credential that belongs to KAFKA_SASL',
    fallback: undefined,
    parse: (text, env) =>
      isSet(env, 'KAFKA_SASL')
        ? text
        : { problem: `is set but KAFKA_SASL is not; set KAFKA_SASL or unset ${variable}` },
  };
}

/** How Kafka is reached: TLS and credentials. */
export const kafkaSettings = {
  kafkaTls: choiceSetting('KAFKA_TLS', ['yes', 'no'], 'no'),
  kafkaCa,
  kafkaSasl,
  kafkaUsername: saslCredential('KAFKA_USERNAME'),
  kafkaPassword: saslCredential('KAFKA_PASSWORD'),
};

/** For every service and tool that uses the backing services. */
export const backingSettings = {
  kafkaBrokers: brokersSetting('KAFKA_BROKERS'),
  ...kafkaSettings,
  schemaRegistryUrl: urlSetting('SCHEMA_REGISTRY_URL', ['http', 'https']),
  databaseUrl: postgresUrlSetting('DATABASE_URL'),
  redisUrl: urlSetting('REDIS_URL', ['redis', 'rediss']),
};

/** The owner of the tables, for `prepare` and `rebuild`. No service reads it. */
export const ownerUrlSetting = optional(postgresUrlSetting('DATABASE_OWNER_URL'));

/** For services with an HTTP port. */
export const httpSettings = {
  port: portSetting('PORT', 8080),
  databaseConnections: integerSetting('DATABASE_CONNECTIONS', { min: 1, max: 500, fallback: 8 }),
  accessLogSample: fractionSetting('ACCESS_LOG_SAMPLE', 0),
};

export const gatewaySettings = {
  processes: integerSetting('GATEWAY_PROCESSES', { min: 1, max: 256, fallback: 1 }),
};

export const processorSettings = {
  maxCachedBytes: mebibytesSetting('HOT_BOOK_MIB', heapShareBytes('processorBooks')),
};

const cursorKeyForm = '32 bytes in lower-case hexadecimal';

/** Cursors never expire: a Tenancy that moves to another cell takes the key along. */
const cursorKey: Setting<Buffer | undefined> = {
  variable: 'CURSOR_KEY',
  expected: cursorKeyForm,
  fallback: undefined,
  parse: (text) => (/^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : invalidSecret(cursorKeyForm)),
};

export const querySettings = {
  cursorKey,
  maxCachedBytes: mebibytesSetting('BOOK_CACHE_MIB', heapShareBytes('queryBooks')),
};

export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(processSettings),
  ...Object.values(tracingSettings),
  ...Object.values(backingSettings),
  ...Object.values(httpSettings),
  ...Object.values(gatewaySettings),
  ...Object.values(processorSettings),
  ...Object.values(querySettings),
  ownerUrlSetting,
];
