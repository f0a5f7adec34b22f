/** Opens connection pools to Postgres: for services, for reading audits, and for the owner of the tables. */
import pg from 'pg';
import { readVersion } from '#libs/runtime/build.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { PostgresServers } from './postgres-servers.ts';
import {
  checkSession,
  type RequestedSession,
  requestSession,
  type SessionSettings,
  SessionSettingsError,
  startupOptions,
} from './session-settings.ts';

export interface DatabaseOptions {
  /** May name several hosts. */
  readonly url: UrlSource;
  /** Shown in pg_stat_activity, with the version of this release. */
  readonly name: string;
  readonly connections?: number;
  /**
   * How long a connection may be held before it is considered dead, and how long to wait for a free one. Without it
   * statements have no time limit. One shared timer checks all connections: a timer of the driver for each statement
   * costs reads a third of their time.
   */
  readonly maxHoldMs?: number;
  /** For reads: whether the address may be that of a standby. */
  readonly acceptsStandby?: boolean;
  /** How long to wait for each answer, on connections that are held for the lifetime of the process. */
  readonly answerTimeoutMs?: number;
}

const maxConnectTimeoutMs = 5_000;
const keepAliveDelayMs = 10_000;
const maxSessionSeconds = 600;
/** Checks of a held connection within `maxHoldMs`. */
const checksPerHold = 10;
const int8Oid = 20;

/** A pool with the rights of the services: whatever role the URL logs in as, sessions run as `lending_service`. */
export function openDatabase(options: DatabaseOptions): pg.Pool {
  const { connections = 8, maxHoldMs, answerTimeoutMs, acceptsStandby = false } = options;
  // Every statement of the services is served by an index, and by one plan for all parameters: planning each execution
  // doubles the time of reading a book, and a plan made while a table was small would scan all of it later.
  // Such a plan counts the tables of all partitions as costs, and would be compiled again in each execution.
  const planning = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan', jit: 'off' };
  // The server ends abandoned statements and transactions too, so that they do not keep locks.
  const timeoutMs = answerTimeoutMs ?? maxHoldMs;
  const timeouts =
    timeoutMs === undefined
      ? {}
      : { statement_timeout: String(timeoutMs), idle_in_transaction_session_timeout: String(timeoutMs) };
  const settings = { role: 'lending_service', synchronous_commit: 'on', ...planning, ...timeouts };
  const pool = openPool({ ...options, connections, requiresPrimary: !acceptsStandby }, settings);
  if (maxHoldMs !== undefined) closeHeldConnections(pool, maxHoldMs);
  return pool;
}

/** For an audit: read-only, with the rights of the services. */
export function openReadOnlyDatabase({ url, name, connections = 2 }: DatabaseOptions): pg.Pool {
  const settings = { role: 'lending_service', default_transaction_read_only: 'on', jit: 'off' };
  return openPool({ url, name, connections, waitsForConnection: true }, settings);
}

/** For a rebuild: as the owner of the tables in `schema`. Commits are not durable until the caller makes them so. */
export function openOwnerDatabase({ url, name, connections = 4 }: DatabaseOptions, schema: string): pg.Pool {
  const settings = { search_path: schema, synchronous_commit: 'off', maintenance_work_mem: '131072', jit: 'off' };
  return openPool({ url, name, connections, requiresPrimary: true, waitsForConnection: true }, settings);
}

interface PoolOptions extends DatabaseOptions {
  readonly connections: number;
  /** Whether connections to a standby are refused, whatever the address says. */
  readonly requiresPrimary?: boolean;
  /** Whether a statement may wait without limit for a free connection: those of commands take minutes. */
  readonly waitsForConnection?: boolean;
}

