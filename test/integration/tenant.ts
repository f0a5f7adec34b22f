/** A Tenancy of a journey's own, and its keys: what a lender has in hand. */
import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { attachStack, type Stack } from '#deploy/stack/stack.ts';
import type { HouseFacts } from '#deploy/start/house.ts';
import { mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration, BoundsToSet, Minting } from '#libs/submission/administration.ts';
import { openAdministration } from '#libs/submission/client.ts';
import { authorization } from '#test/load/caller.ts';
import { holdToDocument } from '#test/openapi/held.ts';

export interface House {
  readonly stack: Stack;
  readonly services: HouseFacts;
}

/** The house `npm test` started for this run. */
export function house(): House {
  const file = process.env['LENDING_HOUSE'];
  if (file === undefined) throw new Error('a journey needs a house: run it through npm test');
  const { stackDir, services } = JSON.parse(readFileSync(file, 'utf8')) as { stackDir: string; services: HouseFacts };
  return { stack: attachStack(stackDir), services };
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // A journey reads whatever came, as a caller does who has not read the contract.
  // biome-ignore lint/suspicious/noExplicitAny: what is expected of it is what the journey says
  readonly body: any;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signer?: Signer;
  readonly idempotencyKey?: string;
}

const silent = { warn: () => undefined, error: () => undefined };
const roomy: BoundsToSet = { concurrent: 500, patience_ms: 2_000, per_second: 100_000, burst: 100_000 };

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
    { stack, services }: House,
    bounds: BoundsToSet | null = roomy,
    { live = false } = {},
  ): Promise<Tenant> {
    const { administration, close } = await openAdministration(stack, silent);
    const id = `t${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    const opening = {
      tenantId: id,
      name: 'A journey',
      live,
      jurisdiction: 'MX',
      timeZone: 'America/Mexico_City',
    };
    await stands(() => administration.openTenancy('journey', opening));
    if (bounds !== null) await stands(() => administration.setBounds('journey', id, bounds));
    const signer = await Tenant.#mint(administration, id, 'write', 'service');
    const tenant = new Tenant(id, signer, services.baseUrl, administration, close);
    await tenant.#untilKnown(signer);
    return tenant;
  }

  static async #mint(
    administration: Administration,
    tenantId: string,
    scope: Minting['scope'],
    holder: Minting['holder'],
  ): Promise<Signer> {
    const { secret, publicKey } = mintKey('test');
    await stands(() => administration.mintKey('journey', { tenantId, publicKey, scope, holder, label: scope }));
    const signer = signerFromText(secret);
    if (signer === undefined) throw new Error('a minted secret is one');
    return signer;
  }

  async mint(scope: Minting['scope'], holder: Minting['holder'] = 'service'): Promise<Signer> {
    const signer = await Tenant.#mint(this.administration, this.id, scope, holder);
    await this.#untilKnown(signer);
    return signer;
  }

  /** The same lender as a caller of another port. */
  at(baseUrl: string): Tenant {
    return new Tenant(this.id, this.signer, baseUrl, this.administration, this.#close);
  }

  get = (path: string, call: Call = {}): Promise<Told> => this.call('GET', path, undefined, call);
  post = (path: string, body: unknown, call: Call = {}): Promise<Told> => this.call('POST', path, body, call);
  put = (path: string, body: unknown, call: Call = {}): Promise<Told> => this.call('PUT', path, body, call);
  delete = (path: string, call: Call = {}): Promise<Told> => this.call('DELETE', path, undefined, call);

  call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, signer = this.signer, idempotencyKey }: Call = {},
  ): Promise<Told> {
    const target = `/v1/tenants/${this.id}${path}`;
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const sent = {
      authorization: authorization(signer, { method, target, body: bytes, idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const request = send(`${this.#baseUrl}${target}`, { method, agent: this.#agent, headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers } = response;
          try {
            holdToDocument({ method, target }, { status, headers, text });
          } catch (fault) {
            reject(fault);
            return;
          }
          resolve({
            status,
            headers,
            body: text === '' ? undefined : JSON.parse(text),
          });
        });
      });
      request.on('error', reject);
      request.end(bytes);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#close();
  }

  /** A key is known to every instance within a second. */
  async #untilKnown(signer: Signer): Promise<void> {
    await eventually(async () => (await this.get('/bounds', { signer })).status === 200);
  }
}

/** Awaits a condition; what never comes fails the journey with what was awaited. */
export async function eventually(condition: () => Promise<boolean> | boolean, withinMs = 15_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(`did not come true within ${withinMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Asked again as the contract says: partitions that change hands may be away for longer than a submission waits. */
async function stands(work: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    const done = await work().catch((cause: unknown) => {
      if (cause instanceof DependencyUnavailableError) return cause;
      throw cause;
    });
    if (done instanceof DependencyUnavailableError || (isRefusal(done) && done.retry === 'as_is')) return false;
    if (isRefusal(done)) throw new Error(`refused: ${JSON.stringify(done)}`);
    return true;
  }, 30_000);
}
