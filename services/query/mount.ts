import { Gauge } from 'prom-client';
import { type Contract, contract as published } from '#libs/api/versions.ts';
import { openLocations } from '#libs/database/locations.ts';
import { BookReader } from '#libs/database/read-books.ts';
import type { FeedEvent } from '#libs/database/read-feed.ts';
import { cellSecret } from '#libs/database/read-listings.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { HttpServer } from '#libs/http/server.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { type Environment, integer, type Reader, readConfig } from '#libs/runtime/config.ts';
import { metrics } from '#libs/runtime/metrics.ts';
import type { Service } from '#libs/runtime/service.ts';
import { untilThere } from '#libs/runtime/wait-for.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { Cursors } from './cursors.ts';
import { Followers } from './feed/followers.ts';
import { feedStream, streamedEvent } from './feed/stream.ts';
import { FeedTails } from './feed/tails.ts';
import { queryHandlers } from './query.ts';
import type { ReadContext } from './reads.ts';
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
  mostFacts: integer('BOOK_CACHE_FACTS', { least: 0, most: 10_000_000, fallback: 50_000 }),
};

/** Everything that is read, on a front that stands. */
export async function mountQuery({ env, logger, lifecycle }: Service, front: HttpServer): Promise<RouteHandlers> {
  const reads = await untilThere('the key of the cursors', () => openReads({ env, logger }, front), logger);
  const { cursors } = reads;
  const { database, subscriber, keyRing } = front;
  const render = (tenantId: string, event: FeedEvent): string => streamedEvent(cursors, tenantId, event);
  const tails = new FeedTails({ database, subscriber, render, say: logger });
  const followers = new Followers(keyRing, lifecycle.stopping);
  lifecycle.onStop('feed', async () => {
    followers.close();
    tails.close();
  });
  new Gauge({
    name: 'lending_feed_followers',
    help: 'Callers who follow the feed through this instance.',
    registers: [metrics],
    collect() {
      this.set(followers.size);
    },
  });
  return { ...queryHandlers(reads), ...feedStream(cursors, { tails, followers }) };
}

export async function openReads(
  { env, logger }: { readonly env: Environment; readonly logger: ReadContext['say'] },
  { database, redis }: Pick<HttpServer, 'database' | 'redis'>,
  contract: Contract = published,
): Promise<ReadContext> {
  const { cursorKey: told, mostFacts } = readConfig(env, settings);
  return {
    database,
    books: new BookReader({ database, redis, kindOf: deciderFor, mostFacts }),
    locations: openLocations(database),
    cursors: new Cursors(told ?? (await cellSecret(database, 'cursors'))),
    markets: MARKETS,
    calendars: calendarsOf(),
    contract,
    say: logger,
    release: releaseDigest(),
  };
}
