/**
 * The registered keys in memory, refreshed from Postgres several times a second and immediately when Redis announces a
 * change, so that a revocation takes effect within a second even without Redis. Without an answer of Postgres the keys
 * count as unknown and requests are refused. After a pause of the process itself, requests wait for a refresh instead.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import {
  InMemoryKeyRing,
  type KeyHolder,
  type KeyRing,
  type RegisteredKey,
  type RegisteredTenancy,
  type Scope,
} from '#libs/auth/key-ring.ts';
import { keepSubscribed } from '#libs/redis/redis.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { type Database, query } from './database.ts';
import { type BoundsSettings, boundsFromColumn } from './tenancies.ts';

/** The Redis channel on which changes of keys and Tenancies are announced. */
export const keysChannel = 'keys';

/** Where `partition` is set, nothing else is: the database does not have this partition. */
interface ChangedRow {
  readonly revision: number;
  readonly tenant_id: string;
  readonly live: boolean | null;
  readonly jurisdiction: string | null;
  readonly time_zone: string | null;
  readonly bounds: BoundsSettings | null;
  readonly fp: string | null;
  readonly public_key: Buffer | null;
  readonly scope: Scope | null;
  readonly holder: KeyHolder | null;
  readonly revoked_at: number | null;
  readonly partition: number | null;
  readonly is_key: boolean;
}

const changesSql = `
  SELECT false AS is_key, revision, tenant_id, live, jurisdiction, time_zone, bounds,
    NULL AS fp, NULL::bytea AS public_key, NULL AS scope, NULL AS holder, NULL::bigint AS revoked_at, NULL::int AS partition
  FROM tenancies WHERE revision > $1
  UNION ALL
  SELECT true, revision, tenant_id, NULL, NULL, NULL, NULL, fp, public_key, scope, holder, revoked_at, NULL
  FROM keys WHERE revision > $1
  UNION ALL
  SELECT false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, partition FROM partition_placement
  ORDER BY revision, partition`;

const refreshIntervalMs = 150;
/** The promised second, less the time for which a request may already have been in progress. */
const maxAgeMs = 950;

export class PolledKeyRing implements KeyRing {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #keys = new InMemoryKeyRing();
  readonly #loopClock = new EventLoopClock();
  #revision = 0;
  #elsewhere: readonly number[] = [];
  #onPartitionsChanged: (() => void) | undefined;
  /** When the last successful refresh began, by the wall clock and by the event loop's clock. */
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #refreshedAtLoopTime = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;
  #isRefreshRequested = false;
  #isFailing = false;
  #isClosed = false;

