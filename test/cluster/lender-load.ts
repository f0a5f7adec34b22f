/**
 * Signed receipts and reads at a steady rate, over all gateways as behind a balancer; with batches and new Loans where that is
 * asked for. Remembers which writes were acknowledged, and how long each request waited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Lending, RefusalError } from '#libs/sdk/src/lending-sdk.ts';
import type { BodyOf } from '#libs/sdk/src/route-arguments.ts';

export type LoadOptions = {
  readonly gatewayUrls: readonly string[];
  readonly tenantId: string;
  readonly key: string;
  readonly perSecond: number;
  readonly clients: number;
  /** Beside each receipt a read, not beside every fourth, and now and then a batch or a new Client with a Loan. */
  readonly isMixed: boolean;
};

/** In milliseconds of this process. `answeredAt` is undefined while it waits. */
export type LoadRequest = { readonly sentAt: number; answeredAt: number | undefined };

/** `reference` with its namespace. */
export type Write = LoadRequest & { readonly reference: string };

type Receipt = BodyOf<'reportReceipt'>;

const tickMs = 50;
/** Callers wait for their answers: without a limit an outage would grow into a burst that no lender sends. */
const maxUnanswered = 300;
const retryWithinMs = 120_000;
const openedAtOnce = 32;
const receiptsPerBatch = 20;
const receiptsBetweenReads = 4;
const receiptsBetweenBatches = 25;
const receiptsBetweenLoans = 50;
const amount = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const connectErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

