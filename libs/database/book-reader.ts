/**
 * Loads books for reads, always with every fact that was committed before the call. One row in Postgres says how many
 * facts a book has; memory or Redis serves a book with as many, an older one is brought up to date with the facts that
 * follow, and otherwise Postgres's own snapshot is loaded, from a standby where it has the same facts, and Redis repaired.
 */
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { estimatedBookBytes } from '#libs/ledger/book-bytes.ts';
import { isReady } from '#libs/redis/redis.ts';
import { answerOrTimeout } from '#libs/redis/redis-timeout.ts';
import { FairByteBudget } from '#libs/runtime/fair-byte-budget.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import { mapTasksInParts, runInParts } from '#libs/runtime/run-in-parts.ts';
import { BookMemory } from './book-memory.ts';
import { bookPortions } from './book-portions.ts';
import { countBookReads, countStandbyFallbacks } from './book-read-metrics.ts';
import { BookRowReader, type BookRowRequest, type RowWithSize } from './book-row-reader.ts';
import { readBookBytes } from './book-sizes.ts';
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
  replayFacts,
  type SizedBookPosition,
  type StoredBookRow,
  toStoredFact,
  unreplayableBook,
} from './books.ts';
import { type Database, type StageTimer, withConnection } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import type { Standby } from './standby.ts';

export interface BookReaderOptions {
  readonly databases: PartitionDatabases;
  readonly redis: Redis;
  /** By the database that each follows. */
  readonly standbys?: ReadonlyMap<Database, Standby>;
  readonly deciderFor: DeciderFor;
  /** Of all decoded books in memory together. */
  readonly maxCachedBytes: number;
  /** Of the books that all pages of the process hold and all reads load at once; one larger book is loaded alone. */
  readonly maxReadBytes?: number;
}

export interface PageLoad {
  readonly timer: StageTimer;
  /** By `performance.now()`: a page that waits for memory is rejected then. */
  readonly waitUntil: number;
}

/** What callers compare: which facts about a Client there are. */
export interface StoredBookVersion {
  readonly count: number;
  readonly at: Moment | null;
}

/** A book as it was when a page was read. */
export type BookAtPosition = BookKey & SizedBookPosition;

/**
 * How many later facts are read together with the row: fewer for a book in memory, because Redis may have a newer one;
 * more for a book from Redis, after which only Postgres's snapshot is left.
 */
const maxLaterFacts = { inMemory: 256, inRedis: 2_048 } as const;

/** A snapshot in Redis that lacks no more facts stays: folding them costs less than writing the book. */
const maxFactsBehind = 16;

/** Of the memory for pages, so that several pages are loaded at once. */
const maxPortionShare = 1 / 4;
/** The requests in progress bound the memory of smaller books. */
const maxUncounted = { facts: 16, bytes: 256 * 1024 } as const;
/** A request that waited longer for memory has no time left to be answered. */
const maxMemoryWaitMs = 2_500;
/** Keeps each statement well within the statement timeout. */
const maxPortion = { bytes: 32 * 1024 * 1024, books: 128 } as const;

export class BookReader {
  readonly #databases: PartitionDatabases;
  readonly #rows: ReadonlyMap<Database, BookRowReader>;
  readonly #redis: Redis;
  readonly #standbys: ReadonlyMap<Database, Standby>;
  readonly #deciderFor: DeciderFor;
  readonly #snapshots: SnapshotCache;
  readonly #memory: BookMemory<LoadedBook<unknown>>;
  readonly #maxReadBytes: number;
  readonly #readMemory: FairByteBudget;
  readonly #repairs = new Set<Promise<void>>();
  /** Books that are being loaded. Another reader of the same book waits, and then finds it in memory. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor({
    databases,
    redis,
    standbys = new Map(),
    deciderFor,
    maxCachedBytes,
    maxReadBytes = heapShareBytes('booksOfReads'),
  }: BookReaderOptions) {
    this.#databases = databases;
    this.#rows = new Map(databases.all.map((database) => [database, new BookRowReader(database, databases)]));
    this.#redis = redis;
    this.#standbys = standbys;
    this.#deciderFor = deciderFor;
    this.#snapshots = new SnapshotCache(redis, deciderFor);
    this.#memory = new BookMemory(maxCachedBytes);
    this.#maxReadBytes = maxReadBytes;
    this.#readMemory = new FairByteBudget('memory for books that are read', maxReadBytes);
  }

  /** From the row alone: the book is not loaded. */
  async readVersion(key: BookKey, timer: StageTimer): Promise<StoredBookVersion> {
    const row = await this.#readRowAlone(key, timer);
    return { count: row?.version_count ?? 0, at: (row?.version_at ?? null) as Moment | null };
  }

