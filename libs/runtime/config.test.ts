import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ConfigurationError,
  type Environment,
  integerSetting,
  portSetting,
  readConfig,
  type Setting,
} from './config.ts';
import { backingSettings, kafkaSettings } from './connection-settings.ts';
import { allSettings } from './settings.ts';

function problemsOf(env: Environment, settings: Record<string, Setting<unknown>>): readonly string[] {
  try {
    readConfig(env, settings);
  } catch (cause) {
    if (cause instanceof ConfigurationError) return cause.problems;
    throw cause;
  }
  return [];
}

const settings = { port: portSetting('PORT', 8080), workers: integerSetting('WORKERS', { min: 1, max: 64 }) };

describe('a configuration', () => {
  test('takes the default of a variable that is not set', () => {
    expect(readConfig({ WORKERS: '2' }, settings)).toEqual({ port: 8080, workers: 2 });
  });

  test('treats an empty variable as not set', () => {
    expect(readConfig({ WORKERS: '2', PORT: '' }, settings).port).toBe(8080);
    expect(problemsOf({ WORKERS: '' }, settings)).toEqual(['WORKERS is empty; set a whole number from 1 to 64']);
  });

  test('reports all problems at once', () => {
    const read = (): unknown => readConfig({ PORT: '1e3', WORKERS: '0' }, settings);
    expect(read).toThrow(
      'invalid configuration:\n' +
        '  PORT is "1e3"; set a whole number from 0 to 65535\n' +
        '  WORKERS is "0"; set a whole number from 1 to 64',
    );
  });
});

const port = 'a whole number from 0 to 65535';
const mebibytes = 'a whole number from 0 to 1000000';
const postgresUrl = 'a URL that starts with postgres:// or postgresql://';
const namedUrls = 'name=URL, with spaces or line feeds between several, where each URL starts with postgres://';
const notShown = 'is invalid (value not shown)';

