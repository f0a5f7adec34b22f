/** Keeps the newest reading of what takes longer to read than a page may wait. */
import { withTimeout } from '#libs/kafka/with-timeout.ts';

export interface Reading {
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

export interface ReadingTimes {
  /** It is read so often, whether a page is asked for or not. */
  readonly intervalMs: number;
  /** A look at an older one reads again. */
  readonly freshMs: number;
  /** A look does not wait longer for that: it gets the older one. */
  readonly maxWaitMs: number;
  /** An older one is not shown. */
  readonly maxAgeMs: number;
}

export class LatestReading<Value extends Reading> {
  readonly #read: () => Promise<Value>;
  readonly #times: ReadingTimes;
  readonly #timer: NodeJS.Timeout;
  #latest: Value | undefined;
  #running: Promise<void> | undefined;

  constructor(read: () => Promise<Value>, times: ReadingTimes) {
    this.#read = read;
    this.#times = times;
    this.#timer = setInterval(() => this.#refresh(), times.intervalMs).unref();
    void this.#refresh();
  }

  /** Undefined where there was none for long. */
  async get(): Promise<Value | undefined> {
    const { freshMs, maxWaitMs, maxAgeMs } = this.#times;
    if (this.#age() >= freshMs) await withTimeout(this.#refresh(), maxWaitMs);
    return this.#age() <= maxAgeMs ? this.#latest : undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #age(): number {
    return this.#latest === undefined ? Number.POSITIVE_INFINITY : Date.now() - this.#latest.readAt;
  }

  /** A reading that fails leaves the one before. */
  #refresh(): Promise<void> {
    this.#running ??= this.#read()
      .then(
        (value) => {
          this.#latest = value;
        },
        () => undefined,
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