  private constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** `database` must not be shared: a refresh that waits behind requests is late under load. */
  static async open(database: Database, subscriber: Redis, logger: Logger): Promise<PolledKeyRing> {
    const keyRing = new PolledKeyRing(database, logger);
    subscriber.on('message', (channel) => {
      if (channel === keysChannel) keyRing.#requestRefresh();
    });
    keepSubscribed(subscriber, keysChannel);
    // The service may start before Postgres: requests are refused until it answers.
    await keyRing.#refresh().catch((cause: unknown) => {
      if (!(cause instanceof DependencyUnavailableError)) throw cause;
      keyRing.#logFailure(cause);
    });
    keyRing.#schedule(refreshIntervalMs);
    return keyRing;
  }

  find(fp: string): RegisteredKey | undefined {
    if (!this.#isCurrent()) throw new DependencyUnavailableError('keys');
    return this.#keys.find(fp);
  }

  lastKnownTenancyId(fp: string): string | undefined {
    return this.#keys.lastKnownTenancyId(fp);
  }

  refreshed(): Promise<void> | undefined {
    if (this.#isCurrent() || this.#loopClock.now() - this.#refreshedAtLoopTime > maxAgeMs) return undefined;
    this.#requestRefresh();
    return this.#refreshing;
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#keys.tenancy(id);
  }

  /** Reads the keys from now on, or once more where they are being read. */
  async readAgain(): Promise<void> {
    await this.#refreshing;
    this.#requestRefresh();
    await this.#refreshing;
  }

  get hasAllPartitions(): boolean {
    return this.#elsewhere.length === 0;
  }

  /** Whether the database has the keys of this partition, as it said when they were read. */
  hasPartition(partition: number): boolean {
    return !this.#elsewhere.includes(partition);
  }

  /** After a partition has left the database, or is about to come. */
  onPartitionsChanged(listener: () => void): void {
    this.#onPartitionsChanged = listener;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#loopClock.stop();
  }

  #isCurrent(): boolean {
    return performance.now() - this.#refreshedAt <= maxAgeMs;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#requestRefresh(), delayMs);
  }

  #requestRefresh(): void {
    if (this.#isClosed) return;
    if (this.#refreshing !== undefined) {
      this.#isRefreshRequested = true;
      return;
    }
    const startedAt = performance.now();
    this.#refreshing = this.#refresh()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((cause: unknown) => this.#logFailure(cause))
      .finally(() => {
        this.#refreshing = undefined;
        const isRequested = this.#isRefreshRequested;
        this.#isRefreshRequested = false;
        // After a slow refresh the next one starts immediately, or the keys would become too old under load.
        const delayMs = isRequested ? 0 : refreshIntervalMs - (performance.now() - startedAt);
        if (delayMs > 0) this.#schedule(delayMs);
        else this.#requestRefresh();
      });
  }

  /** Logged once for a series of failures. */
  #logFailure(cause: unknown): void {
    if (!this.#isFailing) {
      const message = `failed to refresh the keys; requests are refused once the known keys are older than ${maxAgeMs} ms`;
      this.#logger.warn({ event: 'keys.refresh_failed', err: cause }, message);
    }
    this.#isFailing = true;
  }

  async #refresh(): Promise<void> {
    const [startedAt, startedAtLoopTime] = [performance.now(), this.#loopClock.now()];
    const rows = await query<ChangedRow>(this.#database, 'changed_keys', changesSql, [this.#revision]);
    const elsewhere: number[] = [];
    for (const row of rows) {
      if (row.partition !== null) elsewhere.push(row.partition);
      else if (row.is_key) this.#applyKey(row);
      else this.#keys.putTenancy(toTenancy(row));
      this.#revision = Math.max(this.#revision, row.revision);
    }
    const isChanged = !isDeepStrictEqual(elsewhere, this.#elsewhere);
    this.#elsewhere = elsewhere;
    this.#refreshedAt = startedAt;
    this.#refreshedAtLoopTime = startedAtLoopTime;
    if (isChanged) this.#onPartitionsChanged?.();
  }

  #applyKey({ fp, public_key, tenant_id, scope, holder, revoked_at }: ChangedRow): void {
    if (fp === null || public_key === null || scope === null || holder === null) return;
    try {
      if (revoked_at !== null) this.#keys.revoke(fp);
      else this.#keys.putKey({ publicKey: public_key, tenantId: tenant_id, scope, holder });
    } catch (cause) {
      this.#logger.error({ event: 'keys.key_rejected', err: cause, fp }, 'a registered key is unusable and is ignored');
    }
  }
}

function toTenancy({ tenant_id, live, jurisdiction, time_zone, bounds }: ChangedRow): RegisteredTenancy {
  return {
    id: tenant_id,
    live: live === true,
    jurisdiction: jurisdiction ?? '',
    timeZone: time_zone ?? '',
    ...(bounds === null ? {} : { bounds: boundsFromColumn(bounds) }),
  };
}

const tickIntervalMs = 50;
const maxTickMs = 150;

/**
 * Counts the milliseconds in which the event loop runs. A pause of the process counts only as its first moment: nothing
 * could be received meanwhile, so a missing answer proves nothing.
 */
class EventLoopClock {
  #elapsedMs = 0;
  #lastTickAt = performance.now();
  readonly #timer = setInterval(() => this.#tick(), tickIntervalMs);

  now(): number {
    return this.#elapsedMs + Math.min(performance.now() - this.#lastTickAt, maxTickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#elapsedMs = this.now();
    this.#lastTickAt = performance.now();
  }
}
