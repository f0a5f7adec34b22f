/** Groups receipts into batches, and posts a batch until each receipt has a final outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, pauseMs } from '../caller.ts';
import { isRecorded, type Outcome } from './outcomes.ts';
import type { ReceiptLine } from './receipt-files.ts';

/** Half of the limit of the route. */
const maxBatchBytes = 4 * 1024 * 1024;

/** Collects receipts up to a count or a size in bytes. */
export class Batch {
  readonly #maxReceipts: number;
  #receipts: ReceiptLine[] = [];
  #bytes = 0;

  constructor(maxReceipts: number) {
    this.#maxReceipts = maxReceipts;
  }

  get isFull(): boolean {
    return this.#receipts.length >= this.#maxReceipts || this.#bytes >= maxBatchBytes;
  }

  add(receipt: ReceiptLine): void {
    this.#receipts.push(receipt);
    this.#bytes += Buffer.byteLength(receipt.body);
  }

  take(): readonly ReceiptLine[] {
    const receipts = this.#receipts;
    this.#receipts = [];
    this.#bytes = 0;
    return receipts;
  }
}

export type AppendOutcomes = (results: (readonly [ReceiptLine, Outcome])[]) => Promise<void>;

/**
 * Receipts that may be sent again are repeated in their order within the batch, so that the receipts of a Client keep
 * the order of the file. The outcomes are appended also where a repeated request fails.
 */
export async function postBatch(
  caller: Pick<Caller, 'request'>,
  receipts: readonly ReceiptLine[],
  retryTimeoutMs: number,
  append: AppendOutcomes,
): Promise<void> {
  const results = new Map<ReceiptLine, Outcome>();
  const deadline = Date.now() + retryTimeoutMs;
  let pending = receipts;
  try {
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      const body = `{"receipts":[${pending.map((row) => row.body).join(',')}]}`;
      const answer = await caller.request<{ outcomes: Outcome[] }>('POST', '/receipts/batch', body);
      for (const [at, receipt] of pending.entries()) results.set(receipt, outcomeAt(answer.outcomes, at));
      pending = pending.filter((receipt) => canRetry(results.get(receipt), attempt));
      if (pending.length === 0) break;
      const pause = pauseMs(attempt, undefined);
      if (Date.now() + pause > deadline) break;
      await sleep(pause);
    }
  } finally {
    await append([...results]);
  }
}

function outcomeAt(outcomes: readonly Outcome[], at: number): Outcome {
  const outcome = outcomes[at];
  if (outcome === undefined)
    throw new Error(`the service answered ${outcomes.length} outcomes; expected one for each receipt`);
  return outcome;
}

/** A parked book answers `internal_error` until an operator releases it: one retry is enough. */
function canRetry(outcome: Outcome | undefined, attempt: number): boolean {
  if (outcome === undefined || isRecorded(outcome) || outcome.retry !== 'as_is') return false;
  return outcome.code !== 'internal_error' || attempt === 0;
}