/** A pool whose connections have these settings. */
export function openPool(options: PoolOptions, settings: SessionSettings): pg.Pool {
  const { url, name, connections, maxHoldMs, answerTimeoutMs, requiresPrimary = false, waitsForConnection } = options;
  const servers = new PostgresServers(url);
  servers.reportCertificates(settingOf(options));
  const connectTimeoutMs = Math.min(answerTimeoutMs ?? maxHoldMs ?? maxConnectTimeoutMs, maxConnectTimeoutMs);
  const pool = new pg.Pool({
    Client: class extends PostgresClient {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionTimeoutMillis: connectTimeoutMs }, { servers, settings, requiresPrimary });
      }
    },
    application_name: `${name}/${readVersion()}`,
    max: connections,
    // The pool counts the wait for a free connection as well.
    connectionTimeoutMillis: waitsForConnection === true ? 0 : connectTimeoutMs,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    // Of a changed login: within this time no session of the former one is left.
    maxLifetimeSeconds: maxSessionSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    types,
  });
  // A broken connection is replaced at its next use and its holder gets the error. Without these listeners, here for
  // idle connections and on each client for others, it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

function settingOf({ url, acceptsStandby }: DatabaseOptions): string {
  if (typeof url !== 'string' && url.setting !== undefined) return url.setting;
  return acceptsStandby === true ? 'DATABASE_STANDBY_URL' : 'DATABASE_URL';
}

/** Connects once: a service must not start on connections that it cannot use. */
export async function testConnection(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (cause) {
    if (cause instanceof SessionSettingsError) throw cause;
    throw new DependencyUnavailableError('Postgres', { cause });
  }
}

/** Whether the server refused the login, whatever the error code says. */
export function isLoginError(cause: unknown): boolean {
  return cause instanceof Error && loginErrors.has(cause);
}

const loginErrors = new WeakSet<Error>();

interface ClientSource {
  readonly servers: PostgresServers;
  readonly settings: SessionSettings;
  readonly requiresPrimary: boolean;
}

type ConnectCallback = (error: Error | null) => void;

/**
 * A connection to the primary whose session is checked. Remembers the errors the server reports before the login
 * succeeds: some have the codes of invalid values.
 */
class PostgresClient extends pg.Client {
  readonly #url: string;
  readonly #source: ClientSource;
  readonly #session: RequestedSession;

  constructor(config: pg.ClientConfig = {}, source: ClientSource) {
    const session = requestSession(source.settings);
    const url = source.servers.likelyUrl;
    super({ ...config, connectionString: url, options: startupOptions(session) });
    this.#url = url;
    this.#source = source;
    this.#session = session;
    this.on('error', () => undefined);
    const remember = (error: Error): void => {
      loginErrors.add(error);
    };
    this.connection.on('errorMessage', remember);
    this.connection.once('readyForQuery', () => this.connection.off('errorMessage', remember));
  }

  override connect(): Promise<this>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<this> | undefined {
    const opened = this.#open();
    if (callback === undefined) return opened;
    opened.then(() => callback(null), callback);
    return undefined;
  }

  async #open(): Promise<this> {
    const { servers, requiresPrimary } = this.#source;
    const url = await servers.findUrl();
    if (url !== this.#url) {
      const { host, port } = new pg.Client({ connectionString: url });
      Object.assign(this, { host, port });
    }
    try {
      await super.connect();
      await checkSession(this, this.#session, requiresPrimary || servers.requiresPrimary);
    } catch (cause) {
      servers.forget(url);
      // The pool does not close a connection that it has not received.
      void this.end().catch(() => undefined);
      throw cause;
    }
    return this;
  }
}

/** Numbers are read as numbers. One beyond 2^53 must fail instead of being rounded. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8Oid && format !== 'binary') return safeInteger;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond 2^53 and cannot be read exactly`);
  return value;
}

/**
 * Closes connections held for longer than `maxHoldMs`: a dead network reports nothing. Checks are counted instead of
 * timed, so that a process that was paused first reads what arrived meanwhile.
 */
function closeHeldConnections(pool: pg.Pool, maxHoldMs: number): void {
  const checks = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => checks.set(client, 0));
  pool.on('release', (_error, client) => checks.delete(client));
  pool.on('remove', (client) => checks.delete(client));
  const check = (): void => {
    for (const [client, count] of checks) {
      if (count < checksPerHold) checks.set(client, count + 1);
      else destroySocket(client, new Error(`Postgres did not answer within ${maxHoldMs} ms`));
    }
  };
  setInterval(check, maxHoldMs / checksPerHold).unref();
}

/** The driver's own `end` would wait for the server. */
function destroySocket(client: pg.ClientBase, reason: Error): void {
  if (client instanceof pg.Client) client.connection.stream.destroy(reason);
}
