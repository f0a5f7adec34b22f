import { calendarsOf } from '#libs/book/calendars.ts';
import { type Contract, contract as published } from '#libs/contract/versions.ts';
import type { Handlers } from '#libs/door/handler.ts';
import type { Front } from '#libs/front/front.ts';
import { MARKETS } from '#libs/markets/registry.ts';
import { integer, type Reader, readConfig } from '#libs/process/config.ts';
import type { Service } from '#libs/process/service.ts';
import { openLocations } from '#libs/store/locations.ts';
import { BookReader } from '#libs/store/read-books.ts';
import { cellSecret } from '#libs/store/read-listings.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import { Cursors } from './cursors.ts';
import { queryHandlers } from './query.ts';
import { releaseDigest } from './release.ts';

/** Cursors never expire: whoever moves to another cell takes the key along. */
const cursorKey: Reader<Buffer | undefined> = {
  variable: 'CURSOR_KEY',
  fallback: undefined,
  read: (text) =>
    /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : { problem: 'is not 32 bytes in lower-case hexadecimal' },
};

const settings = {
  cursorKey,
  /** About two kilobytes each. */
  mostFacts: integer('BOOK_CACHE_FACTS', { least: 0, most: 10_000_000, fallback: 50_000 }),
};

/** The reads on a front that stands. */
export async function mountQuery(
  { env }: Pick<Service, 'env'>,
  { database, redis }: Pick<Front, 'database' | 'redis'>,
  contract: Contract = published,
): Promise<Handlers> {
  const { cursorKey: told, mostFacts } = readConfig(env, settings);
  return queryHandlers({
    database,
    books: new BookReader({ database, redis, kindOf, mostFacts }),
    locations: openLocations(database),
    cursors: new Cursors(told ?? (await cellSecret(database, 'cursors'))),
    markets: MARKETS,
    calendars: calendarsOf(),
    contract,
    release: releaseDigest(),
  });
}
