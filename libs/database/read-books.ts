/**
 * Books as a reader finds them, always with every fact committed before it asked: Postgres says in one row how many
 * facts a book holds, and only a book that holds as many is answered from memory or from Redis. One that is behind gets
 * the facts after it; where nothing fits, Postgres's own snapshot does, and Redis is mended.
 */
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { isReady } from '#libs/redis/redis.ts';
import { answerInTime } from '#libs/redis/redis-timeout.ts';
import { BookShelf } from './book-shelf.ts';
import type { BookStood } from './book-stood.ts';
import {
  type BookKey,
  bookKeyText,
  type DeciderFor,
  emptyBook,
  type LoadedBook,
  loadBooksTimed,
  loadEachTimed,
  type StoredBookRow,
  standingOf,
  storedFact,
  unsoundBook,
} from './books.ts';
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface BookReaderParts {
  readonly database: Database;
  readonly redis: Redis;
  readonly kindOf: DeciderFor;
  /** Facts of all books that are kept decoded. */
  readonly mostFacts: number;
}

/** What a caller compares: which facts about a Client there are. */
export interface BookVersion {
  readonly count: number;
  readonly at: Moment | null;
}

/** A book as it was in the one moment in which a page was read. */
export type BookAt = BookKey & BookStood;

/** So many facts after those known come with the row: after a book in memory where Redis may hold one further on, and after that one. */
const mostTail = { inMemory: 256, inRedis: 2_048 } as const;

const bookNow = `
  SELECT b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    CASE WHEN $3 > 0 AND b.sequence > $3 AND b.sequence <= $3 + $4::bigint THEN
      (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
        WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence > $3) END AS tail
  FROM books b WHERE b.tenant_id = $1 AND b.book_id = $2`;

export class BookReader {
  readonly #database: Database;
  readonly #redis: Redis;
  readonly #kindOf: DeciderFor;
  readonly #cache: SnapshotCache;
  readonly #shelf: BookShelf;

  constructor({ database, redis, kindOf, mostFacts }: BookReaderParts) {
    this.#database = database;
    this.#redis = redis;
    this.#kindOf = kindOf;
    this.#cache = new SnapshotCache(redis, kindOf);
    this.#shelf = new BookShelf(mostFacts);
  }

  /** From one row, without the book. */
  async version({ tenantId, bookId }: BookKey, watch: Watch): Promise<BookVersion> {
    const text = 'SELECT version_count, version_at FROM books WHERE tenant_id = $1 AND book_id = $2';
    const rows = await askTimed<Pick<StoredBookRow, 'version_count' | 'version_at'>>(
      this.#database,
      watch,
      'book_version',
      text,
      [tenantId, bookId],
    );
    const row = rows[0];
    return { count: row?.version_count ?? 0, at: (row?.version_at ?? null) as Moment | null };
  }

