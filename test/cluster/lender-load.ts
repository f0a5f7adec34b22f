/** Signed receipts at a steady rate, over all gateways as behind a balancer. Remembers what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Lending, LendingError } from '#libs/sdk/src/lending-sdk.ts';

export type LoadOptions = {
  readonly gatewayUrls: readonly string[];
  readonly tenantId: string;
  readonly key: string;
  readonly perSecond: number;
  readonly clients: number;
};

/** A write, in milliseconds of this process. `answeredAt` is undefined while it waits. */
export type Write = { readonly reference: string; readonly sentAt: number; answeredAt: number | undefined };

const tickMs = 50;
/** Callers wait for their answers: without a limit an outage would grow into a burst that no lender sends. */
const maxUnanswered = 300;
const retryWithinMs = 120_000;
const connectErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

export class LenderLoad {
  readonly writes: Write[] = [];
  /** Answers that are neither a record nor retryable, and writes without an answer. */
  readonly unexpected: string[] = [];
  retries = 0;
  readonly #options: LoadOptions;
  readonly #lending: Lending;
  readonly #unanswered = new Set<Promise<void>>();
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
      defaultAnswerTimeoutMs: 10_000,
      patience: { withinMs: retryWithinMs, firstPauseMs: 50, longestPauseMs: 500 },
      fetch: (url, init) => this.#fetch(url, init),
      onRetry: () => {
        this.retries += 1;
      },
    });
  }

  /** Registers the Clients and issues a Loan to each. */
  async prepare(): Promise<void> {
    const amount = (minor_units: number) => ({ minor_units, currency: 'MXN' });
    const { id, version } = await this.#lending.createConfiguration({
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
    await Promise.all(
      Array.from({ length: this.#options.clients }, async (_, index) => {
        await this.#lending.registerClient({ client_id: clientId(index) }, { actor: 'load', basis: 'test' });
        await this.#lending.issueLoan({
          reference: `loan-${index}`,
          client_id: clientId(index),
          configuration_id: id,
          configuration_version: version,
          principal: amount(1_000_000),
          term_periods: 12,
          rate: '36',
          anchor: '2026-01-15',
          jurisdiction: 'MX',
          tax: { rate: '16', on: ['interest', 'penalty'] },
        });
      }),
    );
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
    this.#count += 1;
    const write: Write = { reference: `receipt-${this.#count}`, sentAt: performance.now(), answeredAt: undefined };
    const body = {
      reference: write.reference,
      client_id: clientId(this.#count % this.#options.clients),
      amount: { minor_units: 100 + (this.#count % 400), currency: 'MXN' },
      value_date: '2026-03-01',
    };
    this.writes.push(write);
    const sending = this.#lending.reportReceipt(body).then(
      () => {
        write.answeredAt = performance.now();
      },
      (cause: unknown) => this.unexpected.push(`${write.reference}: ${describe(cause)}`),
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
  return cause instanceof LendingError ? `${cause.status} ${cause.code}` : String(cause);
}
