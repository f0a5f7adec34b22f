/** Books in Redis: where reads find them. Only ever replaced by one that holds more facts. */
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/turn/moment.ts';
import type { BookName, KindOf, StandingBook } from './books.ts';

/** KEYS: books. ARGV: seconds to keep, then for each its sequence and its data. */
const forwardOnly = `
  local written = 0
  for at, key in ipairs(KEYS) do
    local held = redis.call('HGET', key, 's')
    if not held or tonumber(held) < tonumber(ARGV[2 * at]) then
      redis.call('HSET', key, 's', ARGV[2 * at], 'd', ARGV[2 * at + 1])
      written = written + 1
    end
    redis.call('EXPIRE', key, ARGV[1])
  end
  return written`;

const keptSeconds = 7 * 24 * 3600;

interface WithScript extends Redis {
  putBooks(keys: number, ...rest: (string | number)[]): Promise<number>;
}

export function snapshotKey(tenantId: string, bookId: string): string {
  return `book:${tenantId}/${bookId}`;
}

function keyOf({ tenantId, bookId }: BookName): string {
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
  readonly #kindOf: KindOf;

  constructor(redis: Redis, kindOf: KindOf) {
    redis.defineCommand('putBooks', { lua: forwardOnly });
    this.#redis = redis as WithScript;
    this.#kindOf = kindOf;
  }

  async put(books: readonly StandingBook<unknown>[]): Promise<void> {
    if (books.length === 0) return;
    const keys = books.map(keyOf);
    const rest = books.flatMap((standing) => [standing.sequence, this.#encode(standing)]);
    await this.#redis.putBooks(keys.length, ...keys, keptSeconds, ...rest);
  }

  /** The texts held of the books, to be decoded, in their order; undefined where none is. */
  async get(names: readonly BookName[]): Promise<(string | undefined)[]> {
    const [name] = names;
    if (name === undefined) return [];
    if (names.length === 1) return [(await this.#redis.hget(keyOf(name), 'd')) ?? undefined];
    // One by one each would be a write to the socket of its own.
    const together = this.#redis.pipeline();
    for (const each of names) together.hget(keyOf(each), 'd');
    const found = (await together.exec()) ?? [];
    return found.map(([fault, text]) => {
      if (fault !== null) throw fault;
      return typeof text === 'string' ? text : undefined;
    });
  }

  /** Makes room for a book that holds fewer facts: only for one that says what Postgres does not. */
  async drop(name: BookName): Promise<void> {
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
  }: StandingBook<unknown>): string {
    const head = JSON.stringify([sequence, versionCount, versionAt, recordedAt, dueFrom, parked, snapshotAt]);
    return `${head}\n${this.#kindOf(bookId).encode(book)}`;
  }

  /** Undefined where it is of another format. */
  decode({ tenantId, bookId }: BookName, text: string): StandingBook<unknown> | undefined {
    const end = text.indexOf('\n');
    const head = JSON.parse(text.slice(0, end)) as [
      number,
      number,
      number | null,
      number,
      number | null,
      boolean,
      number,
    ];
    const [sequence, versionCount, versionAt, recordedAt, dueFrom, parked, snapshotAt] = head;
    const book = this.#kindOf(bookId).decode(text.slice(end + 1));
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