  /** The book with all that was committed when it was asked for; empty where nothing ever was. */
  async newest(name: BookKey, watch: Watch): Promise<LoadedBook<unknown>> {
    let shelved = this.#shelf.get(name);
    if (shelved === undefined && !isReady(this.#redis)) {
      return (await this.#fromPostgres([name], watch))[0] ?? emptyBook(this.#kindOf, name);
    }
    const row = await this.#now(name, shelved?.sequence ?? 0, mostTail.inMemory, watch);
    if (shelved !== undefined && isOfAnotherPast(shelved, row)) {
      this.#shelf.remove(name);
      shelved = undefined;
    }
    if (row === undefined) return emptyBook(this.#kindOf, name);
    const current = shelved === undefined ? undefined : await this.#upTo(shelved, row, watch);
    if (current !== undefined) return current;
    return (
      (await this.#fromRedis(name, row, watch)) ?? ((await this.#fromPostgres([name], watch))[0] as LoadedBook<unknown>)
    );
  }

  /**
   * Many books, none with fewer facts than its name says: of a page that Postgres answered in one moment, whoever needs
   * exactly that moment cuts off what came later. In the order of the names. One that cannot be stood up keeps none of the
   * others back: it says that it is unsound, and why.
   */
  async atLeast(names: readonly BookAt[], watch: Watch): Promise<LoadedBook<unknown>[]> {
    const found: (LoadedBook<unknown> | undefined)[] = names.map((name) => {
      const shelved = this.#shelf.get(name);
      return shelved !== undefined && isThen(shelved, name) ? shelved : undefined;
    });
    const absent = [...names.keys()].filter((at) => found[at] === undefined);
    const held = await this.#held(
      absent.map((at) => names[at] as BookKey),
      watch,
    );
    absent.forEach((at, nth) => {
      const standing = held[nth];
      if (standing !== undefined && isThen(standing, names[at] as BookAt)) found[at] = this.#keep(standing);
    });
    const missing = names.filter((_, at) => found[at] === undefined);
    const loaded = missing.length === 0 ? [] : await this.#eachFromPostgres(missing, watch);
    const byName = new Map(loaded.map((standing) => [bookKeyText(standing), standing]));
    return names.map((name, at) => found[at] ?? byName.get(bookKeyText(name)) ?? this.#gone(name));
  }

  async #now(
    { tenantId, bookId }: BookKey,
    known: number,
    most: number,
    watch: Watch,
  ): Promise<StoredBookRow | undefined> {
    const values = [tenantId, bookId, known, most];
    const rows = await askTimed<StoredBookRow>(this.#database, watch, 'book_now', bookNow, values);
    return rows[0];
  }

  /** The book with the facts the row carries after it; undefined where it is too far behind for that. */
  async #upTo(
    standing: LoadedBook<unknown>,
    row: StoredBookRow,
    watch: Watch,
  ): Promise<LoadedBook<unknown> | undefined> {
    if (standing.sequence >= row.sequence) return standing;
    const { tail } = row;
    if (tail === null) return undefined;
    if (tail.length !== row.sequence - standing.sequence) {
      throw new Error(`${standing.tenantId}/${standing.bookId} has a gap after fact ${standing.sequence}`);
    }
    const kind = this.#kindOf(standing.bookId);
    const book = await watch.measure('derive', () =>
      tail.reduce((grown, fact) => kind.replay(grown, storedFact(fact)), standing.book),
    );
    return this.#keep({ ...standing, book, ...standingOf(row) });
  }

  /** Redis may be a little behind, and just ahead of the row that was read before it; never ahead of the row read after. */
  async #fromRedis(name: BookKey, before: StoredBookRow, watch: Watch): Promise<LoadedBook<unknown> | undefined> {
    const [held] = await this.#held([name], watch);
    if (held === undefined) return undefined;
    const isNewest = held.sequence === before.sequence;
    if (isNewest && !isOfAnotherPast(held, before)) return this.#keep(held);
    const row = isNewest ? before : await this.#now(name, held.sequence, mostTail.inRedis, watch);
    if (row === undefined || isOfAnotherPast(held, row)) {
      await this.#drop(name);
      return undefined;
    }
    const current = await this.#upTo(held, row, watch);
    if (current !== undefined && current !== held) this.#mend([current]);
    return current;
  }

  /** In the order of the names; undefined for a book that Redis does not hold. */
  async #held(names: readonly BookKey[], watch: Watch): Promise<(LoadedBook<unknown> | undefined)[]> {
    if (names.length === 0 || !isReady(this.#redis)) return [];
    // Away or not, the answer comes: from Postgres then.
    const texts = await watch.measure('db', () => answerInTime(this.#redis, this.#cache.get(names)).catch(() => []));
    const decode = (name: BookKey, text: string | undefined): LoadedBook<unknown> | undefined =>
      text === undefined ? undefined : this.#cache.decode(name, text);
    const held = await watch.measure('derive', () => names.map((name, at) => decode(name, texts[at])));
    const ofAnotherFormat = names.filter((_, at) => texts[at] !== undefined && held[at] === undefined);
    await Promise.all(ofAnotherFormat.map((name) => this.#drop(name)));
    return held;
  }

  async #fromPostgres(names: readonly BookKey[], watch: Watch): Promise<LoadedBook<unknown>[]> {
    return this.#kept(await loadBooksTimed(this.#database, watch, this.#kindOf, names));
  }

  /** Nothing is kept of what is unsound. */
  async #eachFromPostgres(names: readonly BookKey[], watch: Watch): Promise<LoadedBook<unknown>[]> {
    const books = await loadEachTimed(this.#database, watch, this.#kindOf, names);
    this.#kept(books.filter(({ replayError: unsound }) => unsound === undefined));
    return books;
  }

  #gone(name: BookKey): LoadedBook<unknown> {
    return unsoundBook(this.#kindOf, name, new Error(`${name.tenantId}/${name.bookId} was there a moment ago`));
  }

  #kept(books: readonly LoadedBook<unknown>[]): LoadedBook<unknown>[] {
    this.#mend(books);
    return books.map((standing) => this.#keep(standing));
  }

  #keep(standing: LoadedBook<unknown>): LoadedBook<unknown> {
    this.#shelf.put(standing);
    return standing;
  }

  /** What is held is only ever replaced by more facts: to be mended, what says something else has to go first. */
  async #drop(name: BookKey): Promise<void> {
    await this.#cache.drop(name).catch(() => undefined);
  }

  /** Nobody waits for it: what Redis does not take is mended by the next reader. */
  #mend(books: readonly LoadedBook<unknown>[]): void {
    if (!isReady(this.#redis)) return;
    // After the answer: encoding a long book takes longer than reading it.
    setImmediate(() => void this.#cache.put(books).catch(() => undefined));
  }
}

/** One that holds more may hold what the store does not: it is read again. */
function isThen(standing: LoadedBook<unknown>, { sequence, recordedAt }: BookAt): boolean {
  return standing.sequence === sequence && standing.recordedAt === recordedAt;
}

/**
 * Whether it holds what the store, asked after it, does not: the database was set back since, by a restore or to what a
 * replica had. Of as many facts the last may be another; no two of a book are recorded in one microsecond.
 */
function isOfAnotherPast({ sequence, recordedAt }: LoadedBook<unknown>, row: StoredBookRow | undefined): boolean {
  if (row === undefined || sequence > row.sequence) return true;
  return sequence === row.sequence && recordedAt !== row.recorded_at;
}
