/**
 * Writes the snapshots of changed books to Redis, after the commits and at a bounded share of the processor's time, which is
 * larger while the processor has little to do. A book that changes often is written once. A reader that finds an older snapshot
 * folds the facts after it.
 */
import { performance } from 'node:perf_hooks';
import type { Redis } from 'ioredis';
import { type BookKey, bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { isReady } from '#libs/redis/redis.ts';

const minPauseMs = 25;
/** The pause after a round is at least so many times as long as its encoding took: at most 1/5 or 1/80 of the time is used. */
const pauseFactors = { idle: 4, busy: 79 };
/** Of the event loop in a second, from which on the processor is busy. Rounds of an idle one add a fifth. */
const busyUtilization = 0.3;
const utilizationIntervalMs = 1_000;
const booksPerRound = 64;
/** All books of a round together. One larger book is always written. */
const maxBytesPerRound = 16 * 1024 * 1024;
const maxQueuedBooks = 20_000;
const finalRoundsMs = 1_000;

/** The book as committed last, where it is cached. */
type FindBook = (key: string) => LoadedBook<unknown> | undefined;

export class SnapshotWriter {
  readonly #redis: Redis;
  readonly #snapshots: SnapshotCache;
  readonly #findBook: FindBook;
  /** Keys only: the books themselves are held by the bounded cache. */
  readonly #queue = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** By `performance.now()`. */
  #nextRoundAt = 0;
  #isBusy = true;
  readonly #utilizationReads: NodeJS.Timeout;
  #isStopped = false;

  constructor(redis: Redis, deciderFor: DeciderFor, findBook: FindBook, readUtilization = utilizationReader()) {
    this.#redis = redis;
    this.#snapshots = new SnapshotCache(redis, deciderFor);
    this.#findBook = findBook;
    this.#utilizationReads = setInterval(() => {
      this.#isBusy = readUtilization() >= busyUtilization;
    }, utilizationIntervalMs).unref();
  }

  enqueue(books: readonly BookKey[]): void {
    for (const key of books) this.#queue.add(bookKeyText(key));
    for (const key of this.#queue) {
      if (this.#queue.size <= maxQueuedBooks) break;
      this.#queue.delete(key);
    }
    this.#schedule();
  }

  /** Writes for at most a second more. Readers repair what is missing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#utilizationReads);
    clearTimeout(this.#timer);
    const deadline = performance.now() + finalRoundsMs;
    while (this.#queue.size > 0 && performance.now() < deadline) await this.#write(this.#takeBooks());
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    const delayMs = Math.max(minPauseMs, this.#nextRoundAt - performance.now());
    this.#timer = setTimeout(() => void this.#runRound(), delayMs);
  }

  async #runRound(): Promise<void> {
    const startedAt = performance.now();
    const encodedAt = await this.#write(this.#takeBooks());
    this.#timer = undefined;
    const pauseFactor = pauseFactors[this.#isBusy ? 'busy' : 'idle'];
    this.#nextRoundAt = performance.now() + (encodedAt - startedAt) * pauseFactor;
    if (this.#queue.size > 0) this.#schedule();
  }

  /** A book that has left the cache is not read often enough to be written. */
  #takeBooks(): LoadedBook<unknown>[] {
    const books: LoadedBook<unknown>[] = [];
    let bytes = 0;
    for (const key of this.#queue) {
      const book = this.#findBook(key);
      bytes += book?.bytes ?? 0;
      if (books.length === booksPerRound || (books.length > 0 && bytes > maxBytesPerRound)) break;
      this.#queue.delete(key);
      if (book !== undefined) books.push(book);
    }
    return books;
  }

  /** Answers when the encoding was done: waiting for Redis costs no processor time. */
  async #write(books: readonly LoadedBook<unknown>[]): Promise<number> {
    if (!isReady(this.#redis)) return performance.now();
    // A text may be longer than V8 allows, 512 MiB. These books are read from Postgres until they change again.
    const encoded = await this.#snapshots.encode(books).catch(() => []);
    const encodedAt = performance.now();
    await this.#snapshots.write(encoded).catch(() => undefined);
    return encodedAt;
  }
}

/** Of the event loop of this thread, since the last call. */
function utilizationReader(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