  /** How many facts are recorded. From the row alone. */
  async readSequence(key: BookKey, timer: StageTimer): Promise<number> {
    return (await this.#readRowAlone(key, timer))?.sequence ?? 0;
  }

  #readRowAlone(key: BookKey, timer: StageTimer): Promise<RowWithSize | undefined> {
    return this.#readRowOf({ ...key, after: 0, maxLaterFacts: 0 }, timer);
  }

  /** How many facts of the book are in memory: a read adds the newer ones. Undefined where it is not in memory. */
  sequenceInMemory(key: BookKey): number | undefined {
    return this.#memory.get(bookKeyText(key))?.sequence;
  }

  /** Resolves when no loaded book has to be written to Redis any more: encoding a long one delays other reads. */
  async repairsEnded(): Promise<void> {
    await Promise.all(this.#repairs);
  }

  /** The book with everything committed before the call; an empty one where nothing is recorded. */
  async loadLatest(key: BookKey, timer: StageTimer): Promise<LoadedBook<unknown>> {
    for (;;) {
      while (this.#loadsOf([key]).length > 0) await timer.measure('derive', () => Promise.all(this.#loadsOf([key])));
      const cached = this.#memory.get(bookKeyText(key));
      if (cached !== undefined) return this.#loadSince(cached, key, timer);
      const row = await this.#readRow(key, 0, timer);
      if (row === undefined) return emptyBook(this.#deciderFor, key);
      const release = await this.#takeMemory(key, row, timer);
      // Only now others may wait for this load: a page that holds memory and waited for one without would wait in vain.
      const isLoadedByOther = this.#loadsOf([key]).length > 0 || this.sequenceInMemory(key) !== undefined;
      if (!isLoadedByOther) return this.#noteLoading(key, this.#loadWhole(key, row, { timer, release }));
      release();
    }
  }

  async #loadSince(cached: LoadedBook<unknown>, key: BookKey, timer: StageTimer): Promise<LoadedBook<unknown>> {
    const row = await this.#readRow(key, cached.sequence, timer);
    const isWrong = contradicts(cached, row);
    if (isWrong) this.#memory.delete(bookKeyText(key));
    if (row === undefined) return emptyBook(this.#deciderFor, key);
    const current = isWrong ? undefined : await this.#bringUpToDate(cached, row, timer);
    if (current !== undefined) {
      countBookReads('memory');
      return current;
    }
    const release = await this.#takeMemory(key, row, timer);
    return this.#loadWhole(key, row, { timer, release });
  }

  #readRow(key: BookKey, after: number, timer: StageTimer): Promise<RowWithSize | undefined> {
    return this.#readRowOf({ ...key, after, maxLaterFacts: maxLaterFacts.inMemory }, timer);
  }

  /** Resolves to the function that gives the memory back. */
  async #takeMemory(key: BookKey, row: RowWithSize, timer: StageTimer): Promise<() => void> {
    const knownBytes = row.fact_bytes ?? Number.POSITIVE_INFINITY;
    if (row.sequence <= maxUncounted.facts && knownBytes <= maxUncounted.bytes) return () => undefined;
    const { tenantId } = key;
    const { sequence, recorded_at: recordedAt, fact_bytes: factBytes } = row;
    const sizes = await this.#sizesOf([{ ...key, sequence, recordedAt: recordedAt as Moment, factBytes }], timer);
    const bytes = sizes.get(bookKeyText(key)) ?? 0;
    const waitUntil = performance.now() + maxMemoryWaitMs;
    return timer.measure('derive', () => this.#readMemory.take({ tenantId, bytes, waitUntil }));
  }

  async #loadWhole(
    key: BookKey,
    row: RowWithSize,
    { timer, release }: { readonly timer: StageTimer; readonly release: () => void },
  ): Promise<LoadedBook<unknown>> {
    const repairs: Promise<void>[] = [];
    try {
      const fromRedis = await this.#loadFromRedis(key, row, timer, repairs);
      if (fromRedis !== undefined) {
        countBookReads('redis');
        return fromRedis;
      }
      const position = { ...key, sequence: row.sequence, recordedAt: row.recorded_at as Moment };
      const [fromStandby] = await this.#loadFromStandby([position], timer, repairs);
      return fromStandby ?? (await this.#loadFromPostgres(key, timer, repairs));
    } finally {
      void Promise.all(repairs).then(release);
    }
  }

  /**
   * The books of a page in the order of the keys, each with at least the facts of its position; the caller cuts off later
   * ones. They come in portions, and the next one is loaded into the memory of the one before: the caller keeps no book.
   * A book that cannot be replayed is returned with its `replayError`.
   */
  async *loadAtPositions(
    keys: readonly BookAtPosition[],
    { timer, waitUntil }: PageLoad,
  ): AsyncGenerator<readonly LoadedBook<unknown>[], void> {
    const sizes = await this.#sizesOf(keys, timer);
    const bytesOf = (key: BookKey): number => sizes.get(bookKeyText(key)) ?? 0;
    const maxBytes = Math.min(this.#maxReadBytes * maxPortionShare, maxPortion.bytes);
    for (const portion of bookPortions(keys, bytesOf, { maxBytes, maxBooks: maxPortion.books })) {
      const { tenantId } = portion.keys[0] as BookKey;
      // Books in memory are counted too: another page may displace them there while this one still uses them.
      const release = await this.#readMemory.take({ tenantId, bytes: portion.bytes, waitUntil });
      const repairs: Promise<void>[] = [];
      try {
        yield await this.#loadPortion(portion.keys, timer, repairs);
      } finally {
        void Promise.all(repairs).then(release);
      }
    }
  }

  async #readRowOf(request: BookRowRequest, timer: StageTimer): Promise<RowWithSize | undefined> {
    for (let database: Database | undefined = this.#databases.ofBook(request); ; ) {
      const row = await (this.#rows.get(database) as BookRowReader).read(request, timer);
      if (row !== undefined) return row;
      database = await this.#databases.afterMove(request, database);
      if (database === undefined) return undefined;
    }
  }

  /** By `bookKeyText`. Postgres is asked only for books that are not in memory and whose rows do not say it. */
  async #sizesOf(keys: readonly BookAtPosition[], timer: StageTimer): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    const unknown: BookKey[] = [];
    for (const key of keys) {
      const { factBytes, sequence } = key;
      const estimated = factBytes === null ? undefined : estimatedBookBytes(factBytes, sequence);
      const bytes = this.#cachedAt(key)?.bytes ?? estimated;
      if (bytes === undefined) unknown.push(key);
      else sizes.set(bookKeyText(key), bytes);
    }
    for (const [database, group] of this.#databases.groupByBook(unknown)) {
      const counted = await withConnection(database, timer, (connection) => readBookBytes(connection, group));
      for (const [key, bytes] of counted) sizes.set(key, bytes);
    }
    return sizes;
  }

  async #loadPortion(
    keys: readonly BookAtPosition[],
    timer: StageTimer,
    repairs: Promise<void>[],
  ): Promise<LoadedBook<unknown>[]> {
    while (this.#loadsOf(keys).length > 0) await timer.measure('derive', () => Promise.all(this.#loadsOf(keys)));
    const books = keys.map((key) => this.#cachedAt(key));
    countBookReads('memory', books.filter((book) => book !== undefined).length);
    const missing = keys.filter((_, index) => books[index] === undefined);
    const [first] = missing;
    if (first !== undefined) {
      const load = this.#loadMissing(books, keys, timer, repairs);
      // The reader of one book must not wait for a page of others.
      await (missing.length === 1 ? this.#noteLoading(first, load) : load);
    }
    return books.map((book, index) => book ?? this.#vanishedBook(keys[index] as BookKey));
  }

  async #loadMissing(
    books: (LoadedBook<unknown> | undefined)[],
    keys: readonly BookAtPosition[],
    timer: StageTimer,
    repairs: Promise<void>[],
  ): Promise<void> {
    await this.#fillIn(books, keys, async (missing) => {
      const fromRedis = await this.#readRedis(missing, timer);
      const found = missing.map((key, index) => {
        const book = fromRedis[index];
        return book !== undefined && isAt(book, key) ? this.#keepInMemory(book) : undefined;
      });
      countBookReads('redis', found.filter((book) => book !== undefined).length);
      return found;
    });
    await this.#fillIn(books, keys, (missing) => this.#loadFromStandby(missing, timer, repairs));
    await this.#fillIn(books, keys, (missing) => this.#loadPageFromPostgres(missing, timer, repairs));
  }

  /** What other readers of the same books wait for. */
  #loadsOf(keys: readonly BookKey[]): Promise<void>[] {
    if (this.#loading.size === 0) return [];
    return keys.map((key) => this.#loading.get(bookKeyText(key))).filter((loading) => loading !== undefined);
  }

  #noteLoading<Loaded>(key: BookKey, load: Promise<Loaded>): Promise<Loaded> {
    const name = bookKeyText(key);
    const end = (): void => {
      if (this.#loading.get(name) === ended) this.#loading.delete(name);
    };
    const ended = load.then(end, end);
    this.#loading.set(name, ended);
    return load;
  }

  /** Loads the books that are still undefined. */
  async #fillIn(
    books: (LoadedBook<unknown> | undefined)[],
    keys: readonly BookAtPosition[],
    load: (missing: readonly BookAtPosition[]) => Promise<(LoadedBook<unknown> | undefined)[]>,
  ): Promise<void> {
    const missing = keys.filter((_, index) => books[index] === undefined);
    if (missing.length === 0) return;
    const loaded = await load(missing);
    let next = 0;
    for (const [index, book] of books.entries()) {
      if (book !== undefined) continue;
      books[index] = loaded[next];
      next += 1;
    }
  }

  #cachedAt(key: BookKey & BookPosition): LoadedBook<unknown> | undefined {
    const cached = this.#memory.get(bookKeyText(key));
    return cached !== undefined && isAt(cached, key) ? cached : undefined;
  }

  async #loadPageFromPostgres(
    keys: readonly BookKey[],
    timer: StageTimer,
    repairs: Promise<void>[],
  ): Promise<(LoadedBook<unknown> | undefined)[]> {
    const books: LoadedBook<unknown>[] = [];
    for (const [database, group] of this.#databases.groupByBook(keys))
      books.push(...(await loadBooksKeepingErrors(database, timer, this.#deciderFor, group)));
    countBookReads('postgres', keys.length);
    const replayed = books.filter(({ replayError }) => replayError === undefined);
    repairs.push(this.#repairRedis(replayed));
    for (const book of replayed) this.#keepInMemory(book);
    const byKey = new Map(books.map((book) => [bookKeyText(book), book]));
    return keys.map((key) => byKey.get(bookKeyText(key)));
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
    const replayed = await timer.measure('derive', () =>
      runInParts(replayFacts(decider, loaded, facts.map(toStoredFact))),
    );
    return this.#keepInMemory({ ...loaded, ...replayed, ...bookFields(row) });
  }

  /** Redis may be newer than a row that was read before it. If it is newer than a row read after it, it is wrong. */
  async #loadFromRedis(
    key: BookKey,
    row: StoredBookRow,
    timer: StageTimer,
    repairs: Promise<void>[],
  ): Promise<LoadedBook<unknown> | undefined> {
    const [cached] = await this.#readRedis([key], timer);
    if (cached === undefined) return undefined;
    const isCurrent = cached.sequence === row.sequence;
    if (isCurrent && !contradicts(cached, row)) return this.#keepInMemory(cached);
    const newRow = isCurrent
      ? row
      : await this.#readRowOf({ ...key, after: cached.sequence, maxLaterFacts: maxLaterFacts.inRedis }, timer);
    if (newRow === undefined || contradicts(cached, newRow)) {
      await this.#deleteFromRedis(key);
      return undefined;
    }
    const current = await this.#bringUpToDate(cached, newRow, timer);
    const isFarBehind = current !== undefined && current.sequence - cached.sequence > maxFactsBehind;
    if (isFarBehind) repairs.push(this.#repairRedis([current]));
    return current;
  }

  /** In the order of the keys; undefined for a book that Redis does not have. */
  async #readRedis(keys: readonly BookKey[], timer: StageTimer): Promise<(LoadedBook<unknown> | undefined)[]> {
    if (keys.length === 0 || !isReady(this.#redis)) return [];
    // Without an answer of Redis the books come from Postgres.
    const texts = await timer.measure('db', () =>
      answerOrTimeout(this.#redis, this.#snapshots.read(keys)).catch(() => []),
    );
    const snapshots = this.#snapshots;
    const books = await timer.measure('derive', () =>
      mapTasksInParts(keys, function* (key, index) {
        const text = texts[index];
        return text === undefined ? undefined : yield* snapshots.decode(key, text);
      }),
    );
    const unreadable = keys.filter((_, index) => texts[index] !== undefined && books[index] === undefined);
    await Promise.all(unreadable.map((key) => this.#deleteFromRedis(key)));
    return books;
  }

  /** In the order of the keys; undefined for a book that the standby does not have at its position. */
  async #loadFromStandby(
    keys: readonly (BookKey & BookPosition)[],
    timer: StageTimer,
    repairs: Promise<void>[],
  ): Promise<(LoadedBook<unknown> | undefined)[]> {
    if (this.#standbys.size === 0) return [];
    const byKey = new Map<string, LoadedBook<unknown>>();
    let [requested, isUnavailable] = [0, false];
    for (const [database, group] of this.#databases.groupByBook(keys)) {
      const standby = this.#standbys.get(database);
      if (standby === undefined) continue;
      requested += group.length;
      const loaded = await standby.load(group, timer);
      isUnavailable ||= loaded === undefined;
      for (const book of loaded ?? []) byKey.set(bookKeyText(book), book);
    }
    const books = keys.map((key) => {
      const book = byKey.get(bookKeyText(key));
      return book !== undefined && isAt(book, key) ? this.#keepInMemory(book) : undefined;
    });
    const current = books.filter((book) => book !== undefined);
    countBookReads('standby', current.length);
    countStandbyFallbacks(isUnavailable ? 'unavailable' : 'behind', requested - current.length);
    repairs.push(this.#repairRedis(current));
    return books;
  }

  async #loadFromPostgres(key: BookKey, timer: StageTimer, repairs: Promise<void>[]): Promise<LoadedBook<unknown>> {
    const [book] = await loadBooksTimed(this.#databases.ofBook(key), timer, this.#deciderFor, [key]);
    countBookReads('postgres');
    if (book === undefined) return emptyBook(this.#deciderFor, key);
    repairs.push(this.#repairRedis([book]));
    return this.#keepInMemory(book);
  }

  #vanishedBook(key: BookKey): LoadedBook<unknown> {
    const error = new Error(`book ${bookKeyText(key)} was on the page but is not in Postgres any more`);
    return unreplayableBook(this.#deciderFor, key, error);
  }

  /** A slower reader must not replace a book with one that has fewer facts. */
  #keepInMemory(book: LoadedBook<unknown>): LoadedBook<unknown> {
    const key = bookKeyText(book);
    const cached = this.#memory.get(key);
    if (cached === undefined || cached.sequence <= book.sequence) this.#memory.set(key, book);
    return book;
  }

  /** Redis only replaces a snapshot by one with more facts, so a contradicting one is deleted first. */
  async #deleteFromRedis(key: BookKey): Promise<void> {
    await this.#snapshots.delete(key).catch(() => undefined);
  }

  async #writeToRedis(books: readonly LoadedBook<unknown>[]): Promise<void> {
    await this.#snapshots.write(await this.#snapshots.encode(books));
  }

  /** No answer waits for it: what Redis does not accept, the next reader repairs. */
  async #repairRedis(books: readonly LoadedBook<unknown>[]): Promise<void> {
    if (!isReady(this.#redis)) return;
    // After the response: encoding a long book takes longer than reading it.
    const repair = new Promise(setImmediate).then(() => this.#writeToRedis(books)).catch(() => undefined);
    this.#repairs.add(repair);
    await repair;
    this.#repairs.delete(repair);
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
