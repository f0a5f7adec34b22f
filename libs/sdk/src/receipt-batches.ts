/**
 * Posts any number of receipts in batches and yields each outcome in the order of the input. Receipts of one Client are
 * sent one batch after the other, so that its book records them in that order.
 */

import type { HttpClient } from './http-client.ts';
import { retryPauseMs } from './retry.ts';

export interface BatchOptions {
  /** Batches that are sent concurrently. */
  readonly inFlight?: number;
  /** Receipts in one batch, at most 1,000. */
  readonly together?: number;
  readonly signal?: AbortSignal;
}

export interface BatchReceipt {
  readonly client_id: string;
  readonly reference: string;
}

/** The service's answer for one receipt of a batch. */
export interface ReceiptOutcome {
  readonly status: number;
  readonly code?: string;
  readonly retry?: string;
  readonly retry_after?: number;
}

/** One receipt and its outcome: 201 recorded, 200 recorded before, otherwise refused with `code`. */
export type ReportedReceipt<Receipt, Answer extends ReceiptOutcome> = {
  /** Position in the input, from 0. */
  readonly index: number;
  readonly stated: Receipt;
  readonly outcome: Answer;
};

interface PendingReceipt<Receipt> {
  readonly index: number;
  readonly stated: Receipt;
  readonly text: string;
}

interface ReceiptQueue<Receipt> {
  readonly pending: PendingReceipt<Receipt>[];
  isSending: boolean;
}

// The service accepts 8 MiB, and a character may take four bytes.
const maxBatchCharacters = 2 * 1024 * 1024;

export function reportInBatches<Receipt extends BatchReceipt, Answer extends ReceiptOutcome>(
  http: HttpClient,
  target: string,
  receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
  options: BatchOptions = {},
): AsyncGenerator<ReportedReceipt<Receipt, Answer>, void> {
  const { inFlight = 1, together = 1 } = options;
  for (const [name, count] of Object.entries({ inFlight, together }))
    if (!Number.isInteger(count) || count < 1)
      throw new TypeError(`${name} is ${count}; expected a whole number of 1 or more`);
  return new ReceiptBatcher<Receipt, Answer>(http, target, options).report(receipts);
}

class ReceiptBatcher<Receipt extends BatchReceipt, Answer extends ReceiptOutcome> {
  readonly #http: HttpClient;
  readonly #target: string;
  readonly #maxReceipts: number;
  readonly #queues: ReceiptQueue<Receipt>[];
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** Outcomes that wait for the outcome of an earlier receipt. */
  readonly #results = new Map<number, ReportedReceipt<Receipt, Answer>>();
  #readCount = 0;
  #yieldedCount = 0;
  #isInputEnded = false;
  #failure: { readonly cause: unknown } | undefined;
  #notifyChange: () => void = () => undefined;

