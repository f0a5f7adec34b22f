/** The tails of the Tenancies that somebody follows here: told over Redis that there is more, and looking in any case. */
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { type FeedEvent, feedAfter, feedChannel, feedEnd } from '#libs/database/read-feed.ts';
import type { Watch } from '#libs/database/reading.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import { isReady } from '#libs/redis/redis.ts';
import { Gate } from './gate.ts';
import { FeedTail } from './tail.ts';

export interface TailsOptions {
  readonly database: Database;
  /** May be shared with others who subscribe. */
  readonly subscriber: Redis;
  readonly render: (tenantId: string, event: FeedEvent) => string;
  readonly say: WarnLog;
}

/** How late an event is told with Redis away. */
const lookEveryMs = 1_000;
/** With Redis there: for what a processor committed and did not live to say. */
const looksSkipped = 5;
/** Of the instance's connections; who reads years of a feed must not stand in the way of who reads a Loan. */
const connections = 2;

interface Opened {
  readonly tail: Promise<FeedTail>;
  followers: number;
}

export class FeedTails {
  readonly #options: TailsOptions;
  readonly #gate = new Gate(connections);
  readonly #opened = new Map<string, Opened>();
  readonly #timer: NodeJS.Timeout;
  #rounds = 0;
  #isFailing = false;

  constructor(options: TailsOptions) {
    this.#options = options;
    const { subscriber } = options;
    subscriber.on('message', (channel: string, tenantIds: string) => {
      if (channel === feedChannel) for (const tenantId of tenantIds.split(' ')) this.#look(tenantId);
    });
    // What was said while Redis was away nobody heard.
    subscriber.on('ready', () => this.#lookAtAll());
    subscriber.subscribe(feedChannel).catch(() => undefined);
    this.#timer = setInterval(() => this.#round(), lookEveryMs);
  }

  /** The tail of a Tenancy, to be let go of once by each who follows. */
  async follow(tenantId: string, watch: Watch): Promise<FeedTail> {
    const opened = this.#opened.get(tenantId) ?? this.#open(tenantId, watch);
    opened.followers += 1;
    return opened.tail;
  }

  letGo(tenantId: string): void {
    const opened = this.#opened.get(tenantId);
    if (opened === undefined) return;
    opened.followers -= 1;
    if (opened.followers === 0) this.#opened.delete(tenantId);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #open(tenantId: string, watch: Watch): Opened {
    const opened = { tail: this.#tail(tenantId, watch), followers: 0 };
    this.#opened.set(tenantId, opened);
    // The next who follows tries anew.
    opened.tail.catch(() => this.#opened.delete(tenantId));
    return opened;
  }

  async #tail(tenantId: string, watch: Watch): Promise<FeedTail> {
    const { database, render } = this.#options;
    const end = await feedEnd(database, watch, tenantId);
    const tail = new FeedTail({
      end,
      read: (after, most) => this.#gate.pass(() => feedAfter(database, untimed, { tenantId, after, most })),
      render: (event) => render(tenantId, event),
      onFault: (cause) => this.#fail(cause),
    });
    // What was committed since the end was asked for was said before anybody listened here.
    tail.look();
    return tail;
  }

  #round(): void {
    this.#rounds += 1;
    if (this.#isFailing || !isReady(this.#options.subscriber) || this.#rounds % looksSkipped === 0) this.#lookAtAll();
  }

  #lookAtAll(): void {
    this.#isFailing = false;
    for (const tenantId of this.#opened.keys()) this.#look(tenantId);
  }

  #look(tenantId: string): void {
    const opened = this.#opened.get(tenantId);
    if (opened !== undefined) void opened.tail.then((tail) => tail.look()).catch(() => undefined);
  }

  #fail(cause: unknown): void {
    if (!this.#isFailing)
      this.#options.say.warn({ err: cause }, 'the feed cannot be read on; those who follow it wait');
    this.#isFailing = true;
  }
}

/** Nobody's request: there is nothing to tell of where the time went. */
const untimed: Watch = { measure: async (_, work) => work() };
