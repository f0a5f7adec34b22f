/** Serves the reads under a future contract version that exists only in tests. */
import { type Contract, type ContractEntry, contract } from '#libs/api/contract-versions.ts';
import { InMemoryKeyRing } from '#libs/auth/key-ring.ts';
import type { Signer } from '#libs/auth/signer.ts';
import {
  addKey,
  send,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';
import { isReady, openToolRedis } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import type { EnumerationName } from '#libs/schema/enumerations.ts';
import { openReadContext } from '#services/query/open-query-routes.ts';
import { readHandlers } from '#services/query/read-routes.ts';
import { validateResponse } from '#test/openapi/document-validator.ts';
import { eventually, type TestEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';

export const futureVersion = '2027-03-01';

/** The refusal of a record with a member that only the future version knows. */
export const versionRequired = {
  status: 406,
  json: { code: 'contract_version_required', retry: 'after_change', details: { bound: futureVersion } },
};

type Asking = Pick<TestRequest, 'method' | 'body'> & { readonly version?: string | undefined };

export class FutureVersionServer {
  readonly #tenantId: string;
  readonly #served: TestServer;
  readonly #signer: Signer;
  readonly #letGo: () => Promise<void>;

  private constructor(tenantId: string, served: TestServer, signer: Signer, letGo: () => Promise<void>) {
    this.#tenantId = tenantId;
    this.#served = served;
    this.#signer = signer;
    this.#letGo = letGo;
  }

  /** The future version introduces these existing members, and makes these changes. */
  static async open(
    environment: TestEnvironment,
    tenantId: string,
    members: { readonly [enumeration in EnumerationName]?: readonly string[] },
    changes: readonly ContractEntry[] = [],
  ): Promise<FutureVersionServer> {
    const introduced = ['Existing members, introduced again for the test.'];
    const withNext: Contract = {
      ...contract,
      versions: [...contract.versions, { version: futureVersion, changes: introduced }],
      entries: [
        ...contract.entries,
        ...changes,
        ...Object.entries(members).flatMap(([enumeration, added]) =>
          added.map((member) => ({
            kind: 'member' as const,
            enumeration: enumeration as EnumerationName,
            member,
            addedIn: futureVersion,
          })),
        ),
      ],
    };
    const { databases, close } = await openTestDatabases(environment, { name: 'versions', connections: 8 });
    const redis = openToolRedis(environment.stack.redisUrl, 'versions');
    await eventually(() => isReady(redis));
    const ring = new InMemoryKeyRing();
    ring.putTenancy({ id: tenantId, live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' });
    const signer = addKey(ring, { tenantId });
    const ignore = () => undefined;
    const unobserved = { env: {}, logger: silentLogger, loanStateMismatches: { inc: ignore } };
    const handlers = readHandlers(await openReadContext(unobserved, { databases, redis }, withNext));
    const served = await startTestServer({ handlers, contract: withNext }, ring);
    return new FutureVersionServer(tenantId, served, signer, async () => {
      redis.disconnect();
      await close();
    });
  }

  /** Under the oldest version, unless one is stated. */
  async ask(path: string, { version, method = 'GET', body }: Asking = {}): Promise<TestResponse> {
    const headers = [
      ...(version === undefined ? [] : [`Contract-Version: ${version}`]),
      ...(body === undefined ? [] : ['Content-Type: application/json']),
    ];
    const target = `/v1/tenants/${this.#tenantId}${path}`;
    const stated = body === undefined ? {} : { body };
    const got = await send(this.#served.port, { method, target, headers, signer: this.#signer, ...stated });
    // The published document does not know the windows of the future version.
    const { deprecation: _, sunset: _sunset, link: _link, ...published } = got.headers;
    validateResponse({ method, target }, { ...got, headers: published });
    return got;
  }

  async close(): Promise<void> {
    await this.#served.close();
    await this.#letGo();
  }
}
