/**
 * Signed receipts at a steady rate, over all gateways as behind a balancer; mixed with reads, batches and new Loans where
 * that is asked for. Remembers which receipts were acknowledged.
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
  /** Beside each receipt a read, and now and then a batch or a new Client with a Loan. */
  readonly isMixed: boolean;
};

/** A write, in milliseconds of this process. `answeredAt` is undefined while it waits. */
export type Write = { readonly reference: string; readonly sentAt: number; answeredAt: number | undefined };

type Receipt = BodyOf<'reportReceipt'>;

const tickMs = 50;
/** Callers wait for their answers: without a limit an outage would grow into a burst that no lender sends. */
const maxUnanswered = 300;
const retryWithinMs = 120_000;
const openedAtOnce = 32;
const receiptsPerBatch = 20;
const receiptsBetweenBatches = 25;
const receiptsBetweenLoans = 50;
const amount = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const connectErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

export class LenderLoad {
  readonly writes: Write[] = [];
  /** Answers that are neither a record nor retryable, and writes without an answer. */
  readonly unexpected: string[] = [];
  retries = 0;
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
      for (const client of clients) await this.#openLoan(client);
    };
    // They take from the same iterator.
    await Promise.all(Array.from({ length: openedAtOnce }, openLoans));
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
    this.#track(`receipt ${receipt.reference}`, this.#lending.reportReceipt(receipt), [receipt.reference]);
    if (!this.#options.isMixed) return;
    const count = this.#count;
    this.#read(receipt.client_id, count);
    if (count % receiptsBetweenBatches === 0) this.#sendBatch();
    if (count % receiptsBetweenLoans === 0) this.#track('new Loan', this.#openLoan(`new-client-${count}`), []);
  }

  #sendBatch(): void {
    const receipts = Array.from({ length: receiptsPerBatch }, () => this.#nextReceipt());
    const references = receipts.map(({ reference }) => reference);
    this.#track('batch', this.#report(receipts), references);
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
    if (read !== undefined) this.#track('read', read(), []);
  }

  async #openLoan(client_id: string): Promise<void> {
    if (this.#configuration === undefined) throw new Error('prepare() was not called');
    const { id: configuration_id, version: configuration_version } = this.#configuration;
    await this.#lending.registerClient({ client_id }, { actor: 'load', basis: 'test' });
    await this.#lending.issueLoan({
      reference: `loan-${client_id}`,
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

  /** `references` are the receipts that the request writes. */
  #track(what: string, answer: Promise<unknown>, references: readonly string[]): void {
    const sentAt = performance.now();
    const writes = references.map((reference): Write => ({ reference, sentAt, answeredAt: undefined }));
    this.writes.push(...writes);
    const sending = answer.then(
      () => {
        for (const write of writes) write.answeredAt = performance.now();
      },
      (cause: unknown) => this.unexpected.push(`${what}: ${describe(cause)}`),
    );
    const settled = sending.then(() => void this.#unanswered.delete(settled));
    this.#unanswered.add(settled);
  }

  /** As a balancer does: each attempt goes to the next gateway, and to the other one where nothing listens. */
  async #fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { gatewayUrls } = this.#options;
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

function clientId(index: number): string {
  return `client-${index}`;
}

function describe(cause: unknown): string {
  return cause instanceof RefusalError ? `${cause.status} ${cause.code}` : String(cause);
}