  constructor(http: HttpClient, target: string, { inFlight = 4, together = 1_000, signal }: BatchOptions) {
    this.#http = http;
    this.#target = target;
    this.#maxReceipts = Math.min(together, 1_000);
    this.#queues = Array.from({ length: inFlight }, () => ({ pending: [], isSending: false }));
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    this.#signal.addEventListener('abort', () => {
      this.#failure ??= { cause: this.#signal.reason };
      this.#notifyChange();
    });
  }

  async *report(
    receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
  ): AsyncGenerator<ReportedReceipt<Receipt, Answer>, void> {
    void this.#readReceipts(receipts);
    try {
      for (;;) {
        const next = this.#results.get(this.#yieldedCount);
        if (next !== undefined) {
          this.#results.delete(this.#yieldedCount);
          this.#yieldedCount += 1;
          this.#notifyChange();
          yield next;
        } else if (this.#failure !== undefined) throw this.#failure.cause;
        else if (this.#isInputEnded && this.#yieldedCount === this.#readCount) return;
        else await this.#nextChange();
      }
    } finally {
      // A caller that leaves the loop early stops the sending; receipts in flight may still be recorded.
      this.#stop.abort();
      this.#notifyChange();
    }
  }

  async #readReceipts(receipts: Iterable<Receipt> | AsyncIterable<Receipt>): Promise<void> {
    const maxUnfinished = this.#queues.length * this.#maxReceipts * 2;
    try {
      for await (const stated of receipts) {
        while (this.#readCount - this.#yieldedCount >= maxUnfinished && !this.#hasFailed()) await this.#nextChange();
        if (this.#hasFailed()) return;
        const queue = this.#queues[hash(String(stated.client_id)) % this.#queues.length] as ReceiptQueue<Receipt>;
        queue.pending.push({ index: this.#readCount, stated, text: JSON.stringify(stated) });
        this.#readCount += 1;
        this.#startSending(queue);
      }
      this.#isInputEnded = true;
    } catch (cause) {
      this.#failure ??= { cause };
    }
    this.#notifyChange();
  }

  #hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when a result, an input or a failure arrives. Wakes all waiters. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const notifyOthers = this.#notifyChange;
      this.#notifyChange = () => {
        this.#notifyChange = () => undefined;
        notifyOthers();
        resolve();
      };
    });
  }

  #startSending(queue: ReceiptQueue<Receipt>): void {
    if (queue.isSending) return;
    queue.isSending = true;
    void this.#sendQueued(queue)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => {
        queue.isSending = false;
        // A receipt may have been added after the last check of the queue.
        if (queue.pending.length > 0 && !this.#hasFailed()) this.#startSending(queue);
        this.#notifyChange();
      });
  }

  async #sendQueued(queue: ReceiptQueue<Receipt>): Promise<void> {
    // Waits one turn, so that receipts that are available already share a batch.
    await new Promise((resolve) => setTimeout(resolve, 0));
    while (queue.pending.length > 0 && !this.#hasFailed())
      await this.#sendUntilFinal(takeBatch(queue.pending, this.#maxReceipts));
  }

  /** Repeats the receipts that may be sent again, in their order, until the retry time has passed. */
  async #sendUntilFinal(batch: readonly PendingReceipt<Receipt>[]): Promise<void> {
    const { clock, patience } = this.#http;
    const deadline = clock.now() + patience.withinMs;
    let remaining = batch;
    for (let failures = 1; remaining.length > 0; failures += 1) {
      const outcomes = await this.#post(remaining);
      const canRetry = (at: number): boolean => outcomes[at]?.retry === 'as_is';
      const seconds = Math.max(
        0,
        ...outcomes.map(({ retry, retry_after }) => (retry === 'as_is' ? (retry_after ?? 0) : 0)),
      );
      const pauseMs = retryPauseMs(failures, patience, clock.random(), seconds);
      const isExpired = clock.now() + pauseMs > deadline;
      remaining.forEach(({ index, stated }, at) => {
        if (isExpired || !canRetry(at)) this.#results.set(index, { index, stated, outcome: outcomes[at] as Answer });
      });
      this.#notifyChange();
      remaining = isExpired ? [] : remaining.filter((_, at) => canRetry(at));
      if (remaining.length > 0) await clock.pause(pauseMs, this.#signal);
    }
  }

  async #post(batch: readonly PendingReceipt<Receipt>[]): Promise<readonly Answer[]> {
    const request = { method: 'POST', target: this.#target };
    const { body } = await this.#http.send<{ outcomes?: readonly Answer[] }>({
      ...request,
      body: `{"receipts":[${batch.map(({ text }) => text).join(',')}]}`,
      signal: this.#signal,
    });
    if (body.outcomes?.length !== batch.length) {
      throw this.#http.unreachable(request, 'the number of outcomes differs from the number of receipts', true);
    }
    return body.outcomes;
  }
}

function takeBatch<Receipt>(pending: PendingReceipt<Receipt>[], maxReceipts: number): PendingReceipt<Receipt>[] {
  let characters = 0;
  const end = pending.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && (at >= maxReceipts || characters > maxBatchCharacters);
  });
  return pending.splice(0, end === -1 ? pending.length : end);
}

/** FNV-1a: the receipts of a Client always go into the same queue. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
