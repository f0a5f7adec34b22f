/** The feed tails of the Tenancies with followers on this instance, refreshed on announcements over Redis and by time. */
import type { Redis } from 'ioredis';
import { type StageTimer, untimed } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type FeedEvent, feedChannel, readFeedAfter, readFeedEnd } from '#libs/database/read-feed.ts';
import { isReady, keepSubscribed } from '#libs/redis/redis.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { FeedTail } from './tail.ts';

export interface FeedTailsOptions {
  readonly databases: PartitionDatabases;
  /** May be shared with other subscriptions. */
  readonly subscriber: Redis;
  readonly render: (tenantId: string, event: FeedEvent) => string;
  readonly logger: Logger;
}

/** How late an event is sent while Redis is unavailable. */
const refreshIntervalMs = 1_000;
/** With Redis only every fifth interval: for events whose processor stopped before it announced them. */
const intervalsWithRedis = 5;
/** Connections for reading feeds: a follower that reads years of events must not block other reads. */
const maxConcurrentReads = 2;

interface OpenTail {
  readonly tail: Promise<FeedTail>;
  followers: number;
}

export class FeedTails {
  readonly #options: FeedTailsOptions;
  readonly #gate = new ConcurrencyGate(maxConcurrentReads);
  readonly #open = new Map<string, OpenTail>();
  readonly #timer: NodeJS.Timeout;
  #intervals = 0;
  #isFailing = false;

  constructor(options: FeedTailsOptions) {
    this.#options = options;
    const { subscriber } = options;
    subscriber.on('message', (channel: string, tenantIds: string) => {
      if (channel === feedChannel) for (const tenantId of tenantIds.split(' ')) this.#refresh(tenantId);
    });
    // Announcements during a disconnect were lost.
    subscriber.on('ready', () => this.#refreshAll());
    keepSubscribed(subscriber, feedChannel);
    this.#timer = setInterval(() => this.#onInterval(), refreshIntervalMs);
  }

  /** The tail of a Tenancy. Each follower calls `release` once afterwards. */
  async follow(tenantId: string, timer: StageTimer): Promise<FeedTail> {
    const open = this.#open.get(tenantId) ?? this.#openTail(tenantId, timer);
    open.followers += 1;
    return open.tail;
  }

  release(tenantId: string): void {
    const open = this.#open.get(tenantId);
    if (open === undefined) return;
    open.followers -= 1;
    if (open.followers === 0) this.#open.delete(tenantId);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #openTail(tenantId: string, timer: StageTimer): OpenTail {
    const open = { tail: this.#createTail(tenantId, timer), followers: 0 };
    this.#open.set(tenantId, open);
    // The next follower tries again.
    open.tail.catch(() => this.#open.delete(tenantId));
    return open;
  }

  async #createTail(tenantId: string, timer: StageTimer): Promise<FeedTail> {
    const { databases, render } = this.#options;
    const end = await readFeedEnd(databases, timer, tenantId);
    const tail = new FeedTail({
      end,
      read: (after, limit) => this.#gate.run(() => readFeedAfter(databases, untimed, { tenantId, after, limit })),
      render: (event) => render(tenantId, event),
      onError: (cause) => this.#logFailure(cause),
    });
    // Events committed while the end was read may have been announced before the tail was there.
    tail.refresh();
    return tail;
  }

  #onInterval(): void {
    this.#intervals += 1;
    const isRedisReady = isReady(this.#options.subscriber);
    if (this.#isFailing || !isRedisReady || this.#intervals % intervalsWithRedis === 0) this.#refreshAll();
  }

  #refreshAll(): void {
    this.#isFailing = false;
    for (const tenantId of this.#open.keys()) this.#refresh(tenantId);
  }

  #refresh(tenantId: string): void {
    const open = this.#open.get(tenantId);
    if (open !== undefined) void open.tail.then((tail) => tail.refresh()).catch(() => undefined);
  }

  /** Logs once for a series of failures. */
  #logFailure(cause: unknown): void {
    if (!this.#isFailing) {
      this.#options.logger.warn(
        { event: 'feed.read_failed', err: cause },
        'failed to read new events of the feed; streams wait until they can be read',
      );
    }
    this.#isFailing = true;
  }
}

/** Runs a limited number of operations at a time, the others in the order of their calls. */
class ConcurrencyGate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(maxConcurrent: number) {
    this.#free = maxConcurrent;
  }

  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await operation();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
