/** Workers that write without pause, repeat requests without a definite answer, and remember acknowledged writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { Random } from '#libs/runtime/random.ts';
import { instalmentProduct, loanBody, registerClient } from '#test/support/request-bodies.ts';
import { eventually, type Tenant, type TestResponse } from '#test/support/tenant.ts';
import { type WorkloadKind, type WorkloadRequest, WorkloadRequests } from './workload-requests.ts';

export interface WorkloadOptions {
  readonly tenant: Tenant;
  readonly seed: number;
  readonly clients: number;
  readonly workers: number;
  /** Default: receipts only. */
  readonly kind?: WorkloadKind;
  /** How long a request may wait for a definite answer. */
  readonly requestTimeoutMs?: number;
}

export interface AcknowledgedWrite {
  readonly namespace: Namespace;
  readonly bookId: string;
  /** The id of the created record; undefined if the answer does not contain it. */
  readonly id: string | undefined;
  readonly status: number;
}

const retryPauseMs = 50;
const defaultRequestTimeoutMs = 60_000;

export class Workload {
  /** Writes answered with 200 or 201, by reference. */
  readonly acknowledged = new Map<string, AcknowledgedWrite>();
  /** Answers that are neither a record nor retryable. */
  readonly unexpected: string[] = [];
  /** The number of retries by cause. */
  readonly retries: Record<string, number> = {};
  readonly #options: WorkloadOptions;
  readonly #random: Random;
  readonly #clients: string[] = [];
  readonly #followUps: WorkloadRequest[] = [];
  #requests: WorkloadRequests | undefined;
  #isRunning = false;
  #workers: Promise<unknown> | undefined;

  constructor(options: WorkloadOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async prepare(): Promise<void> {
    const { tenant, clients, seed, kind = 'receipts' } = this.#options;
    const product = (await requireCreated(tenant.post('/product-configurations', instalmentProduct))).body;
    for (let index = 0; index < clients; index += 1) {
      const client = `lender-${seed}-${index}`;
      await registerWithRetries(tenant, client);
      await requireCreated(tenant.post('/loans', loanBody(product, client, `loan-${seed}-${index}`)));
      this.#clients.push(client);
    }
    this.#requests = new WorkloadRequests({ prefix: String(seed), product, kind, random: this.#random });
  }

  start(): void {
    const requests = this.#requests;
    if (requests === undefined) throw new Error('call prepare() before start()');
    this.#isRunning = true;
    const work = async (): Promise<void> => {
      while (this.#isRunning) await this.#sendNext(requests);
    };
    this.#workers = Promise.all(Array.from({ length: this.#options.workers }, work));
  }

  /** Waits until the current requests have a definite answer. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#workers;
  }

  async #sendNext(requests: WorkloadRequests): Promise<void> {
    const request = this.#followUps.shift() ?? requests.createFor(this.#random.pick(this.#clients));
    const { requestTimeoutMs = defaultRequestTimeoutMs } = this.#options;
    const deadline = performance.now() + requestTimeoutMs;
    while (performance.now() < deadline) {
      const response = await this.#options.tenant
        .post(request.path, request.body)
        .catch((cause: NodeJS.ErrnoException) => String(cause.code));
      if (this.#isAnswered(request, response)) return;
      await sleep(retryPauseMs);
    }
    this.unexpected.push(`${request.reference} has no definite answer after ${requestTimeoutMs} ms`);
  }

  #isAnswered(request: WorkloadRequest, response: TestResponse | string): boolean {
    if (typeof response === 'string') return this.#countRetry(response);
    const { namespace, reference, bookId, idIn, followUp } = request;
    const { status, body } = response;
    if (status === 200 || status === 201) {
      this.acknowledged.set(reference, { namespace, bookId, id: idIn?.(body), status });
      const next = followUp?.(body);
      if (next !== undefined) this.#followUps.push(next);
      return true;
    }
    if (body?.retry === 'as_is') return this.#countRetry(body.code);
    this.unexpected.push(`${reference}: ${status} ${JSON.stringify(body)}`);
    return true;
  }

  #countRetry(cause: string): false {
    this.retries[cause] = (this.retries[cause] ?? 0) + 1;
    return false;
  }
}

/** Retries, because a processor killed by an earlier test file may still own the partition. */
export function registerWithRetries(tenant: Tenant, client: string): Promise<void> {
  return eventually(async () => [200, 201].includes((await registerClient(tenant, client)).status));
}

async function requireCreated(sending: Promise<TestResponse>): Promise<TestResponse> {
  const response = await sending;
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${JSON.stringify(response.body)}`);
  return response;
}
