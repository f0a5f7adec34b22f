/** Keeps the newest reading of what takes longer to read than a page may wait. */
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import type { Logger } from '#libs/runtime/logging.ts';

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

export interface ReadingOptions<Value> {
  /** In the log. */
  readonly name: string;
  readonly read: () => Promise<Value>;
  readonly times: ReadingTimes;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface ReadingState<Value> {
  /** Undefined where there was none for long. */
  readonly latest: Value | undefined;
  /** When the first reading failed after which none succeeded. Milliseconds since 1970. */
  readonly failingSince: number | undefined;
}

export class LatestReading<Value extends Reading> {
  readonly #options: ReadingOptions<Value>;
  readonly #timer: NodeJS.Timeout;
  #latest: Value | undefined;
  #failingSince: number | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ReadingOptions<Value>) {
    this.#options = options;
    this.#timer = setInterval(() => this.#refresh(), options.times.intervalMs).unref();
    void this.#refresh();
  }

  async get(): Promise<ReadingState<Value>> {
    const { freshMs, maxWaitMs, maxAgeMs } = this.#options.times;
    if (this.#age() >= freshMs) await withTimeout(this.#refresh(), maxWaitMs);
    const latest = this.#age() <= maxAgeMs ? this.#latest : undefined;
    return { latest, failingSince: this.#failingSince };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #age(): number {
    return this.#latest === undefined ? Number.POSITIVE_INFINITY : Date.now() - this.#latest.readAt;
  }

  /** Never rejects. */
  #refresh(): Promise<void> {
    this.#running ??= this.#readOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** A reading that fails leaves the one before. */
  async #readOnce(): Promise<void> {
    const { name, read, logger } = this.#options;
    try {
      this.#latest = await read();
      this.#failingSince = undefined;
    } catch (err) {
      this.#failingSince ??= Date.now();
      const message = 'failed to read a part of the health of the cell; trying again';
      logger.warn({ event: 'console.reading_failed', reading: name, err }, message);
    }
  }
}
