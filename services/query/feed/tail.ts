/**
 * The end of one Tenancy's feed, read once for all who follow it here. What is new is kept a while: who keeps up is
 * answered from memory, who is behind reads pages of its own.
 */
import type { FeedEvent } from '#libs/database/read-feed.ts';

/** An event as a follower is told it. */
export interface Told {
  readonly number: number;
  readonly text: string;
}

export interface TailOptions {
  /** What was committed by the time it is opened reaches to this number. */
  readonly end: number;
  /** Events after a number, oldest first. */
  readonly read: (after: number, most: number) => Promise<readonly FeedEvent[]>;
  readonly render: (event: FeedEvent) => string;
  readonly onFault: (cause: unknown) => void;
}

const pageRows = 200;
const mostKept = 1_000;

export class FeedTail {
  readonly #options: TailOptions;
  /** All there is after `#from` and up to `#end`. */
  #kept: Told[] = [];
  #from: number;
  #end: number;
  #isStale = false;
  #looking: Promise<void> | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#from = options.end;
    this.#end = options.end;
  }

  /** Somebody says there is more, or it is time to see. */
  look(): void {
    this.#isStale = true;
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
  }

  /** The next events after a number; none where it is the newest. */
  async after(number: number): Promise<readonly Told[]> {
    if (number >= this.#end) return [];
    if (number >= this.#from) {
      const first = this.#kept.findIndex((told) => told.number > number);
      return this.#kept.slice(first, first + pageRows);
    }
    return this.#render(await this.#options.read(number, pageRows));
  }

  /** Whether there was something after the number before the time was over or `ends` said not to wait for it. */
  async isPast(number: number, withinMs: number, ends: AbortSignal): Promise<boolean> {
    if (this.#end <= number && !ends.aborted) await this.#wake(withinMs, ends);
    return this.#end > number;
  }

  #wake(withinMs: number, ends: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        ends.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#waiting.add(done);
      ends.addEventListener('abort', done);
    });
  }

  async #lookOn(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        while ((await this.#readOn()) === pageRows);
      }
    } catch (cause) {
      this.#options.onFault(cause);
    }
  }

  async #readOn(): Promise<number> {
    const events = await this.#options.read(this.#end, pageRows);
    if (events.length === 0) return 0;
    this.#kept.push(...this.#render(events));
    this.#end = events.at(-1)?.number ?? this.#end;
    if (this.#kept.length > mostKept) {
      const dropped = this.#kept.splice(0, this.#kept.length - mostKept);
      this.#from = dropped.at(-1)?.number ?? this.#from;
    }
    for (const wake of [...this.#waiting]) wake();
    return events.length;
  }

  #render(events: readonly FeedEvent[]): Told[] {
    return events.map((event) => ({ number: event.number, text: this.#options.render(event) }));
  }
}
