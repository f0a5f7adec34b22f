/** Postgres as the services use it: a pool that owns no table, numbers read as numbers, faults named. */
import type { Socket } from 'node:net';
import pg from 'pg';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';

export type Database = pg.Pool;
/** The pool, or one connection of it that somebody holds. */
export type Queryable = pg.Pool | pg.PoolClient;

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connections?: number;
  /**
   * How long one piece of work may hold a connection, and how long one is waited for: longer, and its line is taken for
   * dead. One timer looks at all lines; the driver's own, one for each statement, cost reads a third of their time and
   * batches a quarter. Left out where work may take as long as it takes.
   */
  readonly heldAtMostMs?: number;
  /** How long each answer is waited for, on connections that are held for as long as their holder lives. */
  readonly answeredWithinMs?: number;
}

const longestToConnectMs = 5_000;
const stopped = 'idle_in_transaction_session_timeout';
/**
 * So often a line is looked at before it is given up. Counted and not timed: while this process does not get to run it looks
 * once, and what was said meanwhile is heard before it looks again.
 */
const looks = 10;
const INT8 = 20;

/** Sequences, offsets and microseconds stay far below 2^53; one that does not must not be rounded in silence. */
function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what is read exactly`);
  return value;
}

/** What a server said before it let anybody in. */
const saidAtLogin = new WeakSet<Error>();

type Connect = (told: (fault?: Error) => void) => void;

class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    const connect = this.connect.bind(this) as Connect;
    const noted: Connect = (told) =>
      connect((fault) => {
        if (fault) saidAtLogin.add(fault);
        told(fault);
      });
    this.connect = noted as typeof this.connect;
  }
}

/** How values are read. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return integer;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** The role is taken on at login: whatever the address logs in as, a service cannot alter or drop a table. */
export function openDatabase(options: DatabaseOptions): Database {
  const { connections = 8, heldAtMostMs, answeredWithinMs } = options;
  // Every statement of the services goes by an index, and by one plan whatever is asked: planned anew for each question, a
  // book from Postgres alone took twice as long. A plan is kept with its statement, and one that was made while a table was
  // small would read the whole of it ever after.
  const plans = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan';
  // What nobody waits for any more is ended there as well, and does not wait for a lock in its turn; nor does whoever stands
  // still within a transaction keep anybody from what it locked.
  const longest = answeredWithinMs ?? heldAtMostMs;
  const ending = longest === undefined ? '' : ` -c statement_timeout=${longest} -c ${stopped}=${longest}`;
  const settings = `-c role=lending_service -c synchronous_commit=on ${plans}${ending}`;
  const pool = openPool({ ...options, connections }, settings);
  if (heldAtMostMs !== undefined) endHeldFor(pool, heldAtMostMs);
  return pool;
}

/** A pool whose connections begin with these settings. */
export function openPool(
  { url, name, connections, heldAtMostMs, answeredWithinMs }: DatabaseOptions & { readonly connections: number },
  settings: string,
): Database {
  const pool = new pg.Pool({
    Client: Client as unknown as NonNullable<pg.PoolConfig['Client']>,
    connectionString: url,
    application_name: name,
    options: settings,
    max: connections,
    connectionTimeoutMillis: Math.min(answeredWithinMs ?? heldAtMostMs ?? longestToConnectMs, longestToConnectMs),
    ...(answeredWithinMs === undefined ? {} : { query_timeout: answeredWithinMs }),
    keepAlive: true,
    // A line that died without a word is found out about while nothing is asked on it.
    keepAliveInitialDelayMillis: 10_000,
    types,
  });
  // A connection that breaks is replaced at its next use, and whoever holds it is told when they ask on it; without
  // listeners, to the pool for the idle and to each for the held, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A network that swallows says nothing: whoever waits on such a line is told that it ended, and asks on another. */
function endHeldFor(pool: pg.Pool, mostMs: number): void {
  const everyMs = mostMs / looks;
  const seen = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => seen.set(client, 0));
  pool.on('release', (_fault, client) => seen.delete(client));
  pool.on('remove', (client) => seen.delete(client));
  const look = (): void => {
    for (const [client, times] of seen) {
      if (times < looks) seen.set(client, times + 1);
      else lineOf(client).destroy(new Error(`nothing said for ${mostMs} ms`));
    }
  };
  setInterval(look, everyMs).unref();
}

/** Not in the types of the driver: its own end would wait for the server to take leave. */
function lineOf(client: pg.PoolClient): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** A statement the server keeps prepared under its name. */
export async function query<Row>(
  database: Queryable,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const result = await database.query({ name, text, values: values as unknown[] });
    return result.rows as Row[];
  } catch (cause) {
    throw isFault(cause) ? new DependencyUnavailableError(name, { cause }) : cause;
  }
}

/** All of the work or none of it. */
export async function inTransaction<T>(database: Database, work: (connection: Queryable) => Promise<T>): Promise<T> {
  const connection = await database.connect();
  let broken: Error | undefined;
  try {
    await connection.query('BEGIN');
    const done = await work(connection);
    await connection.query('COMMIT');
    return done;
  } catch (cause) {
    // A connection on which nothing can be taken back is of no use to whoever would get it next.
    await connection.query('ROLLBACK').catch((error: Error) => {
      broken = error;
    });
    throw cause;
  } finally {
    connection.release(broken);
  }
}

/**
 * Whether it is the world's: whatever does not say of the values themselves that they cannot be held (a cardinality, a
 * value, a constraint, a limit), or that they were damaged where they lay. A login that was changed, a table that a release
 * brings and that is not there yet and a server that stumbles over itself pass, and nothing may be made of them that
 * stays (A9).
 */
export function isFault(cause: unknown): boolean {
  // By some of the same codes: a role that is not there is an invalid value of a setting.
  if (cause instanceof Error && saidAtLogin.has(cause)) return true;
  // What cannot be said in the form of its column.
  if (cause instanceof TypeError || cause instanceof RangeError) return false;
  const state = (cause as { code?: unknown } | null)?.code;
  return typeof state !== 'string' || !/^((21|22|23|54)[0-9A-Z]{3}|XX00[12])$/.test(state);
}
