/**
 * Hot books to Redis, behind the commits: a book that changes ten times in a moment is written once, and the writing
 * takes at most an eightieth of the processor's time. A reader that finds an older one folds the facts after it.
 */
import type { Redis } from 'ioredis';
import { type BookKey, bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { isReady } from '#libs/redis/redis.ts';

const shortestPauseMs = 50;
const timesIdle = 79;
const together = 64;
const mostWaiting = 20_000;
const lastRoundsMs = 1_000;

/** A book as it stands on the shelf by now, by its name. */
type Find = (name: string) => LoadedBook<unknown> | undefined;

export class SnapshotWriter {
  readonly #redis: Redis;
  readonly #cache: SnapshotCache;
  readonly #find: Find;
  /** Names alone: whatever a book holds is held by the shelf, and bounded there. */
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(redis: Redis, kindOf: DeciderFor, find: Find) {
    this.#redis = redis;
    this.#cache = new SnapshotCache(redis, kindOf);
    this.#find = find;
  }

  offer(books: readonly BookKey[]): void {
    for (const name of books) this.#waiting.add(bookKeyText(name));
    // What has waited longest helps nobody any more; readers mend what they ask for.
    for (const name of this.#waiting) {
      if (this.#waiting.size <= mostWaiting) break;
      this.#waiting.delete(name);
    }
    this.#schedule(shortestPauseMs);
  }

  /** No portion is begun after a second: what is not written is mended by whoever reads it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const until = performance.now() + lastRoundsMs;
    while (this.#waiting.size > 0 && performance.now() < until) await this.#write(this.#take());
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = setTimeout(() => void this.#round(), ms);
  }

  async #round(): Promise<void> {
    const began = performance.now();
    const spent = await this.#write(this.#take());
    this.#timer = undefined;
    const pause = Math.max(shortestPauseMs / 2, (spent - began) * timesIdle);
    if (this.#waiting.size > 0) this.#schedule(pause);
  }

  /** One that left the shelf meanwhile is not read often enough to be missed. */
  #take(): LoadedBook<unknown>[] {
    const taken: LoadedBook<unknown>[] = [];
    for (const name of this.#waiting) {
      if (taken.length === together) break;
      this.#waiting.delete(name);
      const standing = this.#find(name);
      if (standing !== undefined) taken.push(standing);
    }
    return taken;
  }

  /** When the encoding was done: what is spent waiting for Redis is nobody's time. */
  async #write(books: readonly LoadedBook<unknown>[]): Promise<number> {
    if (!isReady(this.#redis)) return performance.now();
    const written = this.#cache.put(books);
    const encoded = performance.now();
    // What Redis does not take is mended by whoever reads it.
    await written.catch(() => undefined);
    return encoded;
  }
}
