/** Loads books from a standby of Postgres. It may be behind: the caller compares each book with what the primary states. */
import type { Logger } from '#libs/runtime/logging.ts';
import { OutageLog } from '#libs/runtime/outage-log.ts';
import { type BookKey, type DeciderFor, type LoadedBook, loadBooksKeepingErrors } from './books.ts';
import type { Database, StageTimer } from './database.ts';

/** A request that waited for the standby in vain still has time for the primary. */
export const standbyTimeoutMs = 1_000;
const retryAfterMs = 5_000;

interface StandbyOptions {
  readonly database: Database;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export class Standby {
  readonly #database: Database;
  readonly #deciderFor: DeciderFor;
  readonly #now: () => number;
  readonly #outage: OutageLog;
  /** Set after a failure. */
  #retryAt: number | undefined;

  constructor({ database, deciderFor, logger, now = () => performance.now() }: StandbyOptions) {
    this.#database = database;
    this.#deciderFor = deciderFor;
    this.#now = now;
    this.#outage = new OutageLog({ dependency: 'standby' }, logger);
  }

  /** Undefined where the standby does not answer. After that, one call in five seconds tries again. */
  async load(keys: readonly BookKey[], timer: StageTimer): Promise<LoadedBook<unknown>[] | undefined> {
    if (this.#retryAt !== undefined) {
      if (this.#now() < this.#retryAt) return undefined;
      this.#pause();
    }
    try {
      const books = await loadBooksKeepingErrors(this.#database, timer, this.#deciderFor, keys);
      this.#retryAt = undefined;
      this.#outage.answered();
      return books;
    } catch (cause) {
      this.#pause();
      this.#outage.failed(cause);
      return undefined;
    }
  }

  #pause(): void {
    this.#retryAt = this.#now() + retryAfterMs;
  }
}
