/**
 * Locks that let one instance at a time append to a partition of the published topic. Kafka cannot reject a former owner,
 * so the right to append is an advisory lock of a Postgres session. It ends with the session, and the session of a holder
 * that hangs is terminated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Database, isEnvironmentError } from './database.ts';

/** Separates the locks of each topic from other advisory locks of the database. */
export const publishingLockClasses = { bookEvents: 77_001, movements: 77_002 } as const;
/** Longer than a send that succeeds. One that fails may be repeated by the driver after that: readers drop the repeat. */
const terminateHolderAfterMs = 5_000;
/** Longer than a claim is held: what is done under it gives up before. */
const terminateClaimAfterMs = 90_000;
/** Shorter than a holder whose session was ended needs to connect again. */
const takePollIntervalMs = 10;
/** Beside the partitions, the lock of a session that takes all of them. */
const claim = 1_000_000;

/** The session that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly applicationName: string;
  /** Null on a local socket. */
  readonly address: string | null;
}

const grantedLock = `locktype = 'advisory' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = $1 AND objid = $2
  AND mode = 'ExclusiveLock'`;

export class PublishingLocks {
  readonly #database: Database;
  readonly #lockClass: number;
  readonly #onLost: () => void;
  #client: PoolClient | undefined;
  /** The locks of the current session. Those of an earlier session ended with it. */
  #held = new Set<number>();
  readonly #refusedSince = new Map<number, number>();

  /** `onLost` is called when the session ends while no query runs. */
  constructor(
    database: Database,
    topic: keyof typeof publishingLockClasses = 'bookEvents',
    onLost: () => void = () => undefined,
  ) {
    this.#database = database;
    this.#lockClass = publishingLockClasses[topic];
    this.#onLost = onLost;
  }

  /**
   * Whether the lock is ours from now on; false while another holds it. Where this is called again and again, a holder that
   * does not release it is terminated, unless `waits`.
   */
  async acquire(partition: number, { waits = false } = {}): Promise<boolean> {
    if (this.#held.has(partition)) return true;
    const [row] = await this.#query<{ acquired: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS acquired', [
      this.#lockClass,
      partition,
    ]);
    if (row?.acquired === true) {
      this.#held.add(partition);
      this.#refusedSince.delete(partition);
      return true;
    }
    if (!waits) await this.#terminateHolderAfter(partition, terminateHolderAfterMs);
    return false;
  }

  /** Waits until the lock is ours. The session of its holder is ended after a few seconds. */
  async take(partition: number): Promise<void> {
    while (!(await this.acquire(partition))) await sleep(takePollIntervalMs);
  }

  /**
   * Waits until all these locks are ours. Until this session ends, instances that call `isClaimed` leave them alone; the
   * sessions of others are ended after a few seconds, all at once: each would take back what it had.
   */
  async claimAll(partitions: readonly number[]): Promise<void> {
    while (!(await this.acquire(claim, { waits: true }))) {
      await this.#terminateHolderAfter(claim, terminateClaimAfterMs);
      await sleep(takePollIntervalMs);
    }
    const claimedAt = performance.now();
    for (;;) {
      const isHolderLate = performance.now() - claimedAt > terminateHolderAfterMs;
      for (const partition of partitions) {
        if (!(await this.acquire(partition, { waits: true })) && isHolderLate) await this.#terminateHolder(partition);
      }
      // With the session, the claim ends.
      if (!this.#held.has(claim)) throw new DependencyUnavailableError('publishing locks');
      if (partitions.every((partition) => this.#held.has(partition))) return;
      await sleep(takePollIntervalMs);
    }
  }

  /** Whether another session wants all locks, or has them: release yours. A claim that does not end is ended. */
  async isClaimed(): Promise<boolean> {
    // Released with the statement; any number of sessions may ask at once.
    const [row] = await this.#query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock_shared($1, $2) AS free', [
      this.#lockClass,
      claim,
    ]);
    if (row?.free === true) this.#refusedSince.delete(claim);
    else await this.#terminateHolderAfter(claim, terminateClaimAfterMs);
    return row?.free !== true;
  }

  async release(partition: number): Promise<void> {
    this.#refusedSince.delete(partition);
    if (this.#held.delete(partition))
      await this.#query('SELECT pg_advisory_unlock($1, $2)', [this.#lockClass, partition]);
  }

  /** As far as this instance knows: its session may have ended unnoticed. */
  holds(partition: number): boolean {
    return this.#held.has(partition);
  }

  /** Undefined where no session holds the lock any more. */
  async findHolder(partition: number): Promise<LockHolder | undefined> {
    const [holder] = await this.#query<LockHolder>(
      `SELECT pid, application_name AS "applicationName", host(client_addr) AS address
       FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE ${grantedLock}`,
      [this.#lockClass, partition],
    );
    return holder;
  }

  /**
   * Call this directly before sending to these partitions. Rejects if the current session does not hold one of the locks.
   * After a lost session the next `acquire` opens another.
   */
  async confirmHeld(partitions: readonly number[]): Promise<void> {
    if (this.#client !== undefined) await this.#query('SELECT 1', []);
    if (!partitions.every((partition) => this.#held.has(partition)))
      throw new DependencyUnavailableError('publishing locks');
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#held = new Set();
    client?.release(true);
  }

  /** Since it was refused first. */
  async #terminateHolderAfter(partition: number, ms: number): Promise<void> {
    const since = this.#refusedSince.get(partition) ?? performance.now();
    this.#refusedSince.set(partition, since);
    if (performance.now() - since > ms) await this.#terminateHolder(partition);
  }

  async #terminateHolder(partition: number): Promise<void> {
    this.#refusedSince.delete(partition);
    await this.#query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${grantedLock} AND pid <> pg_backend_pid()`,
      [this.#lockClass, partition],
    );
  }

  async #query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
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
      if (this.#client !== client) return;
      this.close();
      this.#onLost();
    });
    try {
      // Only the login that opened a session may terminate it, not the role `lending_service`. So all processors of a
      // cell share one login.
      await client.query('SET ROLE NONE');
      return client;
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  }
}
