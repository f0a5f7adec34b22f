/**
 * The end of one Tenancy's feed, read once for all of its followers on this instance. Recent events stay in memory; a
 * follower that is further behind reads its own pages.
 */
import type { FeedEventRow } from '#libs/database/read-feed.ts';

/** An event as it is sent to followers. */
export interface RenderedEvent {
  readonly number: number;
  readonly text: string;
}

export interface FeedTailOptions {
  /** The last event number when the tail is opened. */
  readonly end: number;
  /** Events after a number, oldest first. */
  readonly read: (after: number, limit: number) => Promise<readonly FeedEventRow[]>;
  readonly render: (event: FeedEventRow) => string;
  readonly onError: (cause: unknown) => void;
}

const pageSize = 200;
const maxRecentEvents = 1_000;

export class FeedTail {
  readonly #options: FeedTailOptions;
  /** All events after `#recentFrom` up to `#end`. */
  #recent: RenderedEvent[] = [];
  #recentFrom: number;
  #end: number;
  #isRefreshRequested = false;
  #refreshing: Promise<void> | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: FeedTailOptions) {
    this.#options = options;
    this.#recentFrom = options.end;
    this.#end = options.end;
  }

  /** Called when new events are announced, and regularly. */
  refresh(): void {
    this.#isRefreshRequested = true;
    this.#refreshing ??= this.#readNewEvents().finally(() => {
      this.#refreshing = undefined;
    });
  }

  /** The next events after a number; none where it is the newest. */
  async after(number: number): Promise<readonly RenderedEvent[]> {
    if (number >= this.#end) return [];
    if (number >= this.#recentFrom) {
      const first = this.#recent.findIndex((event) => event.number > number);
      return this.#recent.slice(first, first + pageSize);
    }
    return this.#render(await this.#options.read(number, pageSize));
  }

  /** Returns whether there is an event after the number before the timeout or the end signal. */
  async waitForEvent(after: number, timeoutMs: number, endSignal: AbortSignal): Promise<boolean> {
    if (this.#end <= after && !endSignal.aborted) await this.#nextEvent(timeoutMs, endSignal);
    return this.#end > after;
  }

  #nextEvent(timeoutMs: number, endSignal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        endSignal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiting.add(done);
      endSignal.addEventListener('abort', done);
    });
  }

  async #readNewEvents(): Promise<void> {
    try {
      while (this.#isRefreshRequested) {
        this.#isRefreshRequested = false;
        while ((await this.#readPage()) === pageSize);
      }
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  /** Returns how many events it read. */
  async #readPage(): Promise<number> {
    const events = await this.#options.read(this.#end, pageSize);
    if (events.length === 0) return 0;
    this.#recent.push(...this.#render(events));
    this.#end = events.at(-1)?.number ?? this.#end;
    if (this.#recent.length > maxRecentEvents) {
      const dropped = this.#recent.splice(0, this.#recent.length - maxRecentEvents);
      this.#recentFrom = dropped.at(-1)?.number ?? this.#recentFrom;
    }
    for (const wake of [...this.#waiting]) wake();
    return events.length;
  }

  #render(events: readonly FeedEventRow[]): RenderedEvent[] {
    return events.map((event) => ({ number: event.number, text: this.#options.render(event) }));
  }
}
