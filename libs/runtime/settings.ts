/** Every environment variable that services and tools read, in groups by who reads them. */
import {
  choiceSetting,
  type DescribedSetting,
  described,
  fractionSetting,
  hostSetting,
  integerSetting,
  invalidSecret,
  mebibytesSetting,
  namedPostgresUrlsSetting,
  optional,
  portSetting,
  postgresUrlSetting,
  type Setting,
  secret,
  urlSetting,
} from './config.ts';
import {
  backingSettings,
  certificateSettings,
  ownerUrlSetting,
  partitionOwnerUrlsSetting,
} from './connection-settings.ts';
import { heapShareBytes } from './heap-shares.ts';

/** For every service. */
export const processSettings = {
  logLevel: described(
    'Logs are JSON on standard output, with `request_id` and without secrets.',
    choiceSetting('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ),
  host: described(
    "The address that the callers' port and the operators' port listen on. Set it to 0.0.0.0 in a container, with IPv6 to ::, which on Linux accepts IPv4, too.",
    hostSetting('HOST', '127.0.0.1'),
    '127.0.0.1: only this machine',
  ),
  metricsPort: described(
    "Port of `/livez`, `/readyz` and Prometheus's `/metrics`. Keep it unreachable for callers.",
    portSetting('METRICS_PORT', 0),
    'any free port',
  ),
  drainMs: described(
    'How long a service keeps serving after its `/readyz` turned to 503 at the shutdown, in milliseconds. A little more ' +
      'than the poll interval of the load balancer times the failures it needs.',
    integerSetting('DRAIN_MS', { min: 0, max: 300_000, fallback: 0 }),
  ),
};

/** For every service. The exporter of OpenTelemetry reads the endpoint and its other settings itself. */
export const tracingSettings = {
  endpoint: described(
    'Where traces are sent, by OTLP over HTTP. Without it nothing is traced.',
    optional(urlSetting('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])),
  ),
  sample: described(
    'The share of requests without a `traceparent` that are traced, from 0 to 1.',
    fractionSetting('TRACE_SAMPLE', 0.01),
  ),
};

/** Of the port of the API. */
export const httpTls = certificateSettings('HTTP', 'with which the API is served by HTTPS; without it by HTTP');

/** For services with an HTTP port. */
export const httpSettings = {
  port: described('Port of the API.', portSetting('PORT', 8080)),
  httpCert: httpTls.cert,
  httpKey: httpTls.key,
  databaseConnections: described(
    'Connections to Postgres of each process for requests. Three more are for keys, the request log and health. As many may be ' +
      'open to the standby of `DATABASE_STANDBY_URL`.',
    integerSetting('DATABASE_CONNECTIONS', { min: 1, max: 500, fallback: 8 }),
  ),
  accessLogSample: described(
    'The share of answered requests that are logged, from 0 to 1. Those answered with 5xx are always logged.',
    fractionSetting('ACCESS_LOG_SAMPLE', 0),
  ),
};

/** For services that export or show what Postgres says about itself. */
export const monitoringSettings = {
  databaseStandbys: described(
    'Standbys that Postgres should have. With fewer, the alert `LendingStandbyMissing` is raised, and the console names it a ' +
      'problem. With 0 the loss of one raises nothing.',
    integerSetting('DATABASE_STANDBYS', { min: 0, max: 100, fallback: 0 }),
  ),
};

export const gatewaySettings = {
  processes: described(
    'Processes of the gateway.',
    integerSetting('GATEWAY_PROCESSES', { min: 1, max: 256, fallback: 1 }),
  ),
};

export const processorSettings = {
  maxCachedBytes: described(
    'Memory of the cache of books, in MiB. Other books are read from their snapshots.',
    mebibytesSetting('HOT_BOOK_MIB', heapShareBytes('processorBooks')),
    '1,536, or less: 30 % of the heap',
  ),
};

const keyForm = '32 bytes in lower-case hexadecimal';

/** One key, or two of which the second is being replaced by the first. */
function keysSetting(variable: string): Setting<readonly Buffer[] | undefined> {
  return secret({
    variable,
    expected: keyForm,
    fallback: undefined,
    parse: (text) =>
      /^[0-9a-f]{64}(,[0-9a-f]{64})?$/.test(text)
        ? text.split(',').map((key) => Buffer.from(key, 'hex'))
        : invalidSecret(keyForm),
  });
}

export const querySettings = {
  cursorKeys: described(
    'Key of the cursors of listings, 32 bytes in hexadecimal. Of two keys with a comma between them the first signs, and ' +
      'both are accepted.',
    // Cursors never expire: a Tenancy that moves to another cell takes the key along.
    keysSetting('CURSOR_KEY'),
    "the cell's own, from the database",
  ),
  maxCachedBytes: described(
    'Memory of the cache of books of each process that serves reads, in MiB.',
    mebibytesSetting('BOOK_CACHE_MIB', heapShareBytes('queryBooks')),
    '15 % of the heap, at most 640',
  ),
};

/** For services that answer reads of callers. */
export const standbySettings = {
  standbyUrl: described(
    'A standby of Postgres, or a balancer before several, with the login of `DATABASE_URL`. Books that neither memory nor Redis ' +
      'has are read from it. The primary still says how many facts a book has, and is read itself where the standby is behind ' +
      'or does not answer.',
    optional(secret(postgresUrlSetting('DATABASE_STANDBY_URL', { isStandby: true }))),
    'none: books are read from the primary',
  ),
  partitionStandbyUrls: described(
    'The same for the databases of `PARTITION_DATABASE_URLS`, by their names.',
    secret(namedPostgresUrlsSetting('PARTITION_DATABASE_STANDBY_URLS', { isStandby: true })),
    'none: books are read from the primaries',
  ),
};

/** Of the port of the console. */
export const consoleTls = certificateSettings(
  'CONSOLE',
  'with which the console is served by HTTPS; without it by HTTP',
);

export const consoleSettings = {
  port: described('Port of the console.', portSetting('CONSOLE_PORT', 8090)),
  cert: consoleTls.cert,
  key: consoleTls.key,
  url: described(
    'The address at which people open the console. Where it starts with https, its cookies are sent by HTTPS only; set it ' +
      'where a proxy serves HTTPS. Passkeys are bound to its host name, and need one.',
    optional(urlSetting('CONSOLE_URL', ['http', 'https'])),
    '`http://127.0.0.1:` and the port',
  ),
  proxies: described(
    'Proxies before the console, whose entries in `X-Forwarded-For` are believed.',
    integerSetting('CONSOLE_PROXIES', { min: 0, max: 10, fallback: 0 }),
  ),
  totpKeys: described(
    'Key with which the secrets of authenticator apps are encrypted in the database, 32 bytes in hexadecimal. Of two keys with a ' +
      'comma between them the first encrypts, and both decrypt.',
    keysSetting('TOTP_KEY'),
    'none: they are stored as they are',
  ),
};

/** For the command line, which checks the texts itself. */
export const callerSettings = {
  url: described('URL of the service.', textSetting('LENDING_URL')),
  key: described("Secret of a Tenancy's key, `lsk_test_…` or `lsk_live_…`.", secret(textSetting('LENDING_KEY'))),
  tenant: described('The Tenancy, where `--tenant` does not name one.', textSetting('LENDING_TENANT')),
  actor: described(
    'Who is recorded as the actor, where `--actor` does not name one.',
    textSetting('LENDING_ACTOR'),
    'the login of this machine',
  ),
  profile: described('The profile, where `--profile` does not name one.', textSetting('LENDING_PROFILE')),
  config: described(
    'The file of the profiles, as `lending profile set` writes it.',
    textSetting('LENDING_CONFIG'),
    '`~/.config/lending/config.json`',
  ),
};

function textSetting(variable: string): Setting<string | undefined> {
  return { variable, expected: 'text', fallback: undefined, parse: (text) => text };
}

interface SettingGroup {
  /** Who reads them, for the reference. */
  readonly readBy: string;
  readonly settings: readonly DescribedSetting<unknown>[];
}

export const settingGroups: readonly SettingGroup[] = [
  { readBy: 'Every service', settings: Object.values({ ...processSettings, ...tracingSettings }) },
  { readBy: 'Every service, and the commands of an operator', settings: Object.values(backingSettings) },
  { readBy: 'gateway, ingress, query', settings: Object.values(httpSettings) },
  { readBy: 'gateway, ingress, query, processor, console', settings: Object.values(monitoringSettings) },
  { readBy: 'gateway', settings: Object.values(gatewaySettings) },
  { readBy: 'gateway, query, console', settings: Object.values(querySettings) },
  { readBy: 'gateway, query', settings: Object.values(standbySettings) },
  {
    readBy:
      'console; `CONSOLE_PORT` and `CONSOLE_URL` also by console invite, `TOTP_KEY` also by console encrypt-secrets',
    settings: Object.values(consoleSettings),
  },
  { readBy: 'processor', settings: Object.values(processorSettings) },
  { readBy: 'prepare, rebuild, topic, reconcile, login', settings: [ownerUrlSetting] },
  { readBy: 'prepare, rebuild, topic, reconcile, login', settings: [partitionOwnerUrlsSetting] },
];

export const callerSettingGroup: SettingGroup = {
  readBy: 'The command line',
  settings: Object.values(callerSettings),
};

export const allSettings = settingGroups.flatMap(({ settings }) => settings);
