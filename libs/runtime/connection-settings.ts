/** How the backing services are reached: addresses, credentials and certificates. */
import {
  brokersSetting,
  choiceSetting,
  type DescribedSetting,
  described,
  type Environment,
  isSet,
  namedPostgresUrlsSetting,
  optional,
  postgresUrlSetting,
  type Setting,
  secret,
  settingText,
  urlSetting,
} from './config.ts';

/** The certificates of a connection: the authority that signed the other side's, and the own certificate with its key. */
export interface TlsSettings {
  readonly ca?: Setting<string | undefined>;
  readonly cert: Setting<string | undefined>;
  readonly key: Setting<string | undefined>;
}

type Requirement = (env: Environment) => string | undefined;

/** The variable is the path of the file, whose text is the value. */
function pemSetting(variable: string, meaning: string, requires: Requirement): DescribedSetting<string | undefined> {
  const setting: Setting<string | undefined> = {
    variable,
    expected: 'the path of a readable PEM file',
    fallback: undefined,
    source: 'file',
    requires,
    parse: (text) => text,
  };
  return described(meaning, setting);
}

/** A certificate and its key, each of which requires the other. */
export function certificateSettings(prefix: string, of: string, requires: Requirement = () => undefined) {
  const [cert, key] = [`${prefix}_CERT`, `${prefix}_KEY`] as const;
  const together =
    (other: string): Requirement =>
    (env) =>
      requires(env) ?? (isSet(env, other) ? undefined : `is set but ${other} is not; set both`);
  return {
    cert: pemSetting(cert, `File with the certificate ${of}.`, together(key)),
    key: pemSetting(key, `File with the private key of \`${cert}\`.`, together(cert)),
  };
}

const caMeaning = "File with the authority that signed the service's certificate; without it those that Node knows.";

const kafkaUsesTls =
  (variable: string): Requirement =>
  (env) =>
    env['KAFKA_TLS'] === 'yes' ? undefined : `is set but KAFKA_TLS is not; set KAFKA_TLS=yes or unset ${variable}`;

export const kafkaTls = {
  ca: pemSetting('KAFKA_CA', caMeaning, kafkaUsesTls('KAFKA_CA')),
  ...certificateSettings('KAFKA', 'with which the service authenticates to Kafka', kafkaUsesTls('KAFKA_CERT')),
} satisfies TlsSettings;

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
  return secret({
    variable,
    expected: 'the credential that belongs to KAFKA_SASL',
    fallback: undefined,
    requires: (env) =>
      isSet(env, 'KAFKA_SASL') ? undefined : `is set but KAFKA_SASL is not; set KAFKA_SASL or unset ${variable}`,
    parse: (text) => text,
  });
}

/** How Kafka is reached: TLS and credentials. */
export const kafkaSettings = {
  kafkaTls: described('`yes` encrypts all connections to Kafka.', choiceSetting('KAFKA_TLS', ['yes', 'no'], 'no')),
  kafkaCa: kafkaTls.ca,
  kafkaCert: kafkaTls.cert,
  kafkaKey: kafkaTls.key,
  kafkaSasl: described(
    'How name and password are sent to Kafka; without it neither is. `plain` without TLS sends the password in clear text.',
    kafkaSasl,
  ),
  kafkaUsername: described('Name for `KAFKA_SASL`.', saslCredential('KAFKA_USERNAME')),
  kafkaPassword: described('Password for `KAFKA_SASL`.', saslCredential('KAFKA_PASSWORD')),
};

const redisUrl = secret(urlSetting('REDIS_URL', ['redis', 'rediss']));
const registryUrl = secret(urlSetting('SCHEMA_REGISTRY_URL', ['http', 'https']));

/** A certificate is useless, and its setting a mistake, where the address does not encrypt. */
function requiresProtocol(setting: Setting<string>, protocol: string, variable: string): Requirement {
  return (env) =>
    settingText(env, setting)?.startsWith(protocol) === true
      ? undefined
      : `is set but ${setting.variable} does not start with ${protocol}; change it or unset ${variable}`;
}

const requiresRediss = (variable: string) => requiresProtocol(redisUrl, 'rediss://', variable);
const requiresHttps = (variable: string) => requiresProtocol(registryUrl, 'https://', variable);

export const redisTls = {
  ca: pemSetting('REDIS_CA', caMeaning, requiresRediss('REDIS_CA')),
  ...certificateSettings('REDIS', 'with which the service authenticates to Redis', requiresRediss('REDIS_CERT')),
} satisfies TlsSettings;

export const registryTls = {
  ca: pemSetting('SCHEMA_REGISTRY_CA', caMeaning, requiresHttps('SCHEMA_REGISTRY_CA')),
  ...certificateSettings(
    'SCHEMA_REGISTRY',
    'with which the service authenticates to the schema registry',
    requiresHttps('SCHEMA_REGISTRY_CERT'),
  ),
} satisfies TlsSettings;

/** For every service and tool that uses the backing services. */
export const backingSettings = {
  kafkaBrokers: described('Addresses of some brokers; the others are found.', brokersSetting('KAFKA_BROKERS')),
  ...kafkaSettings,
  schemaRegistryUrl: described('The schema registry; may hold `name:password@`.', registryUrl),
  registryCa: registryTls.ca,
  registryCert: registryTls.cert,
  registryKey: registryTls.key,
  databaseUrl: described(
    'Postgres, with the login of the services: a member of the role `lending_service` only. May name several hosts and ' +
      '`target_session_attrs=read-write`. TLS by `sslmode=verify-full`, `sslrootcert`, `sslcert` and `sslkey`.',
    secret(postgresUrlSetting('DATABASE_URL')),
  ),
  partitionDatabaseUrls: described(
    'Further databases on which partitions are placed, `north=postgres://…`, each with the login of the services. Several have ' +
      'spaces or line feeds between them.',
    secret(namedPostgresUrlsSetting('PARTITION_DATABASE_URLS')),
    'none: all partitions are in the database of `DATABASE_URL`',
  ),
  redisUrl: described('Redis; `rediss://` encrypts.', redisUrl),
  redisCa: redisTls.ca,
  redisCert: redisTls.cert,
  redisKey: redisTls.key,
};

/** The owner of the tables, for commands. No service reads it. */
export const ownerUrlSetting = described(
  'Postgres, with the login that owns the tables; without it `DATABASE_URL`.',
  optional(secret(postgresUrlSetting('DATABASE_OWNER_URL'))),
);

/** The same for the further databases. */
export const partitionOwnerUrlsSetting = described(
  'The databases of `PARTITION_DATABASE_URLS`, with the login that owns their tables; without it `PARTITION_DATABASE_URLS`.',
  secret(namedPostgresUrlsSetting('PARTITION_DATABASE_OWNER_URLS')),
  'none',
);
