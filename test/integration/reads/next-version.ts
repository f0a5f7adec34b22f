/** A version of the contract that only a journey knows of, and the reads of the house served under it. */
import { type Contract, contract, type Version } from '#libs/api/versions.ts';
import { KeyTable } from '#libs/auth/key-ring.ts';
import type { Signer } from '#libs/auth/sign.ts';
import { openDatabase } from '#libs/database/database.ts';
import { addKey, type Got, type Sent, type Served, send, serve } from '#libs/http/testing/server.ts';
import { isReady, openRedis } from '#libs/redis/redis.ts';
import { openReads } from '#services/query/mount.ts';
import { queryHandlers } from '#services/query/query.ts';
import { eventually, type House } from '#test/integration/tenant.ts';
import { holdToDocument } from '#test/openapi/held.ts';

export const next = '2027-03-01';

/** What a caller is told who asks for one record in a member that `next` introduced. */
export const required = {
  status: 406,
  json: { code: 'contract_version_required', retry: 'after_change', details: { bound: next } },
};

type Asking = Pick<Sent, 'method' | 'body'> & { readonly version?: string | undefined };

export class NextVersion {
  readonly #tenantId: string;
  readonly #served: Served;
  readonly #signer: Signer;
  readonly #letGo: () => Promise<void>;

  private constructor(tenantId: string, served: Served, signer: Signer, letGo: () => Promise<void>) {
    this.#tenantId = tenantId;
    this.#served = served;
    this.#signer = signer;
    this.#letGo = letGo;
  }

  /** Members that had been there all along are introduced by it. */
  static async open({ stack }: House, tenantId: string, members: Version['members']): Promise<NextVersion> {
    const introduced = ['Members that had been there all along.'];
    const withNext: Contract = {
      ...contract,
      versions: [...contract.versions, { version: next, introduced, members }],
    };
    const database = openDatabase({ url: stack.databaseUrl, name: 'versions' });
    const redis = openRedis(stack.redisUrl, 'versions');
    await eventually(() => isReady(redis));
    const ring = new KeyTable();
    ring.putTenancy({ id: tenantId, live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' });
    const signer = addKey(ring, { tenantId });
    const handlers = queryHandlers(
      await openReads({ env: {}, logger: { error: () => undefined } }, { database, redis }, withNext),
    );
    const served = await serve({ handlers, contract: withNext }, ring);
    return new NextVersion(tenantId, served, signer, async () => {
      redis.disconnect();
      await database.end();
    });
  }

  /** Under the baseline, unless a version is stated. */
  async ask(path: string, { version, method = 'GET', body }: Asking = {}): Promise<Got> {
    const headers = [
      ...(version === undefined ? [] : [`Contract-Version: ${version}`]),
      ...(body === undefined ? [] : ['Content-Type: application/json']),
    ];
    const target = `/v1/tenants/${this.#tenantId}${path}`;
    const stated = body === undefined ? {} : { body };
    const got = await send(this.#served.port, { method, target, headers, signer: this.#signer, ...stated });
    holdToDocument({ method, target }, got);
    return got;
  }

  async close(): Promise<void> {
    await this.#served.close();
    await this.#letGo();
  }
}