/** Every variable with an invalid environment and the message an operator gets. */
const invalidEnvironments: readonly (readonly [string, Environment, string])[] = [
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }, 'is "loud"; set one of fatal, error, warn, info, debug, trace, silent'],
  ['HOST', { HOST: 'no host' }, 'is "no host"; set an IP address or a host name, such as 127.0.0.1 or 0.0.0.0'],
  ['METRICS_PORT', { METRICS_PORT: '65536' }, `is "65536"; set ${port}`],
  ['DRAIN_MS', { DRAIN_MS: '5s' }, 'is "5s"; set a whole number from 0 to 300000'],
  ['KAFKA_BROKERS', {}, 'is empty; set host:port[,host:port]'],
  ['KAFKA_BROKERS', { KAFKA_BROKERS: 'a' }, 'is "a"; set host:port[,host:port]'],
  ['KAFKA_BROKERS', { KAFKA_BROKERS: 'a:1,b' }, 'is "a:1,b"; set host:port[,host:port]'],
  ['KAFKA_TLS', { KAFKA_TLS: 'true' }, 'is "true"; set one of yes, no'],
  ['KAFKA_CA', { KAFKA_CA: 'ca.pem' }, 'is set but KAFKA_TLS is not; set KAFKA_TLS=yes or unset KAFKA_CA'],
  [
    'KAFKA_CA',
    { KAFKA_TLS: 'yes', KAFKA_CA: '/gone.pem' },
    'is "/gone.pem", which cannot be read (ENOENT); set the path of a readable PEM file',
  ],
  [
    'KAFKA_SASL',
    { KAFKA_SASL: 'gssapi', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'p' },
    'is "gssapi"; set one of plain, scram-sha-256, scram-sha-512',
  ],
  ['KAFKA_SASL', { KAFKA_SASL: 'plain' }, 'is set but KAFKA_USERNAME and KAFKA_PASSWORD are not; set both'],
  ['KAFKA_SASL', { KAFKA_SASL: 'plain', KAFKA_PASSWORD: 'p' }, 'is set but KAFKA_USERNAME is not; set both'],
  ['KAFKA_USERNAME', { KAFKA_USERNAME: 'u' }, 'is set but KAFKA_SASL is not; set KAFKA_SASL or unset KAFKA_USERNAME'],
  ['KAFKA_CERT', { KAFKA_TLS: 'yes', KAFKA_CERT: 'cert.pem' }, 'is set but KAFKA_KEY is not; set both'],
  ['KAFKA_KEY', { KAFKA_KEY: 'key.pem' }, 'is set but KAFKA_TLS is not; set KAFKA_TLS=yes or unset KAFKA_CERT'],
  [
    'SCHEMA_REGISTRY_CA',
    { SCHEMA_REGISTRY_URL: 'http://h', SCHEMA_REGISTRY_CA: 'ca.pem' },
    'is set but SCHEMA_REGISTRY_URL does not start with https://; change it or unset SCHEMA_REGISTRY_CA',
  ],
  [
    'SCHEMA_REGISTRY_CERT',
    { SCHEMA_REGISTRY_URL: 'https://h', SCHEMA_REGISTRY_CERT: 'cert.pem' },
    'is set but SCHEMA_REGISTRY_KEY is not; set both',
  ],
  [
    'SCHEMA_REGISTRY_KEY',
    { SCHEMA_REGISTRY_URL: 'https://h', SCHEMA_REGISTRY_KEY: 'key.pem' },
    'is set but SCHEMA_REGISTRY_CERT is not; set both',
  ],
  [
    'REDIS_CA',
    { REDIS_URL: 'redis://h', REDIS_CA: 'ca.pem' },
    'is set but REDIS_URL does not start with rediss://; change it or unset REDIS_CA',
  ],
  ['REDIS_CERT', { REDIS_URL: 'rediss://h', REDIS_CERT: 'c' }, 'is set but REDIS_KEY is not; set both'],
  ['REDIS_KEY', { REDIS_URL: 'rediss://h', REDIS_KEY: 'k' }, 'is set but REDIS_CERT is not; set both'],
  [
    'DATABASE_URL',
    { DATABASE_URL: 'postgres://h', DATABASE_URL_FILE: '/run/secrets/url' },
    'and DATABASE_URL_FILE are both set; unset one',
  ],
  ['KAFKA_PASSWORD', { KAFKA_PASSWORD: 'p' }, 'is set but KAFKA_SASL is not; set KAFKA_SASL or unset KAFKA_PASSWORD'],
  ['SCHEMA_REGISTRY_URL', {}, 'is empty; set a URL that starts with http:// or https://'],
  [
    'SCHEMA_REGISTRY_URL',
    { SCHEMA_REGISTRY_URL: 'a:8081' },
    `${notShown}; set a URL that starts with http:// or https://`,
  ],
  ['DATABASE_URL', {}, `is empty; set ${postgresUrl}`],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://u:opensesame@h/d' }, `${notShown}; set ${postgresUrl}`],
  ['REDIS_URL', { REDIS_URL: 'localhost' }, `${notShown}; set a URL that starts with redis:// or rediss://`],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'h:4318' },
    `${notShown}; set a URL that starts with http:// or https://`,
  ],
  ['TRACE_SAMPLE', { TRACE_SAMPLE: '1.01' }, 'is "1.01"; set a number from 0 to 1, such as 0.05'],
  ['ACCESS_LOG_SAMPLE', { ACCESS_LOG_SAMPLE: '5%' }, 'is "5%"; set a number from 0 to 1, such as 0.05'],
  ['HTTP_CERT', { HTTP_CERT: 'cert.pem' }, 'is set but HTTP_KEY is not; set both'],
  ['HTTP_KEY', { HTTP_KEY: 'key.pem' }, 'is set but HTTP_CERT is not; set both'],
  ['CONSOLE_PORT', { CONSOLE_PORT: '65536' }, `is "65536"; set ${port}`],
  ['CONSOLE_CERT', { CONSOLE_CERT: 'cert.pem' }, 'is set but CONSOLE_KEY is not; set both'],
  ['CONSOLE_KEY', { CONSOLE_KEY: 'key.pem' }, 'is set but CONSOLE_CERT is not; set both'],
  [
    'CONSOLE_URL',
    { CONSOLE_URL: 'console.example.com' },
    `${notShown}; set a URL that starts with http:// or https://`,
  ],
  ['CONSOLE_PROXIES', { CONSOLE_PROXIES: 'many' }, 'is "many"; set a whole number from 0 to 10'],
  ['PORT', { PORT: '-1' }, `is "-1"; set ${port}`],
  ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '0' }, 'is "0"; set a whole number from 1 to 500'],
  ['DATABASE_STANDBYS', { DATABASE_STANDBYS: '-1' }, 'is "-1"; set a whole number from 0 to 100'],
  ['GATEWAY_PROCESSES', { GATEWAY_PROCESSES: 'all' }, 'is "all"; set a whole number from 1 to 256'],
  ['HOT_BOOK_MIB', { HOT_BOOK_MIB: '1.5' }, `is "1.5"; set ${mebibytes}`],
  ['CURSOR_KEY', { CURSOR_KEY: 'AB' }, `${notShown}; set 32 bytes in lower-case hexadecimal`],
  ['TOTP_KEY', { TOTP_KEY: 'ab'.repeat(31) }, `${notShown}; set 32 bytes in lower-case hexadecimal`],
  ['BOOK_CACHE_MIB', { BOOK_CACHE_MIB: 'many' }, `is "many"; set ${mebibytes}`],
  [
    'DATABASE_STANDBY_URL',
    { DATABASE_STANDBY_URL: 'postgres://one,other/d' },
    `${notShown}; set ${postgresUrl}, with one host and without target_session_attrs`,
  ],
  ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: 'owner' }, `${notShown}; set ${postgresUrl}`],
  ['PARTITION_DATABASE_URLS', { PARTITION_DATABASE_URLS: 'postgres://n/d' }, `${notShown}; set ${namedUrls}`],
  [
    'PARTITION_DATABASE_STANDBY_URLS',
    { PARTITION_DATABASE_STANDBY_URLS: 'north=postgres://one,other/d' },
    `${notShown}; set ${namedUrls}, with one host and without target_session_attrs`,
  ],
  ['PARTITION_DATABASE_OWNER_URLS', { PARTITION_DATABASE_OWNER_URLS: 'north=n' }, `${notShown}; set ${namedUrls}`],
];

