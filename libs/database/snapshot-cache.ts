/** Books in Redis: where reads find them. Only ever replaced by one that holds more facts, unless nobody can read it. */
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, type DeciderFor, type LoadedBook, readSnapshot } from '#libs/database/books.ts';
import { answerNoted } from '#libs/redis/redis-timeout.ts';

/**
 * KEYS: books. ARGV: seconds to keep, then for each its sequence and its data. Whether what is held can be read is asked
 * only where it would stay: the text of a long book is long.
 */
const forwardOnly = `
  local written = 0
  for at, key in ipairs(KEYS) do
    local held = redis.pcall('HGET', key, 's')
    if type(held) == 'table' then
      redis.call('DEL', key)
      held = nil
    end
    local known = held and tonumber(held)
    local stays = known and known >= tonumber(ARGV[2 * at])
    if stays then
      stays = string.match(redis.call('HGET', key, 'd') or '', '^%[(%d+),') == held
    end
    if not stays then
      redis.call('HSET', key, 's', ARGV[2 * at], 'd', ARGV[2 * at + 1])
      written = written + 1
    end
    redis.call('EXPIRE', key, ARGV[1])
  end
  return written`;

const keptSeconds = 7 * 24 * 3600;

/** Raised whenever the first line reads differently; a book's own text has a format of its own. */
const format = 1;

/**
 * What stands in the first line, in this order. The format comes behind what was there before it, so that a release that
 * knows none and one that does can serve the same cell; the length of the book's text tells one that was cut off.
 */
type Head = readonly [
  sequence: number,
  versionCount: number,
  versionAt: number | null,
  recordedAt: number,
  dueFrom: number | null,
  parked: boolean,
  snapshotAt: number,
  format: number,
  length: number,
];

interface WithScript extends Redis {
  putBooks(keys: number, ...rest: (string | number)[]): Promise<number>;
}

export function snapshotKey(tenantId: string, bookId: string): string {
  return `book:${tenantId}/${bookId}`;
}

function keyOf({ tenantId, bookId }: BookKey): string {
  return snapshotKey(tenantId, bookId);
}

/** All of them; how many there were. */
export async function dropCachedBooks(redis: Redis): Promise<number> {
  let dropped = 0;
  for await (const keys of redis.scanStream({ match: snapshotKey('*', '*'), count: 1_000 })) {
    if (keys.length > 0) dropped += await redis.unlink(...(keys as string[]));
  }
  return dropped;
}

export class SnapshotCache {
  readonly #redis: WithScript;
  readonly #kindOf: DeciderFor;

  constructor(redis: Redis, kindOf: DeciderFor) {
    redis.defineCommand('putBooks', { lua: forwardOnly });
    this.#redis = redis as WithScript;
    this.#kindOf = kindOf;
  }

  async put(books: readonly LoadedBook<unknown>[]): Promise<void> {
    if (books.length === 0) return;
    const keys = books.map(keyOf);
    const rest = books.flatMap((standing) => [standing.sequence, this.#encode(standing)]);
    await answerNoted(this.#redis, this.#redis.putBooks(keys.length, ...keys, keptSeconds, ...rest));
  }

  /** The texts held of the books, to be decoded, in their order; undefined where none is. */
  async get(names: readonly BookKey[]): Promise<(string | undefined)[]> {
    const [name] = names;
    if (name === undefined) return [];
    if (names.length === 1) return [await this.#redis.hget(keyOf(name), 'd').then(textIn, noTextIn)];
    // One by one each would be a write to the socket of its own.
    const together = this.#redis.pipeline();
    for (const each of names) together.hget(keyOf(each), 'd');
    const found = (await together.exec()) ?? [];
    return found.map(([fault, text]) => (fault === null ? textIn(text) : noTextIn(fault)));
  }

  /** Makes room for a book that holds fewer facts: only for one that says what Postgres does not. */
  async drop(name: BookKey): Promise<void> {
    await this.#redis.del(keyOf(name));
  }

  #encode({
    bookId,
    book,
    sequence,
    versionCount,
    versionAt,
    recordedAt,
    dueFrom,
    parked,
    snapshotAt,
  }: LoadedBook<unknown>): string {
    const text = this.#kindOf(bookId).encode(book);
    const head: Head = [
      sequence,
      versionCount,
      versionAt,
      recordedAt,
      dueFrom,
      parked,
      snapshotAt,
      format,
      text.length,
    ];
    return `${JSON.stringify(head)}\n${text}`;
  }

  /** Undefined where it is of another format, or cannot be read. */
  decode({ tenantId, bookId }: BookKey, text: string): LoadedBook<unknown> | undefined {
    const end = text.indexOf('\n');
    const head = readHead(text.slice(0, Math.max(end, 0)));
    if (head === undefined) return undefined;
    const [sequence, versionCount, versionAt, recordedAt, dueFrom, parked, snapshotAt, , length] = head;
    if (text.length !== end + 1 + length) return undefined;
    const book = readSnapshot(this.#kindOf(bookId), text.slice(end + 1));
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
      snapshotAt,
    };
  }
}

function readHead(line: string): Head | undefined {
  try {
    const head = JSON.parse(line) as unknown;
    return Array.isArray(head) && head[7] === format ? (head as unknown as Head) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(held: unknown): string | undefined {
  return typeof held === 'string' ? held : undefined;
}

/** Something else than a book under its name is no text; any other fault is Redis's. */
function noTextIn(fault: Error): undefined {
  if (!fault.message.startsWith('WRONGTYPE')) throw fault;
}