export class LenderLoad {
  readonly writes: Write[] = [];
  readonly reads: LoadRequest[] = [];
  /** Answers that are neither a record nor retryable, and writes without an answer. */
  readonly unexpected: string[] = [];
  retries = 0;
  /** Taken out of the balancer. */
  unusedGateway: string | undefined;
  readonly #options: LoadOptions;
  readonly #lending: Lending;
  readonly #unanswered = new Set<Promise<void>>();
  #configuration: { readonly id: string; readonly version: number } | undefined;
  #count = 0;
  #next = 0;
  #isRunning = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#lending = new Lending({
      // The host is replaced for each attempt; it is not signed.
      baseUrl: 'http://cluster.invalid',
      tenant: options.tenantId,
      key: options.key,
      answerTimeoutMs: 10_000,
      patience: { withinMs: retryWithinMs, firstPauseMs: 50, longestPauseMs: 500 },
      fetch: (url, init) => this.#fetch(url, init),
      onRetry: () => {
        this.retries += 1;
      },
    });
  }

  /** Registers the Clients and issues a Loan to each. */
  async prepare(): Promise<void> {
    this.#configuration = await this.#lending.createConfiguration({
      archetype: 'instalment',
      values: {
        principal_min: amount(100_000),
        principal_max: amount(10_000_000),
        rate_min: '12',
        rate_max: '60',
        penalty_rate_min: '72',
        penalty_rate_max: '72',
        terms: [12],
      },
    });
    const clients = Array.from({ length: this.#options.clients }, (_, index) => clientId(index)).values();
    const openLoans = async (): Promise<void> => {
      for (const client of clients) await this.#trackLoan(client);
    };
    // They take from the same iterator.
    await Promise.all(Array.from({ length: openedAtOnce }, openLoans));
    if (this.unexpected.length > 0) throw new Error(`the Loans of the load were not issued: ${this.unexpected[0]}`);
  }

  get acknowledged(): Write[] {
    return this.writes.filter(({ answeredAt }) => answeredAt !== undefined);
  }

  start(): void {
    this.#isRunning = true;
    this.#loop = this.#run();
  }

  /** Waits until every write has its answer. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
    await Promise.all(this.#unanswered);
  }

  async #run(): Promise<void> {
    let due = 0;
    let last = performance.now();
    while (this.#isRunning) {
      await sleep(tickMs);
      const now = performance.now();
      due += ((now - last) / 1_000) * this.#options.perSecond;
      last = now;
      for (; due >= 1; due -= 1) {
        if (this.#unanswered.size < maxUnanswered) this.#send();
      }
    }
  }

  #send(): void {
    const receipt = this.#nextReceipt();
    const { isMixed } = this.#options;
    void this.#trackWrites('receipt', this.#lending.reportReceipt(receipt), [`receipts/${receipt.reference}`]);
    const count = this.#count;
    if (isMixed || count % receiptsBetweenReads === 0) this.#read(receipt.client_id, count);
    if (!isMixed) return;
    if (count % receiptsBetweenBatches === 0) this.#sendBatch();
    if (count % receiptsBetweenLoans === 0) void this.#trackLoan(`new-client-${count}`);
  }

  #sendBatch(): void {
    const receipts = Array.from({ length: receiptsPerBatch }, () => this.#nextReceipt());
    const references = receipts.map(({ reference }) => `receipts/${reference}`);
    void this.#trackWrites('batch', this.#report(receipts), references);
  }

  async #report(receipts: readonly Receipt[]): Promise<void> {
    for await (const { outcome } of this.#lending.receipts.batch(receipts)) {
      if (outcome.receipt === undefined) throw new Error(`an item was answered ${outcome.status} ${outcome.code}`);
    }
  }

  #read(client_id: string, count: number): void {
    const on = '2026-03-20';
    const reads = [
      () => this.#lending.readPaymentOptions({ client_id, on }),
      () => this.#lending.readStatement({ client_id, from: '2026-01-01', to: '2026-03-31' }),
      () => this.#lending.readObligations({ client_id }),
      () => this.#lending.listLoans({ limit: 20 }),
    ];
    const read = reads[count % reads.length];
    if (read === undefined) return;
    const request = { sentAt: performance.now(), answeredAt: undefined };
    this.reads.push(request);
    void this.#track('read', read(), [request]);
  }

  #trackLoan(client_id: string): Promise<void> {
    return this.#trackWrites('Loan', this.#openLoan(client_id), [`loans/${loanReference(client_id)}`]);
  }

  async #openLoan(client_id: string): Promise<void> {
    if (this.#configuration === undefined) throw new Error('prepare() was not called');
    const { id: configuration_id, version: configuration_version } = this.#configuration;
    await this.#lending.registerClient({ client_id }, { actor: 'load', basis: 'test' });
    await this.#lending.issueLoan({
      reference: loanReference(client_id),
      client_id,
      configuration_id,
      configuration_version,
      principal: amount(1_000_000),
      term_periods: 12,
      rate: '36',
      anchor: '2026-01-15',
      jurisdiction: 'MX',
      tax: { rate: '16', on: ['interest', 'penalty'] },
    });
  }

  #nextReceipt(): Receipt {
    this.#count += 1;
    return {
      reference: `receipt-${this.#count}`,
      client_id: clientId(this.#count % this.#options.clients),
      amount: amount(100 + (this.#count % 400)),
      value_date: '2026-03-01',
    };
  }

  /** `references` are what the request records. */
  #trackWrites(what: string, answer: Promise<unknown>, references: readonly string[]): Promise<void> {
    const sentAt = performance.now();
    const writes = references.map((reference): Write => ({ reference, sentAt, answeredAt: undefined }));
    this.writes.push(...writes);
    return this.#track(`${what} ${references[0]}`, answer, writes);
  }

  /** Resolves when there is an answer, or none is expected any more. */
  #track(what: string, answer: Promise<unknown>, requests: readonly LoadRequest[]): Promise<void> {
    const sending = answer.then(
      () => {
        for (const request of requests) request.answeredAt = performance.now();
      },
      (cause: unknown) => this.unexpected.push(`${what}: ${describe(cause)}`),
    );
    const settled = sending.then(() => void this.#unanswered.delete(settled));
    this.#unanswered.add(settled);
    return settled;
  }

  /** One signed read of one gateway: the status of its answer. */
  async statusOf(gatewayUrl: string): Promise<number> {
    const { tenantId: tenant, key } = this.#options;
    const lending = new Lending({ baseUrl: gatewayUrl, tenant, key, patience: { withinMs: 0 } });
    try {
      return (await lending.ask('readBounds', {}, undefined)).status;
    } catch (cause) {
      if (cause instanceof RefusalError) return cause.status;
      throw cause;
    }
  }

  /** As a balancer does: each attempt goes to the next gateway in use, and to the other one where nothing listens. */
  async #fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const gatewayUrls = this.#options.gatewayUrls.filter((url) => url !== this.unusedGateway);
    const { pathname, search } = new URL(String(input));
    this.#next += 1;
    for (let attempt = 0; ; attempt += 1) {
      const gateway = gatewayUrls[(this.#next + attempt) % gatewayUrls.length] ?? '';
      try {
        return await fetch(`${gateway}${pathname}${search}`, init);
      } catch (cause) {
        const { code } = ((cause as Error).cause ?? {}) as { code?: string };
        if (attempt + 1 >= gatewayUrls.length || !connectErrors.includes(code ?? '')) throw cause;
      }
    }
  }
}

function loanReference(client: string): string {
  return `loan-${client}`;
}

function clientId(index: number): string {
  return `client-${index}`;
}

function describe(cause: unknown): string {
  return cause instanceof RefusalError ? `${cause.status} ${cause.code}` : String(cause);
}
