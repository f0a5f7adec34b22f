/**
 * Who may append to a partition of the published topic. The topic itself cannot turn a former owner away, so the right
 * to append is a lock of a Postgres session: it ends with its holder, and is taken from one that neither works nor ends.
 */
import type { PoolClient } from 'pg';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Database, isEnvironmentError } from './database.ts';

/** Tells these locks from any others in the database. */
const lockClass = 77_001;
/** Longer than a holder needs to finish what it is sending. */
const takenFromAfterMs = 5_000;

export class PublishingLocks {
  readonly #database: Database;
  #client: PoolClient | undefined;
  /** By the session that stands now: what one before it held is nobody's until it is taken again. */
  #held = new Set<number>();
  readonly #refusedSince = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether the lock is ours from now on; false while another holds it. */
  async take(partition: number): Promise<boolean> {
    if (this.#held.has(partition)) return true;
    const [row] = await this.#ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      lockClass,
      partition,
    ]);
    if (row?.taken === true) {
      this.#held.add(partition);
      this.#refusedSince.delete(partition);
      return true;
    }
    const since = this.#refusedSince.get(partition) ?? performance.now();
    this.#refusedSince.set(partition, since);
    if (performance.now() - since > takenFromAfterMs) await this.#takeFromHolder(partition);
    return false;
  }

  async release(partition: number): Promise<void> {
    this.#refusedSince.delete(partition);
    if (this.#held.delete(partition)) await this.#ask('SELECT pg_advisory_unlock($1, $2)', [lockClass, partition]);
  }

  /** As far as we were told: a session may have ended without a word. */
  holds(partition: number): boolean {
    return this.#held.has(partition);
  }

  /**
   * Asked last before anything is sent to these: rejects where one of them is not held by the session that stands. Some
   * session does soon after one was lost, for the first lock that is asked for opens another.
   */
  async confirm(partitions: readonly number[]): Promise<void> {
    if (this.#client !== undefined) await this.#ask('SELECT 1', []);
    if (!partitions.every((partition) => this.#held.has(partition)))
      throw new DependencyUnavailableError('publishing locks');
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#held = new Set();
    client?.release(true);
  }

  async #takeFromHolder(partition: number): Promise<void> {
    this.#refusedSince.delete(partition);
    await this.#ask(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND classid = $1 AND objid = $2 AND pid <> pg_backend_pid()`,
      [lockClass, partition],
    );
  }

  async #ask<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      this.#client ??= await this.#connect();
      return (await this.#client.query(text, values as unknown[])).rows as Row[];
    } catch (cause) {
      this.close();
      throw isEnvironmentError(cause) ? new DependencyUnavailableError('publishing locks', { cause }) : cause;
    }
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#database.connect();
    client.on('error', () => {
      if (this.#client === client) this.close();
    });
    try {
      // A session may only be ended by the login it was opened with, which for the services may do nothing more than
      // the role they take on: so all processors of a cell share one login.
      await client.query('SET ROLE NONE');
      return client;
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  }
}
