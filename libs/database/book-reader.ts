/**
 * Loads books for reads, always with every fact that was committed before the call. One row in Postgres says how many
 * facts a book has; memory or Redis serves a book with as many, an older one is brought up to date with the facts that
 * follow, and otherwise Postgres's own snapshot is loaded and Redis repaired.
 */
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Moment } from '#libs/calendar/moment.ts';
import { isReady } from '#libs/redis/redis.ts';
import { answerOrTimeout } from '#libs/redis/redis-timeout.ts';
import {
  type BookKey,
  type BookPosition,
  bookFields,
  bookKeyText,
  type DeciderFor,
  emptyBook,
  type LoadedBook,
  loadBooksKeepingErrors,
  loadBooksTimed,
  type StoredBookRow,
  toStoredFact,
  unreplayableBook,
} from './books.ts';
import { type Database, queryTimed, type StageTimer } from './database.ts';
import { SnapshotCache } from './snapshot-cache.ts';

export interface BookReaderOptions {
  readonly database: Database;
  readonly redis: Redis;
  readonly deciderFor: DeciderFor;
  /** Decoded books in memory, counted in facts: each takes about 1.5 kB. */
  readonly maxCachedFacts: number;
}

/** What callers compare: which facts about a Client there are. */
export interface StoredBookVersion {
  readonly count: number;
  readonly at: Moment | null;
}

/** A book as it was when a page was read. */
export type BookAtPosition = BookKey & BookPosition;

/** What a book without facts takes in memory, counted in facts. */
const emptyBookWeight = 16;

/**
 * How many later facts are read together with the row: fewer for a book in memory, because Redis may have a newer one;
 * more for a book from Redis, after which only Postgres's snapshot is left.
 */
const maxLaterFacts = { inMemory: 256, inRedis: 2_048 } as const;

const bookRowSql = `
  SELECT b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    CASE WHEN $3 > 0 AND b.sequence > $3 AND b.sequence <= $3 + $4::bigint THEN
      (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
        WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence > $3) END AS later_facts
  FROM books b WHERE b.tenant_id = $1 AND b.book_id = $2`;

export class BookReader {
  readonly #database: Database;
  readonly #redis: Redis;
  readonly #deciderFor: DeciderFor;
  readonly #snapshots: SnapshotCache;
  readonly #memory: LRUCache<string, LoadedBook<unknown>>;

  constructor({ database, redis, deciderFor, maxCachedFacts }: BookReaderOptions) {
    this.#database = database;
    this.#redis = redis;
    this.#deciderFor = deciderFor;
    this.#snapshots = new SnapshotCache(redis, deciderFor);
    const maxSize = Math.max(maxCachedFacts, 1);
    // A book above the limit is cached alone: it is the most expensive to read again.
    const sizeCalculation = ({ sequence }: LoadedBook<unknown>): number =>
      Math.min(sequence + emptyBookWeight, maxSize);
    this.#memory = new LRUCache({ maxSize, sizeCalculation });
  }

  /** From the row alone: the book is not loaded. */
  async readVersion({ tenantId, bookId }: BookKey, timer: StageTimer): Promise<StoredBookVersion> {
    const text = 'SELECT version_count, version_at FROM books WHERE tenant_id = $1 AND book_id = $2';
    const [row] = await queryTimed<Pick<StoredBookRow, 'version_count' | 'version_at'>>(
      this.#database,
      timer,
      'book_version',
      text,
      [tenantId, bookId],
    );
    return { count: row?.version_count ?? 0, at: (row?.version_at ?? null) as Moment | null };
  }

