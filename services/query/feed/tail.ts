/**
 * The end of one Tenancy's feed, read once for all of its followers on this instance. Recent events stay in memory; a
 * follower that is further behind reads its own pages.
 */
import type { ListingPosition } from '#libs/database/merge-pages.ts';
import type { FeedEvent } from '#libs/database/read-feed.ts';

/** An event as it is sent to followers. */
export interface RenderedEvent extends Pick<FeedEvent, 'number' | 'source' | 'position'> {
  readonly text: string;
}

/** The place of a follower after it got these events, which may have been read from another place than its own. */
export function placeAfter(position: ListingPosition, events: readonly RenderedEvent[]): ListingPosition {
  const place = [...position];
  for (const { source, number } of events) {
    while (place.length < source) place.push(0);
    place[source] = number;
  }
  return place;
}

/** Whether everything up to `other` is before the place. */
function includes(position: ListingPosition, other: ListingPosition): boolean {
  return other.every((number, index) => (position[index] ?? 0) >= number);
}

export interface FeedTailOptions {
  /** The end of the feed when the tail is opened. */
  readonly end: ListingPosition;
  /** Events after a place, oldest first. */
  readonly read: (after: ListingPosition, limit: number) => Promise<readonly FeedEvent[]>;
  readonly render: (event: FeedEvent) => string;
  readonly onError: (cause: unknown) => void;
}

const pageSize = 200;
const maxRecentEvents = 1_000;

export class FeedTail {
  readonly #options: FeedTailOptions;
  /** All events after `#recentFrom` up to `#end`. */
  #recent: RenderedEvent[] = [];
  #recentFrom: ListingPosition;
  #end: ListingPosition;
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

  /** The next events after a place; none where it is the end. */
  async after(position: ListingPosition): Promise<readonly RenderedEvent[]> {
    if (includes(position, this.#end)) return [];
    if (!includes(position, this.#recentFrom)) return this.#render(await this.#options.read(position, pageSize));
    const next: RenderedEvent[] = [];
    for (const event of this.#recent) {
      if (event.number > (position[event.source] ?? 0)) next.push(event);
      if (next.length === pageSize) break;
    }
    return next;
  }

  /** Returns whether there is an event after the place before the timeout or the end signal. */
  async waitForEvent(after: ListingPosition, timeoutMs: number, endSignal: AbortSignal): Promise<boolean> {
    if (includes(after, this.#end) && !endSignal.aborted) await this.#nextEvent(timeoutMs, endSignal);
    return !includes(after, this.#end);
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
    this.#end = events.at(-1)?.position ?? this.#end;
    if (this.#recent.length > maxRecentEvents) {
      const dropped = this.#recent.splice(0, this.#recent.length - maxRecentEvents);
      this.#recentFrom = dropped.at(-1)?.position ?? this.#recentFrom;
    }
    for (const wake of [...this.#waiting]) wake();
    return events.length;
  }

  #render(events: readonly FeedEvent[]): RenderedEvent[] {
    return events.map((event) => {
      const { number, source, position } = event;
      return { number, source, position, text: this.#options.render(event) };
    });
  }
}
