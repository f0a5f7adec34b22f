/** The servers of a Postgres address with one or several hosts, and which of them is the primary, also after a failover. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { reportAuthorities, reportCertificate } from '#libs/runtime/certificate-expiry.ts';
import { currentUrl, type UrlSource } from '#libs/runtime/follow-setting.ts';
import { type PostgresAddress, parsePostgresUrl } from '#libs/runtime/postgres-url.ts';

/** Shorter than a pool waits for a connection. */
const probeTimeoutMs = 1_500;

/** A server that is up and does not accept writes. Temporary during a failover. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';

  constructor() {
    super('Postgres is in recovery (a standby), expected the primary');
  }
}

export class PostgresServers {
  readonly #url: UrlSource;
  #text: string | undefined;
  #address: PostgresAddress = { urls: [], requiresPrimary: false };
  /** Unknown at first, and after a connection to it has failed. */
  #primaryUrl: string | undefined;
  #search: Promise<string> | undefined;

  constructor(url: UrlSource) {
    this.#url = url;
  }

  get requiresPrimary(): boolean {
    return this.#read().requiresPrimary;
  }

  /** The server to connect to, as far as is known without asking: login and options are those of every server. */
  get likelyUrl(): string {
    const { urls } = this.#read();
    return this.#primaryUrl ?? (urls[0] as string);
  }

  /** The URL of the only server, or of the one that is the primary now. */
  async findUrl(): Promise<string> {
    const { urls } = this.#read();
    if (urls.length === 1 || this.#primaryUrl !== undefined) return this.likelyUrl;
    this.#search ??= findPrimary(urls).finally(() => {
      this.#search = undefined;
    });
    this.#primaryUrl = await this.#search;
    return this.#primaryUrl;
  }

  /** A connection to this server failed, or it is no primary: the next one asks all servers. */
  forget(url: string): void {
    if (this.#primaryUrl === url) this.#primaryUrl = undefined;
  }

  /** For an alert before they expire. The driver reads these files for each connection. */
  reportCertificates(setting: string): void {
    reportCertificate(`${setting} sslcert`, () => this.#fileOf('sslcert'));
    reportAuthorities(`${setting} sslrootcert`, () => this.#fileOf('sslrootcert'));
  }

  #fileOf(parameter: string): string | undefined {
    const path = new URL(this.likelyUrl).searchParams.get(parameter);
    return path === null ? undefined : readFileSync(path, 'utf8');
  }

  #read(): PostgresAddress {
    const text = currentUrl(this.#url);
    if (text === this.#text) return this.#address;
    const address = parsePostgresUrl(text);
    if (address === undefined) throw new TypeError('invalid Postgres address (not shown)');
    this.#text = text;
    this.#address = address;
    this.#primaryUrl = undefined;
    return address;
  }
}

/** For drivers that accept a single host. */
export function findPrimaryUrl(url: string): Promise<string> {
  return new PostgresServers(url).findUrl();
}

/** All are asked at once: one that does not answer must not delay the others. */
async function findPrimary(urls: readonly string[]): Promise<string> {
  try {
    return await Promise.any(urls.map(requirePrimary));
  } catch (cause) {
    const reasons = (cause as AggregateError).errors.map(
      (error: NodeJS.ErrnoException, index) => `${hostOf(urls[index] as string)}: ${error.code ?? error.message}`,
    );
    throw new Error(`no primary among the Postgres servers (${reasons.join('; ')})`, { cause });
  }
}

async function requirePrimary(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'find primary',
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ in_recovery: boolean }>('SELECT pg_is_in_recovery() AS in_recovery');
    if (rows[0]?.in_recovery !== false) throw new StandbyError();
    return url;
  } finally {
    void client.end().catch(() => undefined);
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}
