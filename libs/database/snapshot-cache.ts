/** Snapshots of books in Redis. A snapshot is replaced only by one with more facts, or if it cannot be read. */
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { snapshotBytes } from '#libs/ledger/book-bytes.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import { noteTimeout } from '#libs/redis/redis-timeout.ts';
import { mapTasksInParts } from '#libs/runtime/run-in-parts.ts';
import { type BookKey, type DeciderFor, decodeSnapshot, type LoadedBook } from './books.ts';

/**
 * KEYS: books. ARGV: the time to live in seconds, then for each book its sequence and its snapshot. Whether the stored
 * snapshot is intact is checked only where it would stay, because the text of a long book is long.
 */
const writeSnapshotsScript = `
  local written = 0
  for index, key in ipairs(KEYS) do
    local stored = redis.pcall('HGET', key, 's')
    if type(stored) == 'table' then
      redis.call('DEL', key)
      stored = nil
    end
    local sequence = stored and tonumber(stored)
    local stays = sequence and sequence >= tonumber(ARGV[2 * index])
    if stays then
      stays = string.match(redis.call('HGET', key, 'd') or '', '^%[(%d+),') == stored
    end
    if not stays then
      redis.call('HSET', key, 's', ARGV[2 * index], 'd', ARGV[2 * index + 1])
      written = written + 1
    end
    redis.call('EXPIRE', key, ARGV[1])
  end
  return written`;

const timeToLiveSeconds = 7 * 24 * 3600;

/** Raised with every change of the header; a book's own text has a format number of its own. */
const headerFormat = 1;

/** The first line of a stored snapshot, as a JSON array in this order. `length` detects a truncated text. */
type SnapshotHeader = readonly [
  sequence: number,
  versionCount: number,
  versionAt: number | null,
  recordedAt: number,
  dueFrom: number | null,
  parked: boolean,
  snapshotSequence: number,
  format: number,
  length: number,
  /** Of the book in memory. Absent in what releases before this member wrote. */
  bytes?: number,
];

export interface EncodedBook {
  readonly book: LoadedBook<unknown>;
  readonly text: string;
}

interface RedisWithScripts extends Redis {
  writeSnapshots(keyCount: number, ...keysAndValues: (string | number)[]): Promise<number>;
}

export function snapshotKey(tenantId: string, bookId: string): string {
  return `book:${tenantId}/${bookId}`;
}

/** Deletes every snapshot in Redis and returns how many there were. */
export async function deleteCachedSnapshots(redis: Redis): Promise<number> {
  let deleted = 0;
  for await (const keys of redis.scanStream({ match: snapshotKey('*', '*'), count: 1_000 })) {
    if (keys.length > 0) deleted += await redis.unlink(...(keys as string[]));
  }
  return deleted;
}

export class SnapshotCache {
  readonly #redis: RedisWithScripts;
  readonly #deciderFor: DeciderFor;

  constructor(redis: Redis, deciderFor: DeciderFor) {
    redis.defineCommand('writeSnapshots', { lua: writeSnapshotsScript });
    this.#redis = redis as RedisWithScripts;
    this.#deciderFor = deciderFor;
  }

  encode(books: readonly LoadedBook<unknown>[]): Promise<EncodedBook[]> {
    const snapshots = this;
    return mapTasksInParts(books, function* (book) {
      return { book, text: yield* snapshots.#encode(book) };
    });
  }

  async write(books: readonly EncodedBook[]): Promise<void> {
    if (books.length === 0) return;
    const keys = books.map(({ book }) => redisKey(book));
    const values = books.flatMap(({ book, text }) => [book.sequence, text]);
    await noteTimeout(this.#redis, this.#redis.writeSnapshots(keys.length, ...keys, timeToLiveSeconds, ...values));
  }

  /** The stored texts in the order of the keys, for `decode`; undefined where there is none. */
  async read(keys: readonly BookKey[]): Promise<(string | undefined)[]> {
    const [first] = keys;
    if (first === undefined) return [];
    if (keys.length === 1) return [await this.#redis.hget(redisKey(first), 'd').then(textOrNone, noneIfWrongType)];
    // A pipeline: separate commands would each be a write to the socket.
    const pipeline = this.#redis.pipeline();
    for (const key of keys) pipeline.hget(redisKey(key), 'd');
    const results = (await pipeline.exec()) ?? [];
    return results.map(([error, text]) => (error === null ? textOrNone(text) : noneIfWrongType(error)));
  }

  /** Only for a snapshot that contradicts Postgres: it may be replaced by one with fewer facts then. */
  async delete(key: BookKey): Promise<void> {
    await this.#redis.del(redisKey(key));
  }

  *#encode(loaded: LoadedBook<unknown>): CooperativeTask<string> {
    const text = yield* this.#deciderFor(loaded.bookId).encode(loaded.book);
    const header: SnapshotHeader = [
      loaded.sequence,
      loaded.versionCount,
      loaded.versionAt,
      loaded.recordedAt,
      loaded.dueFrom,
      loaded.parked,
      loaded.snapshotSequence,
      headerFormat,
      text.length,
      loaded.bytes,
    ];
    return `${JSON.stringify(header)}\n${text}`;
  }

  /** Undefined where the text has another format or cannot be read. */
  *decode({ tenantId, bookId }: BookKey, text: string): CooperativeTask<LoadedBook<unknown> | undefined> {
    const headerEnd = text.indexOf('\n');
    const header = parseHeader(text.slice(0, Math.max(headerEnd, 0)));
    if (header === undefined) return undefined;
    const [sequence, versionCount, versionAt, recordedAt, dueFrom, parked, snapshotSequence, , length, bytes] = header;
    if (text.length !== headerEnd + 1 + length) return undefined;
    const snapshot = text.slice(headerEnd + 1);
    const book = yield* decodeSnapshot(this.#deciderFor(bookId), snapshot);
    if (book === undefined) return undefined;
    return {
      tenantId,
      bookId,
      book,
      sequence,
      versionCount,
      versionAt: versionAt as Moment | null,
      recordedAt: recordedAt as Moment,
      dueFrom,
      parked,
      snapshotSequence,
      bytes: bytes ?? snapshotBytes(snapshot, sequence),
    };
  }
}

function redisKey({ tenantId, bookId }: BookKey): string {
  return snapshotKey(tenantId, bookId);
}

function parseHeader(line: string): SnapshotHeader | undefined {
  try {
    const header: unknown = JSON.parse(line);
    return isHeader(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is SnapshotHeader {
  return Array.isArray(value) && value[7] === headerFormat;
}

function textOrNone(stored: unknown): string | undefined {
  return typeof stored === 'string' ? stored : undefined;
}

/** A value of another type under the key counts as no snapshot; other errors are Redis's. */
function noneIfWrongType(error: Error): undefined {
  if (!error.message.startsWith('WRONGTYPE')) throw error;
}
