/**
 * Reads of the console: calls of the query routes in this process, through the SDK. Every figure a page shows is the
 * answer of the API itself. Whether a person may read a Tenancy is decided before a client is handed out (`access.ts`).
 */
import type { Redis } from 'ioredis';
import { InMemoryKeyRing } from '#libs/auth/key-ring.ts';
import { generateKey } from '#libs/auth/signer.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { findTenancy } from '#libs/database/tenancies.ts';
import { RateLimiter, type TenancyLimiter } from '#libs/http/rate-limits.ts';
import type { Environment } from '#libs/runtime/config.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { listen } from '#libs/runtime/http-listener.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { Lending } from '#libs/sdk/src/lending.ts';
import { countLoanStateMismatches, openReadContext } from '#services/query/open-query-routes.ts';
import { readHandlers } from '#services/query/read-routes.ts';
import { type PartialReads, partialReads } from './read-parts.ts';
import { createReadingApp } from './reading-app.ts';

export interface ReadTenancy {
  readonly api: Lending;
  readonly isLive: boolean;
}

export interface ReadApi {
  /** Undefined where there is no such Tenancy. */
  of(tenantId: string): Promise<ReadTenancy | undefined>;
  /** Of Tenancies that the person may read. */
  readonly parts: PartialReads;
  close(): Promise<void>;
}

interface ReadApiOptions {
  readonly env: Environment;
  readonly logger: Logger;
  readonly databases: PartitionDatabases;
  readonly redis: Redis;
}

/** Pages of several people at once. The bounds of a Tenancy are for its own callers and are shown, not applied. */
const consoleBounds = { maxConcurrent: 64, maxWaitMs: 2_000, requestsPerSecond: 1_000, burst: 1_000 };
/** Of a simulation, a rehearsal or a comparison, in folded steps (`libs/ledger/fold-cost.ts`). */
const maxCost = 3_500;
/** A page shows an error rather than waiting for the patience of a program. */
const patience = { withinMs: 2_000 };

export async function openReadApi({ env, logger, databases, redis }: ReadApiOptions): Promise<ReadApi> {
  const loanStateMismatches = countLoanStateMismatches();
  const context = await waitForDependency(
    'the database, for the key of cursors',
    () => openReadContext({ env, logger, loanStateMismatches }, { databases, redis }),
    logger,
  );
  const keyRing = new InMemoryKeyRing();
  const limiter = new RateLimiter();
  const rateLimiter: TenancyLimiter = { acquire: (tenantId) => limiter.acquire(tenantId, consoleBounds) };
  const app = createReadingApp({ handlers: readHandlers(context, maxCost), keyRing, rateLimiter });
  // Reached by this process alone: the keys are made here, held in memory and recorded nowhere.
  const http = await listen(app, { host: '127.0.0.1', port: 0 });
  const clients = new Map<string, Lending>();
  return {
    parts: partialReads(context),
    async of(tenantId) {
      const tenancy = await findTenancy(databases.ofTenancy(tenantId), tenantId);
      if (tenancy === undefined) return undefined;
      keyRing.putTenancy(tenancy);
      const known = clients.get(tenantId);
      if (known !== undefined) return { api: known, isLive: tenancy.live };
      const { secret, publicKey } = generateKey(tenancy.live ? 'live' : 'test');
      // Simulations and rehearsals are sent with POST, which takes this scope.
      keyRing.putKey({ publicKey, tenantId, scope: 'write', holder: 'service' });
      const api = new Lending({ baseUrl: `http://127.0.0.1:${http.port}`, tenant: tenantId, key: secret, patience });
      clients.set(tenantId, api);
      return { api, isLive: tenancy.live };
    },
    close: () => http.close(),
  };
}