describe('every setting', () => {
  test.each(invalidEnvironments)('%s of %j is rejected: %s', (variable, env, problem) => {
    const setting = allSettings.find((each) => each.variable === variable) as Setting<unknown>;
    expect(problemsOf(env, { setting })).toEqual([`${variable} ${problem}`]);
  });

  test('has an invalid value in this table', () => {
    const tested = new Set(invalidEnvironments.map(([variable]) => variable));
    expect(allSettings.map(({ variable }) => variable).filter((variable) => !tested.has(variable))).toEqual([]);
  });
});

describe('a secret in a file', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'lending-secrets-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  function fileWith(text: string): string {
    const path = join(dir, 'secret');
    writeFileSync(path, text);
    return path;
  }

  const secrets = allSettings.filter(({ source }) => source === 'secret').map(({ variable }) => variable);

  test('is possible for every secret', () => {
    expect(secrets.sort()).toEqual([
      'CURSOR_KEY',
      'DATABASE_OWNER_URL',
      'DATABASE_STANDBY_URL',
      'DATABASE_URL',
      'KAFKA_PASSWORD',
      'KAFKA_USERNAME',
      'PARTITION_DATABASE_OWNER_URLS',
      'PARTITION_DATABASE_STANDBY_URLS',
      'PARTITION_DATABASE_URLS',
      'REDIS_URL',
      'SCHEMA_REGISTRY_URL',
      'TOTP_KEY',
    ]);
  });

  test('is read without the new line at its end', () => {
    const { databaseUrl: setting } = backingSettings;
    const url = 'postgres://u:p@h/d';
    expect(readConfig({ DATABASE_URL_FILE: fileWith(`${url}\n`) }, { setting })).toEqual({ setting: url });
  });

  test('satisfies the settings that require it', () => {
    const [KAFKA_USERNAME_FILE, KAFKA_PASSWORD_FILE] = [fileWith('name'), fileWith('name')];
    const env = { KAFKA_SASL: 'plain', KAFKA_USERNAME_FILE, KAFKA_PASSWORD_FILE };
    expect(problemsOf(env, kafkaSettings)).toEqual([]);
  });

  test.each<[string, () => string, string]>([
    [
      'cannot be read',
      () => '/gone',
      'DATABASE_URL_FILE is "/gone", which cannot be read (ENOENT); set the path of a readable file',
    ],
    ['is empty', () => fileWith('\n'), `DATABASE_URL_FILE names an empty file; write ${postgresUrl}`],
    ['is invalid', () => fileWith('mysql://u:opensesame@h'), `DATABASE_URL ${notShown}; set ${postgresUrl}`],
  ])('that %s is reported without its text', (_why, path, problem) => {
    const { databaseUrl: setting } = backingSettings;
    expect(problemsOf({ DATABASE_URL_FILE: path() }, { setting })).toEqual([problem]);
  });
});

describe('settings of Kafka', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'lending-settings-'));
    writeFileSync(join(dir, 'ca.pem'), 'a certificate');
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test('are read as they are set, the CA certificate from its file', () => {
    const env = {
      KAFKA_BROKERS: 'a:1,b:2',
      KAFKA_TLS: 'yes',
      KAFKA_CA: join(dir, 'ca.pem'),
      KAFKA_SASL: 'scram-sha-256',
      KAFKA_USERNAME: 'lending',
      KAFKA_PASSWORD: 'opensesame',
      SCHEMA_REGISTRY_URL: 'http://h:8081',
      DATABASE_URL: 'postgres://u:p@h/d',
      REDIS_URL: 'redis://h',
    };
    expect(readConfig(env, backingSettings)).toEqual({
      kafkaBrokers: 'a:1,b:2',
      kafkaTls: 'yes',
      kafkaCa: 'a certificate',
      kafkaSasl: 'scram-sha-256',
      kafkaUsername: 'lending',
      kafkaPassword: 'opensesame',
      schemaRegistryUrl: 'http://h:8081',
      databaseUrl: 'postgres://u:p@h/d',
      partitionDatabaseUrls: new Map(),
      redisUrl: 'redis://h',
    });
  });

  test('are those of several databases by name, and no password of them is shown', () => {
    const read = (text: string) =>
      readConfig({ PARTITION_DATABASE_URLS: text }, { urls: backingSettings.partitionDatabaseUrls }).urls;
    const urls = { north: 'postgres://u:p@n/d', south: 'postgres://u:p@s/d' };
    expect(read(`north=${urls.north}\nsouth=${urls.south}`)).toEqual(new Map(Object.entries(urls)));
    for (const text of ['postgres://u:p@n/d', `north=${urls.north} north=${urls.south}`, 'north=redis://u:p@n'])
      expect(() => read(text)).toThrow('PARTITION_DATABASE_URLS is invalid (value not shown)');
  });
});
