/** A Tenancy created for one test file, with its keys and a signing HTTP client. */
import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { attachBackingServices, type BackingServices } from '#deploy/dev/backing-services.ts';
import type { RunningServices } from '#deploy/dev/services.ts';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import type { BoundsSettings } from '#libs/database/tenancies.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration, NewKeyRequest } from '#libs/submission/administration.ts';
import { type CellAddresses, openAdministration } from '#libs/submission/open-submission-client.ts';
import { validateResponse } from '#test/openapi/document-validator.ts';
import { authorization } from '#test/support/signed-request.ts';

export interface TestEnvironment {
  /** The further databases as the commands of an operator take them, and as a service does. */
  readonly stack: BackingServices & Pick<CellAddresses, 'partitionDatabaseUrls'>;
  readonly services: RunningServices;
}

/** The services and backing services that `npm test` started for this run. */
export function testEnvironment(): TestEnvironment {
  const file = process.env['LENDING_TEST_ENVIRONMENT'];
  if (file === undefined)
    throw new Error(
      'LENDING_TEST_ENVIRONMENT is not set: integration tests need running services; run them with npm test',
    );
  const {
    stackDir,
    services,
    partitionDatabases = [],
  } = JSON.parse(readFileSync(file, 'utf8')) as {
    stackDir: string;
    services: RunningServices;
    partitionDatabases?: readonly (readonly [string, OwnedDatabase])[];
  };
  return {
    stack: {
      ...attachBackingServices(stackDir),
      partitionDatabases: new Map(partitionDatabases),
      partitionDatabaseUrls: new Map(partitionDatabases.map(([name, { servicesUrl }]) => [name, servicesUrl])),
    },
    services,
  };
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of the body
  readonly body: any;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signer?: Signer;
  readonly idempotencyKey?: string;
}

interface OpenedTenancy {
  readonly id: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
}

function uniqueId(): string {
  return `t${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

const wideBounds: BoundsSettings = { concurrent: 500, patience_ms: 2_000, per_second: 100_000, burst: 100_000 };

export class Tenant {
  readonly id: string;
  readonly signer: Signer;
  readonly administration: Administration;
  readonly #baseUrl: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 });
  readonly #close: () => Promise<void>;

  private constructor(
    id: string,
    signer: Signer,
    baseUrl: string,
    administration: Administration,
    close: () => Promise<void>,
  ) {
    this.id = id;
    this.signer = signer;
    this.administration = administration;
    this.#baseUrl = baseUrl;
    this.#close = close;
  }

  static async open(
    { stack, services }: TestEnvironment,
    bounds: BoundsSettings | null = wideBounds,
    { live = false, jurisdiction = 'MX', name = 'Integration test', id = uniqueId() }: Partial<OpenedTenancy> = {},
  ): Promise<Tenant> {
    const { administration, close } = await openAdministration(stack, silentLogger);
    const tenancy = {
      tenantId: id,
      name,
      live,
      jurisdiction,
      timeZone: 'America/Mexico_City',
    };
    await untilRecorded(() => administration.openTenancy('test', tenancy));
    if (bounds !== null) await untilRecorded(() => administration.setBounds('test', id, bounds));
    const signer = await Tenant.#mint(administration, id, 'write', 'service');
    const tenant = new Tenant(id, signer, services.baseUrl, administration, close);
    await tenant.#waitUntilAccepted(signer);
    return tenant;
  }

  static async #mint(
    administration: Administration,
    tenantId: string,
    scope: NewKeyRequest['scope'],
    holder: NewKeyRequest['holder'],
  ): Promise<Signer> {
    const { secret, publicKey } = generateKey('test');
    await untilRecorded(() => administration.mintKey('test', { tenantId, publicKey, scope, holder, label: scope }));
    const signer = parseSigner(secret);
    if (signer === undefined) throw new Error('the minted secret cannot be parsed');
    return signer;
  }

  async mint(scope: NewKeyRequest['scope'], holder: NewKeyRequest['holder'] = 'service'): Promise<Signer> {
    const signer = await Tenant.#mint(this.administration, this.id, scope, holder);
    await this.#waitUntilAccepted(signer);
    return signer;
  }

  /** The same Tenancy called at another address. */
  at(baseUrl: string): Tenant {
    return new Tenant(this.id, this.signer, baseUrl, this.administration, this.#close);
  }

  get = (path: string, call: RequestOptions = {}): Promise<TestResponse> => this.call('GET', path, undefined, call);
  post = (path: string, body: unknown, call: RequestOptions = {}): Promise<TestResponse> =>
    this.call('POST', path, body, call);
  put = (path: string, body: unknown, call: RequestOptions = {}): Promise<TestResponse> =>
    this.call('PUT', path, body, call);
  delete = (path: string, call: RequestOptions = {}): Promise<TestResponse> =>
    this.call('DELETE', path, undefined, call);

  call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, signer = this.signer, idempotencyKey }: RequestOptions = {},
  ): Promise<TestResponse> {
    const target = `/v1/tenants/${this.id}${path}`;
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const allHeaders = {
      authorization: authorization(signer, { method, target, body: bytes, idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const request = send(
        `${this.#baseUrl}${target}`,
        { method, agent: this.#agent, headers: allHeaders },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const { statusCode: status = 0, headers } = response;
            try {
              validateResponse({ method, target }, { status, headers, text });
            } catch (error) {
              reject(error);
              return;
            }
            resolve({
              status,
              headers,
              body: text === '' ? undefined : JSON.parse(text),
            });
          });
        },
      );
      request.on('error', reject);
      request.end(bytes);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#close();
  }

  /** Every instance learns of a new key within a second. */
  async #waitUntilAccepted(signer: Signer): Promise<void> {
    await eventually(async () => (await this.get('/bounds', { signer })).status === 200);
  }
}

const minPollMs = 20;
const maxPollMs = 200;

/**
 * Resolves once the condition holds, or rejects with the condition's text after the timeout. Asks less often the longer it
 * waits: many conditions ask the service or the broker that is awaited.
 */
export async function eventually(condition: () => Promise<boolean> | boolean, timeoutMs = 60_000): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`condition not met within ${timeoutMs} ms: ${condition}`);
    const pauseMs = Math.min(Math.max(waitedMs / 10, minPollMs), maxPollMs);
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, timeoutMs - waitedMs + 1)));
  }
}

/** Retries while the service is unavailable: a partition that changes its owner may be away longer than one submission waits. */
async function untilRecorded(work: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    const result = await work().catch((cause: unknown) => {
      if (cause instanceof DependencyUnavailableError) return cause;
      throw cause;
    });
    if (result instanceof DependencyUnavailableError || (isRefusal(result) && result.retry === 'as_is')) return false;
    if (isRefusal(result)) throw new Error(`refused: ${JSON.stringify(result)}`);
    return true;
  }, 30_000);
}
