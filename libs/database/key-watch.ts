/**
 * The keys that stand, kept in memory of every instance: told over Redis that something changed, and asked of Postgres
 * in any case, so that a revocation holds within a second with Redis away. Where Postgres cannot be asked either, no
 * key is vouched for. A process that stood still neither vouches on what it knew before nor refuses everybody for it: who
 * comes then waits for the look that is under way, for a second of a process that runs. The loop of one that is asked for
 * too much stands still as well, and those it refused would be of no help to it.
 */
import type { Redis } from 'ioredis';
import {
  type KeyHolder,
  type KeyRing,
  KeyTable,
  type RegisteredKey,
  type RegisteredTenancy,
  type Scope,
} from '#libs/auth/key-ring.ts';
import type { Bounds } from '#libs/http/rate-limits.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Database, query } from './database.ts';
import { RunningTime } from './running-time.ts';

export const keysChannel = 'keys';

interface Row {
  what: 'tenancy' | 'key';
  revision: number;
  tenant_id: string;
  live: boolean | null;
  jurisdiction: string | null;
  time_zone: string | null;
  bounds: { concurrent: number; patience_ms: number; per_second: number; burst: number } | null;
  fp: string | null;
  public_key: Buffer | null;
  scope: Scope | null;
  holder: KeyHolder | null;
  revoked_at: number | null;
}

const changed = `
  SELECT 'tenancy' AS what, revision, tenant_id, live, jurisdiction, time_zone, bounds,
    NULL AS fp, NULL::bytea AS public_key, NULL AS scope, NULL AS holder, NULL::bigint AS revoked_at
  FROM tenancies WHERE revision > $1
  UNION ALL
  SELECT 'key', revision, tenant_id, NULL, NULL, NULL, NULL, fp, public_key, scope, holder, revoked_at
  FROM keys WHERE revision > $1
  ORDER BY revision`;

const lookEveryMs = 150;
/** What a revocation may take. Less than what is promised, by what a request may have begun with. */
const vouchedForMs = 950;

export class KeyWatch implements KeyRing {
  readonly #database: Database;
  readonly #say: WarnLog;
  readonly #table = new KeyTable();
  readonly #running = new RunningTime();
  #revision = 0;
  /** When the last look that succeeded began, by the clock and by the time the process ran. */
  #currentAt = Number.NEGATIVE_INFINITY;
  #currentAtRunning = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #isFailing = false;
  #closed = false;

  private constructor(database: Database, say: WarnLog) {
    this.#database = database;
    this.#say = say;
  }

  /** The database of nobody else: a look that waits behind requests is late whenever there are many. */
  static async open(database: Database, subscriber: Redis, say: WarnLog): Promise<KeyWatch> {
    const watch = new KeyWatch(database, say);
    subscriber.on('message', (channel) => {
      if (channel === keysChannel) watch.#lookSoon();
    });
    subscriber.subscribe(keysChannel).catch(() => undefined);
    // A start may come before Postgres: then no key is vouched for until it is there, which is what a caller is told.
    await watch.#look().catch((cause) => {
      if (!(cause instanceof DependencyUnavailableError)) throw cause;
      watch.#fail(cause);
    });
    watch.#schedule(lookEveryMs);
    return watch;
  }

  find(fp: string): RegisteredKey | undefined {
    if (!this.#isCurrent()) throw new DependencyUnavailableError('keys');
    return this.#table.find(fp);
  }

  current(): Promise<void> | undefined {
    if (this.#isCurrent() || this.#running.now() - this.#currentAtRunning > vouchedForMs) return undefined;
    this.#lookSoon();
    return this.#looking;
  }

  #isCurrent(): boolean {
    return performance.now() - this.#currentAt <= vouchedForMs;
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#table.tenancy(id);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#running.stop();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => this.#lookSoon(), ms);
  }

  #lookSoon(): void {
    if (this.#closed) return;
    if (this.#looking !== undefined) {
      this.#again = true;
      return;
    }
    const began = performance.now();
    this.#looking = this.#look()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((cause) => this.#fail(cause))
      .finally(() => {
        this.#looking = undefined;
        const isAgain = this.#again;
        this.#again = false;
        // A look that took long was held up by load: the next begins at once, or the keys could not be vouched for.
        const wait = isAgain ? 0 : lookEveryMs - (performance.now() - began);
        if (wait > 0) this.#schedule(wait);
        else this.#lookSoon();
      });
  }

  /** Told once, however often it fails until it succeeds. */
  #fail(cause: unknown): void {
    if (!this.#isFailing)
      this.#say.warn({ err: cause }, 'the keys cannot be asked for; no request is let in on old ones');
    this.#isFailing = true;
  }

  async #look(): Promise<void> {
    const [began, beganRunning] = [performance.now(), this.#running.now()];
    const rows = await query<Row>(this.#database, 'changed_keys', changed, [this.#revision]);
    for (const row of rows) {
      if (row.what === 'tenancy') this.#table.putTenancy(tenancyOf(row));
      else this.#takeKey(row);
      this.#revision = Math.max(this.#revision, row.revision);
    }
    this.#currentAt = began;
    this.#currentAtRunning = beganRunning;
  }

  #takeKey({ fp, public_key, tenant_id, scope, holder, revoked_at }: Row): void {
    if (fp === null || public_key === null || scope === null || holder === null) return;
    try {
      if (revoked_at !== null) this.#table.revoke(fp);
      else this.#table.putKey({ publicKey: public_key, tenantId: tenant_id, scope, holder });
    } catch (cause) {
      this.#say.error({ err: cause, fp }, 'a recorded key is not let in');
    }
  }
}

function tenancyOf({ tenant_id, live, jurisdiction, time_zone, bounds }: Row): RegisteredTenancy {
  return {
    id: tenant_id,
    live: live === true,
    jurisdiction: jurisdiction ?? '',
    timeZone: time_zone ?? '',
    ...(bounds === null ? {} : { bounds: boundsOf(bounds) }),
  };
}

function boundsOf({ concurrent, patience_ms, per_second, burst }: NonNullable<Row['bounds']>): Bounds {
  return { concurrent, patienceMs: patience_ms, perSecond: per_second, burst };
}
