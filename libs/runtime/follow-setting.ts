/** Settings whose files are read again when they change, so that a renewed secret or certificate needs no restart. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { reportAuthorities, reportCertificate } from './certificate-expiry.ts';
import { ConfigurationError, type Environment, readConfig, type Setting, settingFile } from './config.ts';
import { backingSettings, type TlsSettings } from './connection-settings.ts';
import { type Logger, silentLogger } from './logging.ts';

/** A URL, or a function where it may change while the process runs. The function is called for each new connection. */
export type UrlSource = string | CurrentUrl;

interface CurrentUrl {
  (): string;
  /** Where the URL is found, if it is not the usual setting of its kind. */
  readonly setting?: string;
}

export function currentUrl(url: UrlSource): string {
  return typeof url === 'string' ? url : url();
}

/** Texts are polled: a mounted secret is replaced by changing a link, of which the system reports nothing. */
const pollIntervalMs = 1_000;

/** The value of the setting at the time of the call: that of its file, or else always the same. */
export function followSetting<Value>(
  env: Environment,
  setting: Setting<Value>,
  logger: Logger = silentLogger,
): () => Value {
  const read = (): Value => readConfig(env, { value: setting }).value;
  let value: Value;
  const reload = (): void => {
    value = read();
  };
  watchFiles(env, [setting], logger, reload);
  reload();
  return () => value;
}

/** The addresses of the backing services, which hold credentials. */
export function followAddresses(env: Environment, logger: Logger) {
  return {
    databaseUrl: followSetting(env, backingSettings.databaseUrl, logger),
    partitionDatabaseUrls: followSetting(env, backingSettings.partitionDatabaseUrls, logger),
    redisUrl: followSetting(env, backingSettings.redisUrl, logger),
    schemaRegistryUrl: followSetting(env, backingSettings.schemaRegistryUrl, logger),
  };
}

/** The PEM texts of a connection. Without `ca` the authorities that Node knows apply. */
export interface TlsFiles {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Certificates that the listener is called with when they have changed. */
export type TlsSource = (onChange: (files: TlsFiles) => void) => () => TlsFiles;

/** The certificates at the time of the call. A new certificate is not used before its key is there, too. */
export function followTls(
  env: Environment,
  { ca, cert, key }: TlsSettings,
  logger: Logger = silentLogger,
  onChange: (files: TlsFiles) => void = () => undefined,
): () => TlsFiles {
  const settings: Record<string, Setting<string | undefined>> = { ...(ca === undefined ? {} : { ca }), cert, key };
  const read = (): TlsFiles => {
    const { ca: authority, ...own } = readConfig(env, settings);
    const given = Object.entries(own).filter(([, text]) => text !== undefined);
    return { ...(authority === undefined ? {} : { ca: [authority] }), ...Object.fromEntries(given) };
  };
  let files: TlsFiles = {};
  watchFiles(env, Object.values(settings), logger, () => {
    const changed = read();
    createSecureContext(changed);
    files = changed;
    onChange(files);
  });
  files = read();
  if (ca !== undefined) reportAuthorities(ca.variable, () => files.ca?.[0]);
  reportCertificate(cert.variable, () => files.cert);
  return () => files;
}

/** As options of a connection: drivers read the properties when they connect. */
export function tlsOptions(files: () => TlsFiles): TlsFiles {
  const names = Object.keys(files()) as (keyof TlsFiles)[];
  const properties = names.map((name) => [name, { enumerable: true, get: () => files()[name] }] as const);
  return Object.defineProperties({}, Object.fromEntries(properties));
}

/** Call it before the first read. `reload` throws where the new texts cannot be used; then the old ones stay in use. */
function watchFiles(env: Environment, settings: readonly Setting<unknown>[], logger: Logger, reload: () => void): void {
  for (const setting of settings) {
    const path = settingFile(env, setting);
    if (path === undefined) continue;
    const { variable } = setting;
    onTextChange(path, () => {
      try {
        reload();
        logger.info({ event: 'settings.reloaded', setting: variable }, `${variable}: the file has changed and is used`);
      } catch (err) {
        const fields = {
          setting: variable,
          ...(err instanceof ConfigurationError ? { problems: err.problems } : { err }),
        };
        const message = `${variable}: the changed file cannot be used; the value read before stays in use`;
        logger.warn({ event: 'settings.reload_failed', ...fields }, message);
      }
    });
  }
}

/** The process does not wait for the timer at its end. */
function onTextChange(path: string, listener: () => void): void {
  let text = readIfPossible(path);
  const poll = async (): Promise<void> => {
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === text) return;
    text = found;
    listener();
  };
  setInterval(() => void poll(), pollIntervalMs).unref();
}

function readIfPossible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
