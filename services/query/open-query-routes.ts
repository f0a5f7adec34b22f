/** Opens the read routes of a process: the query service, or a worker of the gateway. */
import { Counter, Gauge } from 'prom-client';
import { type Contract, contract as publishedContract } from '#libs/api/contract-versions.ts';
import { BookReader } from '#libs/database/book-reader.ts';
import { readCellSecret } from '#libs/database/cell-secrets.ts';
import type { Database } from '#libs/database/database.ts';
import { createLookups } from '#libs/database/immutable-lookups.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import type { FeedEvent } from '#libs/database/read-feed.ts';
import { LoanPageReader } from '#libs/database/read-loans.ts';
import { Standby, standbyTimeoutMs } from '#libs/database/standby.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { HttpServer } from '#libs/http/server.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';
import { type Environment, readConfig } from '#libs/runtime/config.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followSetting } from '#libs/runtime/follow-setting.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import type { Service } from '#libs/runtime/service.ts';
import { httpSettings, querySettings, standbySettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { OpenStreams } from '#services/query/feed/open-streams.ts';
import { Cursors } from './cursors.ts';
import { releaseDigest } from './entity-tag.ts';
import { feedStream, serverSentEvent } from './feed/routes.ts';
import { FeedTails } from './feed/tails.ts';
import { KnownBooks } from './known-books.ts';
import type { ReadContext } from './read-context.ts';
import { readHandlers } from './read-routes.ts';

/** All read routes, with what they need opened on the server's connections. */
export async function openQueryRoutes(service: Service, server: HttpServer): Promise<RouteHandlers> {
  const { env, logger, lifecycle } = service;
  const standbys = openStandbys(service, server.databases);
  const loanStateMismatches = countLoanStateMismatches();
  const context = await waitForDependency(
    'the database, for the key of cursors',
    () => openReadContext({ env, logger, loanStateMismatches }, { ...server, standbys }),
    logger,
  );
  const { cursors } = context;
  const { databases, subscriber, keyRing } = server;
  const render = (tenantId: string, event: FeedEvent): string => serverSentEvent(cursors, tenantId, event);
  const tails = new FeedTails({ databases, subscriber, render, logger });
  const followers = new OpenStreams(keyRing, lifecycle.stopping);
  lifecycle.onStop('feed', async () => {
    followers.close();
    tails.close();
  });
  new Gauge({
    name: 'lending_feed_followers',
    help: 'Open streams of the feed on this instance.',
    registers: [metrics],
    collect() {
      this.set(followers.size);
    },
  });
  return { ...readHandlers(context), ...feedStream(cursors, { tails, followers }) };
}

/** By the database that each follows. Neither the start nor readiness waits for them. */
function openStandbys(
  { name: service, env, logger, lifecycle }: Service,
  databases: PartitionDatabases,
): ReadonlyMap<Database, Standby> {
  const homeUrl = followSetting(env, standbySettings.standbyUrl, logger);
  const otherUrls = followSetting(env, standbySettings.partitionStandbyUrls, logger);
  const { connections } = readConfig(env, { connections: httpSettings.databaseConnections });
  const standbys = new Map<Database, Standby>();
  for (const primary of databases.all) {
    const name = databases.nameOf(primary);
    const url = (): string | undefined => (name === undefined ? homeUrl() : otherUrls().get(name));
    if (url() === undefined) continue;
    const database = openDatabase({
      url: () => url() as string,
      name: [service, name, 'standby'].filter((each) => each !== undefined).join('-'),
      connections,
      maxHoldMs: standbyTimeoutMs,
      acceptsStandby: true,
    });
    lifecycle.onStop('standby', () => database.end());
    standbys.set(primary, new Standby({ database, deciderFor, logger }));
  }
  return standbys;
}

export function countLoanStateMismatches(): Counter {
  return new Counter({
    name: 'lending_loan_state_mismatches_total',
    help: 'Loans on pages whose stored state differed from the fold of their book.',
    registers: [metrics],
  });
}

export async function openReadContext(
  {
    env,
    logger,
    loanStateMismatches,
  }: { readonly env: Environment; readonly logger: Logger } & Pick<ReadContext, 'loanStateMismatches'>,
  {
    databases,
    redis,
    standbys,
  }: Pick<HttpServer, 'databases' | 'redis'> & { readonly standbys?: ReadonlyMap<Database, Standby> },
  contract: Contract = publishedContract,
): Promise<ReadContext> {
  const { maxCachedBytes } = readConfig(env, querySettings);
  const configuredKeys = followSetting(env, querySettings.cursorKeys, logger);
  const cellKeys = configuredKeys() === undefined ? [await readCellSecret(databases.home, 'cursors')] : [];
  return {
    database: databases.home,
    databases,
    books: new BookReader({
      databases,
      redis,
      deciderFor,
      maxCachedBytes,
      ...(standbys === undefined ? {} : { standbys }),
    }),
    knownBooks: new KnownBooks(heapShareBytes('knownBooks')),
    loanPages: new LoanPageReader(databases),
    lookups: createLookups(databases, heapShareBytes('queryLookups')),
    cursors: new Cursors(() => configuredKeys() ?? cellKeys),
    markets: MARKETS,
    calendars: calendarsOf(),
    contract,
    logger,
    loanStateMismatches,
    release: releaseDigest(),
  };
}
