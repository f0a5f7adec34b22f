/**
 * Receipts without number: read as fast as they are taken, posted many together, told one by one in the order they came.
 * Receipts of one Client go one batch after the other, so that the book holds them in that order as well.
 */
import { pauseAfter } from './retrying.ts';
import type { Line } from './sending.ts';

export interface BatchOptions {
  /** Batches that may be on their way at once. */
  readonly inFlight?: number;
  /** Receipts in one batch; the service takes no more than 1,000. */
  readonly together?: number;
  readonly signal?: AbortSignal;
}

export interface Stated {
  readonly client_id: string;
  readonly reference: string;
}

/** What the service says of one receipt of a batch. */
export interface Outcome {
  readonly status: number;
  readonly code?: string;
  readonly retry?: string;
  readonly retry_after?: number;
}

/** One receipt and what came of it: 201 recorded, 200 recorded before, anything else refused for what `code` says. */
export type Reported<Receipt, Answer extends Outcome> = {
  /** Place among the receipts that were given, from 0. */
  readonly index: number;
  readonly stated: Receipt;
  readonly outcome: Answer;
};

interface Waiting<Receipt> {
  readonly index: number;
  readonly stated: Receipt;
  readonly text: string;
}

interface Lane<Receipt> {
  readonly waiting: Waiting<Receipt>[];
  isWorking: boolean;
}

// The service reads 8 MiB; what frames the receipts comes on top.
const mostCharacters = 2 * 1024 * 1024;

export function reportAll<Receipt extends Stated, Answer extends Outcome>(
  line: Line,
  target: string,
  receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
  options: BatchOptions = {},
): AsyncGenerator<Reported<Receipt, Answer>, void> {
  return new Batching<Receipt, Answer>(line, target, options).report(receipts);
}

class Batching<Receipt extends Stated, Answer extends Outcome> {
  readonly #line: Line;
  readonly #target: string;
  readonly #together: number;
  readonly #lanes: Lane<Receipt>[];
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** Told by the service and not yet by us: what stands before it is still awaited. */
  readonly #told = new Map<number, Reported<Receipt, Answer>>();
  #read = 0;
  #given = 0;
  #isRead = false;
  #failed: { readonly cause: unknown } | undefined;
  #changed: () => void = () => undefined;

  constructor(line: Line, target: string, { inFlight = 4, together = 1_000, signal }: BatchOptions) {
    this.#line = line;
    this.#target = target;
    this.#together = Math.min(together, 1_000);
    this.#lanes = Array.from({ length: inFlight }, () => ({ waiting: [], isWorking: false }));
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    this.#signal.addEventListener('abort', () => {
      this.#failed ??= { cause: this.#signal.reason };
      this.#changed();
    });
  }

  async *report(receipts: Iterable<Receipt> | AsyncIterable<Receipt>): AsyncGenerator<Reported<Receipt, Answer>, void> {
    void this.#takeIn(receipts);
    try {
      for (;;) {
        const next = this.#told.get(this.#given);
        if (next !== undefined) {
          this.#told.delete(this.#given);
          this.#given += 1;
          this.#changed();
          yield next;
        } else if (this.#failed !== undefined) throw this.#failed.cause;
        else if (this.#isRead && this.#given === this.#read) return;
        else await this.#change();
      }
    } finally {
      // Whoever leaves early wants nothing sent any more; what is on its way may be recorded.
      this.#stop.abort();
      this.#changed();
    }
  }

  async #takeIn(receipts: Iterable<Receipt> | AsyncIterable<Receipt>): Promise<void> {
    const most = this.#lanes.length * this.#together * 2;
    try {
      for await (const stated of receipts) {
        while (this.#read - this.#given >= most && !this.#isOver()) await this.#change();
        if (this.#isOver()) return;
        const lane = this.#lanes[hash(String(stated.client_id)) % this.#lanes.length] as Lane<Receipt>;
        lane.waiting.push({ index: this.#read, stated, text: JSON.stringify(stated) });
        this.#read += 1;
        this.#work(lane);
      }
      this.#isRead = true;
    } catch (cause) {
      this.#failed ??= { cause };
    }
    this.#changed();
  }

  #isOver(): boolean {
    return this.#failed !== undefined;
  }

  /** Resolves at the next change of what is told, read or failed. All who wait are woken. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const others = this.#changed;
      this.#changed = () => {
        this.#changed = () => undefined;
        others();
        resolve();
      };
    });
  }

  #work(lane: Lane<Receipt>): void {
    if (lane.isWorking) return;
    lane.isWorking = true;
    void this.#drain(lane)
      .catch((cause: unknown) => {
        this.#failed ??= { cause };
      })
      .finally(() => {
        lane.isWorking = false;
        // Something may have come in between the last look and here.
        if (lane.waiting.length > 0 && !this.#isOver()) this.#work(lane);
        this.#changed();
      });
  }

  async #drain(lane: Lane<Receipt>): Promise<void> {
    // What is at hand already goes together; while a batch is on its way the next one gathers.
    await new Promise((resolve) => setTimeout(resolve, 0));
    while (lane.waiting.length > 0 && !this.#isOver()) await this.#settle(takeFrom(lane.waiting, this.#together));
  }

  /** Sends what the service asks to have again once more, in its order, until patience ends. */
  async #settle(batch: readonly Waiting<Receipt>[]): Promise<void> {
    const { world, patience } = this.#line;
    const until = world.now() + patience.withinMs;
    let left = batch;
    for (let failures = 1; left.length > 0; failures += 1) {
      const outcomes = await this.#post(left);
      const isAgain = (at: number): boolean => outcomes[at]?.retry === 'as_is';
      const seconds = Math.max(
        0,
        ...outcomes.map(({ retry, retry_after }) => (retry === 'as_is' ? (retry_after ?? 0) : 0)),
      );
      const pauseMs = pauseAfter(failures, patience, world.random(), seconds);
      const isEnough = world.now() + pauseMs > until;
      left.forEach(({ index, stated }, at) => {
        if (isEnough || !isAgain(at)) this.#told.set(index, { index, stated, outcome: outcomes[at] as Answer });
      });
      this.#changed();
      left = isEnough ? [] : left.filter((_, at) => isAgain(at));
      if (left.length > 0) await world.pause(pauseMs, this.#signal);
    }
  }

  async #post(batch: readonly Waiting<Receipt>[]): Promise<readonly Answer[]> {
    const asked = { method: 'POST', target: this.#target };
    const { body } = await this.#line.send<{ outcomes?: readonly Answer[] }>({
      ...asked,
      body: `{"receipts":[${batch.map(({ text }) => text).join(',')}]}`,
      signal: this.#signal,
    });
    if (body.outcomes?.length !== batch.length) {
      throw this.#line.unreachable(asked, 'not every receipt has its outcome', true);
    }
    return body.outcomes;
  }
}

function takeFrom<Receipt>(waiting: Waiting<Receipt>[], together: number): Waiting<Receipt>[] {
  let characters = 0;
  const beyond = waiting.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && (at >= together || characters > mostCharacters);
  });
  return waiting.splice(0, beyond === -1 ? waiting.length : beyond);
}

/** FNV-1a: the same Client always goes the same way. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