  /** The book with everything committed before the call; an empty one where nothing is recorded. */
  async loadLatest(key: BookKey, timer: StageTimer): Promise<LoadedBook<unknown>> {
    let cached = this.#memory.get(bookKeyText(key));
    if (cached === undefined && !isReady(this.#redis)) {
      return (await this.#loadFromPostgres(key, timer)) ?? emptyBook(this.#deciderFor, key);
    }
    const row = await this.#readRow(key, { after: cached?.sequence ?? 0, maxFacts: maxLaterFacts.inMemory }, timer);
    if (cached !== undefined && contradicts(cached, row)) {
      this.#memory.delete(bookKeyText(key));
      cached = undefined;
    }
    if (row === undefined) return emptyBook(this.#deciderFor, key);
    const current = cached === undefined ? undefined : await this.#bringUpToDate(cached, row, timer);
    return (
      current ??
      (await this.#loadFromRedis(key, row, timer)) ??
      (await this.#loadFromPostgres(key, timer)) ??
      emptyBook(this.#deciderFor, key)
    );
  }

  /**
   * Many books in the order of the keys, each with at least the facts of its position; the caller cuts off later ones.
   * A book that cannot be replayed is returned with its `replayError`.
   */
  async loadAtPositions(keys: readonly BookAtPosition[], timer: StageTimer): Promise<LoadedBook<unknown>[]> {
    const found = new Map<string, LoadedBook<unknown>>();
    for (const key of keys) {
      const cached = this.#memory.get(bookKeyText(key));
      if (cached !== undefined && isAt(cached, key)) found.set(bookKeyText(key), cached);
    }
    const isMissing = (key: BookKey): boolean => !found.has(bookKeyText(key));
    const uncached = keys.filter(isMissing);
    const fromRedis = await this.#readRedis(uncached, timer);
    for (const [index, key] of uncached.entries()) {
      const book = fromRedis[index];
      if (book !== undefined && isAt(book, key)) found.set(bookKeyText(key), this.#keepInMemory(book));
    }
    const missing = keys.filter(isMissing);
    const fromPostgres =
      missing.length === 0 ? [] : await loadBooksKeepingErrors(this.#database, timer, this.#deciderFor, missing);
    const replayed = fromPostgres.filter(({ replayError }) => replayError === undefined);
    this.#repairRedis(replayed);
    for (const book of replayed) this.#keepInMemory(book);
    for (const book of fromPostgres) found.set(bookKeyText(book), book);
    return keys.map((key) => found.get(bookKeyText(key)) ?? this.#vanishedBook(key));
  }

  async #readRow(
    { tenantId, bookId }: BookKey,
    { after, maxFacts }: { readonly after: number; readonly maxFacts: number },
    timer: StageTimer,
  ): Promise<StoredBookRow | undefined> {
    const values = [tenantId, bookId, after, maxFacts];
    const [row] = await queryTimed<StoredBookRow>(this.#database, timer, 'book_row', bookRowSql, values);
    return row;
  }

  /** Undefined where the row does not carry the facts that are missing. */
  async #bringUpToDate(
    loaded: LoadedBook<unknown>,
    row: StoredBookRow,
    timer: StageTimer,
  ): Promise<LoadedBook<unknown> | undefined> {
    if (loaded.sequence >= row.sequence) return loaded;
    const { later_facts: facts } = row;
    if (facts === null) return undefined;
    const missing = row.sequence - loaded.sequence;
    if (facts.length !== missing) {
      throw new Error(
        `book ${bookKeyText(loaded)}: expected ${missing} facts after ${loaded.sequence}, found ${facts.length}`,
      );
    }
    const decider = this.#deciderFor(loaded.bookId);
    const book = await timer.measure('derive', () =>
      facts.reduce((state, fact) => decider.replay(state, toStoredFact(fact)), loaded.book),
    );
    return this.#keepInMemory({ ...loaded, book, ...bookFields(row) });
  }

  /** Redis may be newer than a row that was read before it. If it is newer than a row read after it, it is wrong. */
  async #loadFromRedis(key: BookKey, row: StoredBookRow, timer: StageTimer): Promise<LoadedBook<unknown> | undefined> {
    const [cached] = await this.#readRedis([key], timer);
    if (cached === undefined) return undefined;
    const isCurrent = cached.sequence === row.sequence;
    if (isCurrent && !contradicts(cached, row)) return this.#keepInMemory(cached);
    const newRow = isCurrent
      ? row
      : await this.#readRow(key, { after: cached.sequence, maxFacts: maxLaterFacts.inRedis }, timer);
    if (newRow === undefined || contradicts(cached, newRow)) {
      await this.#deleteFromRedis(key);
      return undefined;
    }
    const current = await this.#bringUpToDate(cached, newRow, timer);
    if (current !== undefined && current !== cached) this.#repairRedis([current]);
    return current;
  }

  /** In the order of the keys; undefined for a book that Redis does not have. */
  async #readRedis(keys: readonly BookKey[], timer: StageTimer): Promise<(LoadedBook<unknown> | undefined)[]> {
    if (keys.length === 0 || !isReady(this.#redis)) return [];
    // Without an answer of Redis the books come from Postgres.
    const texts = await timer.measure('db', () =>
      answerOrTimeout(this.#redis, this.#snapshots.read(keys)).catch(() => []),
    );
    const decode = (key: BookKey, text: string | undefined): LoadedBook<unknown> | undefined =>
      text === undefined ? undefined : this.#snapshots.decode(key, text);
    const books = await timer.measure('derive', () => keys.map((key, index) => decode(key, texts[index])));
    const unreadable = keys.filter((_, index) => texts[index] !== undefined && books[index] === undefined);
    await Promise.all(unreadable.map((key) => this.#deleteFromRedis(key)));
    return books;
  }

  async #loadFromPostgres(key: BookKey, timer: StageTimer): Promise<LoadedBook<unknown> | undefined> {
    const [book] = await loadBooksTimed(this.#database, timer, this.#deciderFor, [key]);
    if (book === undefined) return undefined;
    this.#repairRedis([book]);
    return this.#keepInMemory(book);
  }

  #vanishedBook(key: BookKey): LoadedBook<unknown> {
    const error = new Error(`book ${bookKeyText(key)} was on the page but is not in Postgres any more`);
    return unreplayableBook(this.#deciderFor, key, error);
  }

  /** A slower reader must not replace a book with one that has fewer facts. */
  #keepInMemory(book: LoadedBook<unknown>): LoadedBook<unknown> {
    const key = bookKeyText(book);
    const cached = this.#memory.peek(key);
    if (cached === undefined || cached.sequence <= book.sequence) this.#memory.set(key, book);
    return book;
  }

  /** Redis only replaces a snapshot by one with more facts, so a contradicting one is deleted first. */
  async #deleteFromRedis(key: BookKey): Promise<void> {
    await this.#snapshots.delete(key).catch(() => undefined);
  }

  /** Not awaited: what Redis does not accept, the next reader repairs. */
  #repairRedis(books: readonly LoadedBook<unknown>[]): void {
    if (!isReady(this.#redis)) return;
    // After the response: encoding a long book takes longer than reading it.
    setImmediate(() => void this.#snapshots.write(books).catch(() => undefined));
  }
}

/** A book with more facts is loaded again: it may contain some that Postgres does not have. */
function isAt(book: LoadedBook<unknown>, { sequence, recordedAt }: BookPosition): boolean {
  return book.sequence === sequence && book.recordedAt === recordedAt;
}

/**
 * Whether a cached book has facts that Postgres, read after it, does not have: the database was restored or a replica
 * was promoted. With equal sequences the moments differ, because a book records no two facts in one microsecond.
 */
function contradicts({ sequence, recordedAt }: LoadedBook<unknown>, row: StoredBookRow | undefined): boolean {
  if (row === undefined || sequence > row.sequence) return true;
  return sequence === row.sequence && recordedAt !== row.recorded_at;
}
